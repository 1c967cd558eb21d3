"""Comments that hide findings."""

from __future__ import annotations

import io
import tokenize
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pallas_lsp
from pallas_lsp.findings import Finding, Position, Range, Severity
from pallas_lsp.suppressions import Suppressions
from tests.examples import examples


def finding(first: int, last: int | None = None, code: str = "PAL001", name: str = "returning-kernel") -> Finding:
    """A finding from line `first` to `last`, 0-based."""
    end = Position(first if last is None else last, 5)
    return Finding(code, name, "", Severity.ERROR, Range(Position(first, 4), end))


def hides(text: str, *lines: int, code: str = "PAL001", name: str = "returning-kernel") -> bool:
    return Suppressions.of(text).hides(finding(*lines, code=code, name=name))


@pytest.mark.parametrize(
    ("comment", "hidden"),
    [
        ("# pallas: ignore", True),
        ("#pallas:ignore", True),
        ("# pallas: ignore[PAL001]", True),
        ("# pallas: ignore[returning-kernel]", True),
        ("# pallas: ignore[ PAL002 , PAL001 ]", True),
        ("# pallas: ignore [PAL001]", True),
        ("# pallas: ignore  # because", True),
        ("# pallas: ignore because", True),
        ("# type: ignore  # pallas: ignore[PAL001]", True),
        ("# pallas: ignore[PAL002]", False),
        ("# pallas: ignore[PAL0]", False),
        ("# pallas: ignore[PAL002]  # pallas: ignore[PAL001]", True),
        ("# pallas: ignore[]", False),
        ("# pallas: ignore[PAL001", False),
        ("# pallas: ignored", False),
        ("# pallas: ignore-line", False),
        ("# pallas: off-topic", False),
        ("# pallas ignore", False),
        ("# noqa", True),
        ("# NoQA", True),
        ("#noqa", True),
        ("# noqa: PAL001", True),
        ("# noqa:E501,PAL001", True),
        ("# noqa: E501 PAL001 too long", True),
        ("# noqa : PAL001", True),
        ("# noqa: E501", False),
        ("# noqa: too long", False),
        ("# noqa:", False),
        ("# noqatall", False),
        ("# nothing", False),
        ("# flake8: noqa", False),
    ],
)
def test_comment_on_the_line(comment: str, hidden: bool) -> None:
    assert hides(f"def k(r):\n    return r  {comment}\n", 1) is hidden


def test_other_lines_are_not_hidden() -> None:
    text = "a\nb  # pallas: ignore\nc\n"
    assert [hides(text, line) for line in range(3)] == [False, True, False]


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        ("return (  # pallas: ignore\n  x\n)\n", True),
        ("return (\n  x\n)  # pallas: ignore\n", True),
        ("return (\n  x  # pallas: ignore\n)\n", False),
    ],
)
def test_several_lines_are_hidden_from_the_first_or_the_last(text: str, hidden: bool) -> None:
    assert hides(text, 0, 2) is hidden


def test_a_finding_that_ends_at_the_start_of_a_line_does_not_reach_it() -> None:
    whole_line = Finding("PAL001", "", "", Severity.ERROR, Range(Position(0, 0), Position(1, 0)))
    assert not Suppressions.of("a\nb  # noqa").hides(whole_line)
    assert Suppressions.of("a  # noqa\nb").hides(whole_line)


@pytest.mark.parametrize(
    "text",
    [
        "f(  # pallas: ignore\n  kernel,\n)\n",
        "f(\n  kernel,\n)  # pallas: ignore\n",
        "x = f(\n  kernel,\n)(\n y)  # pallas: ignore\n",
        "x = \\\n  kernel  # pallas: ignore\n",
        'x = """\nkernel"""  # pallas: ignore\n',
        "f({[(\n  kernel)]}\n)  # pallas: ignore\n",
    ],
)
def test_a_part_of_a_statement_is_hidden_from_its_first_or_last_line(text: str) -> None:
    assert hides(text, 1)


def test_the_next_statement_is_not_hidden() -> None:
    assert not hides("f(\n  x\n)\ng(\n  kernel\n)\nh(\n)  # pallas: ignore\n", 4)


@pytest.mark.parametrize(
    "text",
    [
        'return "# pallas: ignore"\n',
        "return '# noqa'\n",
        'return "\\"# noqa"\n',
        'x = """\n# pallas: ignore-file\n"""\n',
        "x = '''\n# pallas: ignore-file \\''' '''\n",
    ],
)
def test_a_hash_in_a_string_is_no_comment(text: str) -> None:
    assert not hides(text, 0)


@pytest.mark.parametrize("text", ['return ""  # noqa\n', "return '#'  # noqa\n", 'return """#"""  # noqa\n'])
def test_a_comment_after_a_string(text: str) -> None:
    assert hides(text, 0)


@pytest.mark.parametrize(
    ("comment", "hidden"),
    [
        ("# pallas: ignore-file", {"PAL001", "PAL002"}),
        ("# pallas: ignore-file[PAL002]", {"PAL002"}),
        ("# pallas: ignore-file[]", set()),
    ],
)
def test_the_whole_file(comment: str, hidden: set[str]) -> None:
    text = f"a\nb\n{comment}\nc\n"
    for line in (0, 3):
        assert {code for code in ("PAL001", "PAL002") if hides(text, line, code=code)} == hidden


def test_a_block() -> None:
    text = "a\n# pallas: off\nb\n# pallas: on\nc\n"
    assert [hides(text, line) for line in (0, 2, 4)] == [False, True, False]


def test_a_block_that_is_never_closed_reaches_the_end() -> None:
    assert hides("# pallas: off\na\nb\n", 2)


def test_a_block_of_some_rules() -> None:
    text = "# pallas: off\na\n# pallas: on[PAL001]\nb\n# pallas: off[returning-kernel]\nc\n"
    assert [hides(text, line, code="PAL001") for line in (1, 3, 5)] == [True, False, True]
    assert [hides(text, line, code="PAL002", name="dropped-result") for line in (1, 3, 5)] == [True, True, True]


def test_nothing_flickers_while_a_quote_or_bracket_is_open() -> None:
    text = 'x = """\ndef k(r):\n    return r  # pallas: ignore\n\ns = """text"""\n'
    assert hides(text, 2)
    assert hides("f(\ndef k(r):\n    return r  # pallas: ignore\n", 2)
    assert hides("x = 'open\n    return r  # pallas: ignore\n", 1)


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_every_kind_of_line_break(newline: str) -> None:
    text = newline.join(("a", "f(", "b", ")  # noqa", "c"))
    assert [hides(text, line) for line in range(5)] == [False, True, True, True, False]


def test_other_characters_do_not_end_a_line() -> None:
    assert hides("a \x0c\u2028 b  # noqa\n", 0)


def test_unused_comments() -> None:
    text = "a  # pallas: ignore[PAL001]\nb  # pallas: ignore[PAL002]\nc  # noqa\n# pallas: off\nd\n# pallas: on\ne\n"
    suppressions = Suppressions.of(text)
    unused = suppressions.unused([finding(0), finding(1)])
    assert [(entry.verb, entry.range) for entry, _ in unused] == [
        ("ignore", Range(Position(1, 3), Position(1, 27))),
        ("off", Range(Position(3, 0), Position(3, 13))),
    ]
    assert [(entry.verb, names) for entry, names in suppressions.unused([finding(0), finding(4)])] == [
        ("ignore", frozenset({"pal002"}))
    ]


_PIECES = ["#", "noqa", ":", "pallas:", " ", "ignore", "ignore-file", "off", "on", "[", "]", "PAL001", '"', "'", '"""']
_PIECES += ["'''", "\\", "\n", "\r", "(", ")", "{", "def ", "x", "\x00", "\ud800", "\U0001d518"]


@examples()
@given(st.lists(st.sampled_from(_PIECES), max_size=40).map("".join), st.integers(0, 9), st.integers(0, 3))
def test_no_text_is_too_broken(text: str, first: int, more: int) -> None:
    suppressions = Suppressions.of(text)
    suppressions.hides(finding(first, first + more))
    suppressions.unused([finding(first, first + more)])
    for directive in suppressions.directives:
        line = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")[directive.range.start.line]
        written = line[directive.range.start.character : directive.range.end.character]
        assert written.startswith("#")
        assert "noqa" in written or "pallas:" in written


@examples()
@given(st.text(alphabet="#noqa: palsige()[]\"'\\\n", max_size=80))
def test_random_text_never_raises(text: str) -> None:
    Suppressions.of(text).hides(finding(0))


SOURCES = sorted(Path(pallas_lsp.__file__).parent.rglob("*.py"))


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_comments_are_those_that_the_tokenizer_finds(path: Path) -> None:
    text = path.read_text(encoding="utf-8").replace("\n", "  # pallas: ignore\n")
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    comments = {token.start[0] - 1 for token in tokens if token.type == tokenize.COMMENT}
    assert {directive.range.start.line for directive in Suppressions.of(text).directives} == comments

"""Strings, comments and brackets are where Python's own tokenizer sees them."""

from __future__ import annotations

import io
import sysconfig
import tokenize
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pallas_lsp.syntax.lexer import Kind, lex, prefix_of, skeleton, string_end
from pallas_lsp.syntax.statements import split_statements
from pallas_lsp.text import decode
from tests.examples import examples
from tests.syntax.support import sources

MODULES = sorted(Path(sysconfig.get_path("stdlib")).glob("*.py"))


def tokenizer(text: str) -> list[tuple[Kind, int, int]] | None:
    """The brackets, strings and comments of a text with LF line breaks; None if it has no tokens."""
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    kinds = {**dict.fromkeys("([{", Kind.OPEN), **dict.fromkeys(")]}", Kind.CLOSE)}
    found: list[tuple[Kind, int, int]] = []
    nested = 0
    opened = 0
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            start, end = (starts[line - 1] + column for line, column in (token.start, token.end))
            name = tokenize.tok_name[token.type]
            if name == "ERRORTOKEN":
                return None
            if name in ("FSTRING_START", "TSTRING_START"):
                opened = opened if nested else end - (3 if token.string.endswith(('"""', "'''")) else 1)
                nested += 1
            elif name in ("FSTRING_END", "TSTRING_END"):
                nested -= 1
                if not nested:
                    found.append((Kind.STRING, opened, end))
            elif nested:
                continue
            elif name == "STRING":
                found.append((Kind.STRING, start + token.string.index(token.string[-1]), end))
            elif name == "COMMENT":
                found.append((Kind.COMMENT, start, end))
            elif name == "OP" and token.string in kinds:
                found.append((kinds[token.string], start, end))
    except (tokenize.TokenError, SyntaxError):
        return None
    return found


def lexed(text: str) -> list[tuple[Kind, int, int]]:
    return [piece for piece in lex(text) if piece[0] not in (Kind.NEWLINE, Kind.CONTINUATION)]


@examples(40)
@given(st.sampled_from(MODULES))
def test_the_standard_library(path: Path) -> None:
    text = decode(path.read_bytes()).text
    assert lexed(text) == tokenizer(text)


@examples(150)
@given(sources())
def test_any_module(text: str) -> None:
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    expected = tokenizer(text)
    assert expected is None or lexed(text) == expected


@examples(200)
@given(st.text(alphabet="'\"\\frbt{}:!()[]# \n\rx", max_size=40))
def test_pieces_of_any_text_are_in_order(text: str) -> None:
    done = 0
    for kind, start, end in lex(text):
        assert done <= start < end <= len(text)
        assert kind not in (Kind.OPEN, Kind.CLOSE) or end == start + 1
        done = end
    plain = skeleton(text)
    assert len(plain) == len(text)
    assert [at for at, character in enumerate(plain) if character in "\r\n"] == [
        at for at, character in enumerate(text) if character in "\r\n"
    ]
    statements = split_statements(text.replace("\r", "\n"))
    assert all(one.end <= other.start for one, other in pairwise(statements))


STRINGS = {
    "''": True,
    "'a'": True,
    "'a\\'b'": True,
    "'a\\\nb'": True,
    "'a\\\r\nb'": True,
    "'a\nb'": False,
    "'a": False,
    "'": False,
    "'''a\n'b'''": True,
    "'''a\\'''b'''": True,
    "'''a''": False,
    '"""a"b""c"""': True,
    '"a\'b"': True,
}


@pytest.mark.parametrize(("text", "closed"), STRINGS.items())
def test_where_a_string_ends(text: str, closed: bool) -> None:
    end, is_closed = string_end(text, 0)
    assert is_closed is closed
    assert end == (len(text) if closed or "\n" not in text else text.index("\n"))


FORMATTED = [
    "f'{a}'",
    "f'{{'",
    "f'}}'",
    "f'{a!r:>{b}}'",
    "f'{a['b']}'",
    "f'{f'{f'{a}'}'}'",
    "f'{a:{b:{c}}}'",
    "f'{\n  a\n}'",
    "f'{a # b}\n}'",
    "f'{lambda: 1}'",
    "f'{ {1: 2}[1] }'",
    "f'\\N{BULLET}{a}'",
    "f'\\{a}'",
    "rf'\\N{a}'",
    "f'''{\n'''a'''\n}'''",
    "t'{a['b']}'",
    "fR'{a}\\'{b}'",
]


@pytest.mark.parametrize("text", FORMATTED)
def test_where_a_formatted_string_ends(text: str) -> None:
    quote = text.index("'")
    assert string_end(text + " + 'rest'", quote) == (len(text), True)


@pytest.mark.parametrize(
    ("text", "prefix"),
    [("f'", "f"), ("Rb'", "rb"), ("x = u'", "u"), ("if'", ""), ("xf'", ""), ("_f'", ""), ("1 if'", ""), ("äf'", "")],
)
def test_prefixes(text: str, prefix: str) -> None:
    assert prefix_of(text, len(text) - 1) == prefix


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("a = 'b' # c\n", 'a = """    \n'),
        ("a = '''b\nc'''\n", 'a = """"\n""""\n'),
        ("a \\\n b\n", "a  \n b\n"),
        ("f('(')\r\n", 'f(""")\r\n'),
    ],
)
def test_the_skeleton_has_neither_strings_nor_comments(text: str, plain: str) -> None:
    assert skeleton(text) == plain

"""Comments that hide findings, in odd places: the real rules, one kernel that returns its result."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from pallas_lsp.check import check
from pallas_lsp.config import DEFAULT, Settings
from pallas_lsp.fixing import fix_all
from pallas_lsp.notebooks.checking import check_notebook
from pallas_lsp.suppressions import ignoring
from pallas_lsp.text import SourceText
from tests.oracle.harness import programs

HEAD = "import jax\nfrom jax.experimental import pallas as pl\n\n\n"
KERNEL = "def k(x_ref, o_ref):\n    return x_ref[...]"
TAIL = "\n\n\ndef run(x):\n    return pl.pallas_call(k, out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype))(x)\n"

HIDDEN = {
    "a block around the kernel": f"# pallas: off\n{KERNEL}\n# pallas: on",
    "a block in the kernel": "def k(x_ref, o_ref):\n    # pallas: off\n    return x_ref[...]\n    # pallas: on",
    "a block of one rule, ended for all": f"# pallas: off[PAL001]\n{KERNEL}\n# pallas: on",
    "a block that opens behind a statement": "z = 1  # pallas: off\n" + KERNEL,
    "the first line of brackets": "def k(x_ref, o_ref):\n    return (  # pallas: ignore\n        x_ref[...]\n    )",
    "the last line of brackets": "def k(x_ref, o_ref):\n    return (\n        x_ref[...]\n    )  # pallas: ignore",
    "behind a continued line": "def k(x_ref, o_ref):\n    return x_ref[...] \\\n        + 1  # pallas: ignore[PAL001]",
    "behind a string of several lines": 'def k(x_ref, o_ref):\n    return x_ref[...], """\n    """  # pallas: ignore',
    "behind another statement": "def k(x_ref, o_ref):\n    y = 1; return x_ref[...]  # pallas: ignore[PAL001]",
    "a function on one line": "def k(x_ref, o_ref): return x_ref[...]  # pallas: ignore[PAL001]",
    "a lambda": "k = lambda x_ref, o_ref: x_ref[...]  # pallas: ignore[PAL001]",
    "behind other comments": f"{KERNEL}  # type: ignore  # note  # pallas: ignore[PAL001]",
    "with form feeds": "\f\ndef k(x_ref, o_ref):\n\f    return x_ref[...]  # \f pallas: ignore\f",
    "behind a raw string that seems to end": f"B = r'\\'; C = '# pallas: off'\n{KERNEL}",
    "a file level comment at the end": f"{KERNEL}\n# pallas: ignore-file[returning-kernel]",
}

SHOWN = {
    "in a string": f"S = '# pallas: off'\n{KERNEL}",
    "in bytes": f"S = b'# pallas: ignore-file'\n{KERNEL}",
    "in an f-string": f"S = f'{{1!r}} # pallas: off {{2}}'\n{KERNEL}",
    "in a string in an f-string": f"S = f\"{{'# pallas: off'}}\"\n{KERNEL}",
    "in a string of several lines": f"S = '''\n# pallas: ignore-file\n'''\n{KERNEL}",
    "in the docstring": 'def k(x_ref, o_ref):\n    """Doc.\n\n    # pallas: off\n    """\n    return x_ref[...]',
    "switched on again": f"# pallas: off\n# pallas: on\n{KERNEL}",
    "switched on for this rule": f"# pallas: off\n# pallas: on[PAL001]\n{KERNEL}",
    "switched off below": f"{KERNEL}\n# pallas: off",
    "on the line of the name": "def k(x_ref, o_ref):  # pallas: ignore\n    return x_ref[...]",
    "on a decorator": "@jax.named_call  # pallas: ignore\n" + KERNEL,
    "of another rule": f"{KERNEL}  # pallas: ignore[PAL002]",
    "in another case": f"{KERNEL}  # Pallas: ignore[PAL001]",
}


def found(body: str, newline: str) -> list[str]:
    text = (HEAD + body + TAIL).replace("\n", newline)
    return [finding.code for finding in check(text, DEFAULT).findings if finding.code != "PAL901"]


@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize("body", HIDDEN.values(), ids=HIDDEN)
def test_hidden(body: str, newline: str) -> None:
    assert found(body, newline) == []


@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize("body", SHOWN.values(), ids=SHOWN)
def test_shown(body: str, newline: str) -> None:
    assert found(body, newline) == ["PAL001"]


@pytest.mark.parametrize(
    ("cells", "places"),
    [
        (("# pallas: off", KERNEL, "# pallas: on", TAIL), []),
        (("# pallas: off", "# pallas: on", KERNEL, TAIL), [("PAL901", 1), ("PAL001", 3)]),
        (("# pallas: ignore-file", KERNEL, TAIL), []),
        (("%%time\n# pallas: off", KERNEL, TAIL), []),
        (("!ls # pallas: off", KERNEL, TAIL), [("PAL001", 2)]),
        (("%%bash\n# pallas: off", KERNEL, TAIL), [("PAL001", 2)]),
        ((f"{KERNEL}  # pallas: ignore", TAIL), []),
        (("S = '# pallas: ignore-file'", KERNEL, TAIL), [("PAL001", 2)]),
    ],
)
def test_in_the_cells_of_a_notebook(cells: tuple[str, ...], places: list[tuple[str, int]]) -> None:
    report = check_notebook((HEAD, *cells), DEFAULT, path="/nb.ipynb", project=None)
    assert [(finding.code, finding.cell) for finding in report.findings] == places


UNUSED = {
    "z = 1  # pallas: ignore": "z = 1",
    "z = 1  # note  # pallas: ignore[PAL001]": "z = 1  # note",
    "z = (  # pallas: ignore\n    1\n)": "z = (\n    1\n)",
    f"{KERNEL}  # pallas: ignore[PAL001, PAL002]": f"{KERNEL}  # pallas: ignore[PAL001]",
    "S = '# pallas: off'  # pallas: ignore": "S = '# pallas: off'",
    "\fz = 1  # pallas: ignore": "\fz = 1",
}


@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize(("before", "after"), UNUSED.items())
def test_what_hides_nothing_is_taken_away(before: str, after: str, newline: str) -> None:
    settings = Settings(select=("PAL901",))
    text, wanted = (f"{HEAD}{each}{TAIL}".replace("\n", newline) for each in (before, after))
    assert [finding.code for finding in check(text, settings).findings] == ["PAL901"]
    assert fix_all(text, settings, path="", project=None, unsafe=False).text == wanted


CASES = [case.path for case in programs("cases")]


@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize("part", range(8))
def test_every_finding_of_the_programs_can_be_hidden_by_a_comment(part: int, newline: str) -> None:
    """Comments change no program: the syntax tree stays."""
    everything = Settings(select=("",))
    for path in CASES[part::8]:
        text = Path(path).read_text(encoding="utf-8").replace("\n", newline)
        hidden = text
        for finding in check(text, everything, path=str(path)).findings:
            edit = ignoring(SourceText(hidden), finding)
            assert edit is not None, f"{path}: {finding}"
            hidden = SourceText(hidden).replaced((edit,))
        assert check(hidden, everything, path=str(path)).findings == (), path
        assert tree(hidden) == tree(text), path


def tree(text: str) -> str:
    try:
        return ast.dump(ast.parse(text))
    except SyntaxError:
        return ""

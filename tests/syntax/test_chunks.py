"""Parsed in chunks is parsed as a whole: the trees and places are those of `ast.parse`."""

from __future__ import annotations

import ast
import sysconfig
import warnings
from pathlib import Path

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from pallas_lsp.findings import Position
from pallas_lsp.syntax.module import LARGE_CLASS
from pallas_lsp.text import decode
from tests.examples import examples
from tests.syntax.support import all_chunks, defined, dump, parsed, sources, whole_tree

STANDARD_LIBRARY = sorted(Path(sysconfig.get_path("stdlib")).rglob("*.py"))
STANDARD_LIBRARY = [path for path in STANDARD_LIBRARY if not {"site-packages", "test", "tests"} & {*path.parts}]
ROOT = Path(__file__).parents[2]
KERNELS = sorted((ROOT / "tests" / "oracle" / "cases").glob("*.py"))


def python_tree(text: str) -> ast.Module | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError):
            return None
    tree.type_ignores = []
    return tree


def assert_as_python(text: str) -> bool:
    """Whether Python parses the text; if so, the chunks give the same tree and have no problems."""
    module = parsed(text)
    assert "".join(chunk.text for chunk in module.chunks) == text
    tree = python_tree(text)
    if tree is None:
        return False
    assert module.problems() == []
    assert dump(whole_tree(module)) == dump(tree)
    return True


@examples(250)
@given(sources())
def test_any_module(text: str) -> None:
    event(f"parses: {assert_as_python(text)}")


@examples(25)
@given(st.sampled_from(STANDARD_LIBRARY))
def test_the_standard_library(path: Path) -> None:
    assert assert_as_python(decode(path.read_bytes()).text)


def test_real_kernels() -> None:
    assert all(assert_as_python(path.read_bytes().decode("utf-8")) for path in KERNELS[::10])


@pytest.mark.parametrize("path", [Path(ast.__file__), KERNELS[0]], ids=["ast", "kernel"])
@pytest.mark.parametrize("newline", ["\r\n", "\r"], ids=["CRLF", "CR"])
def test_other_line_breaks(path: Path, newline: str) -> None:
    assert assert_as_python(path.read_text("utf-8").replace("\n", newline))


CHUNKS = {
    "nothing": ("", []),
    "one statement": ("x = 1\n", ["x = 1\n"]),
    "no line break at the end": ("x = 1\ny = 2", ["x = 1\n", "y = 2"]),
    "statements on one line": ("x = 1; y = 2\n", ["x = 1; y = 2\n"]),
    "blank lines and comments go with what is before": ("x = 1\n\n# c\ny = 2\n", ["x = 1\n\n# c\n", "y = 2\n"]),
    "comments at the start": ("# c\n\nx = 1\ny = 2\n", ["# c\n\n", "x = 1\n", "y = 2\n"]),
    "brackets": ("x = (\n1,\n2)\ny = 2\n", ["x = (\n1,\n2)\n", "y = 2\n"]),
    "a string": ("x = '''\ny = 1\n'''\nz = 2\n", ["x = '''\ny = 1\n'''\n", "z = 2\n"]),
    "a continued line": ("x = \\\n1\ny = 2\n", ["x = \\\n1\n", "y = 2\n"]),
    "clauses": ("if x:\n  y\nelif z:\n  y\nelse:\n  w\nv\n", ["if x:\n  y\nelif z:\n  y\nelse:\n  w\n", "v\n"]),
    "decorators": ("@a\n@b\ndef f(): pass\n@c\nclass D: pass\n", ["@a\n@b\ndef f(): pass\n", "@c\nclass D: pass\n"]),
    "a line break between decorators": ("@a\n\n# c\n@b\ndef f(): pass\n", ["@a\n\n# c\n@b\ndef f(): pass\n"]),
    "form feed": ("x = 1\n\f\ny = 2\n", ["x = 1\n\f\n", "y = 2\n"]),
    "a line separator is no line break": ("x = '\u2028y'\nz\n", ["x = '\u2028y'\n", "z\n"]),
}


@pytest.mark.parametrize(("text", "chunks"), CHUNKS.values(), ids=CHUNKS)
def test_where_chunks_end(text: str, chunks: list[str]) -> None:
    module = parsed(text)
    assert [chunk.text for chunk in module.chunks] == chunks
    assert assert_as_python(text)


METHODS = "".join(f"    @d\n    def m{number}(self):\n        return {number}\n\n" for number in range(40))
NESTED = "".join(f"        def n{number}(self):\n            return '🐍'\n" for number in range(60))


def test_a_small_class_is_one_chunk() -> None:
    (chunk,) = parsed("class C:\n" + "    x = 1\n" * (LARGE_CLASS - 1)).chunks
    assert chunk.members == ()


def test_the_members_of_a_large_class_are_chunks() -> None:
    text = f"@a\nclass C(\n    B,\n):\n    # about\n    '''doc'''\n{METHODS}    x = 1\ny = 2\n"
    module = parsed(text)
    first, second = module.chunks
    assert second.text == "y = 2\n"
    assert [member.text.split("\n")[0].strip() for member in first.members] == ["'''doc'''", *["@d"] * 40, "x = 1"]
    assert [ast.unparse(statement) for statement in first.statements] == ["@a\nclass C(B):\n    pass"]
    assert [module.line_of(member) for member in first.members[:3]] == [5, 6, 10]
    assert assert_as_python(text)


def test_large_classes_in_large_classes() -> None:
    text = f"class C:\n    x = 1\n    class D:\n{NESTED}{METHODS}y = 2\n"
    module = parsed(text)
    _, inner, *methods = module.chunks[0].members
    assert len(inner.members) == 60
    assert len(methods) == 40
    assert assert_as_python(text)


@pytest.mark.parametrize(
    "body",
    [
        METHODS.replace("    ", "\t"),
        METHODS.replace("    ", " "),
        METHODS + "# to the left\n" + METHODS,
        METHODS + "    s = '''\nto the left\n'''\n" + METHODS,
        METHODS + "    if x:\n        def m(self): pass\n    else:\n        y = 1\n" + METHODS,
        "\f" + METHODS + "\n\f\n" + METHODS,
        METHODS + "    x = (\n1\n)\n" + METHODS,
        METHODS.rstrip(),
        METHODS + "    # trailing comment\n  # and another\n\n",
        METHODS.replace("return", "'ä'; return"),
    ],
)
@pytest.mark.parametrize("after", ["", "\nz = 3\n", "if x: pass\n"])
def test_bodies_of_large_classes(body: str, after: str) -> None:
    assert assert_as_python(f"class C:\n{body}\n{after}")


def test_the_place_of_a_node_counts_code_points() -> None:
    text = "x = 1\n'🐍ä'; y = 'ß' + z\n"
    module = parsed(text)
    chunk = module.chunks[1]
    statement = chunk.statements[1]
    assert module.source.slice(module.range_of(chunk, statement)) == "y = 'ß' + z"
    assert module.range_of(chunk, statement).start == Position(1, 6)


@pytest.mark.parametrize("text", ["x = 1; y = 2\nz = 3\n", "'ä'; y\n", "x = (1,\n2); y\n", "# c\nx\n", "class C: x\n"])
def test_a_byte_order_mark_moves_the_first_line_only(text: str) -> None:
    module, plain = parsed("\ufeff" + text), parsed(text)
    assert module.problems() == []
    for chunk, other in zip(all_chunks(module), all_chunks(plain), strict=True):
        for node, twin in zip(_placed(chunk.statements), _placed(other.statements), strict=True):
            place = module.range_of(chunk, node)
            assert module.source.slice(place) == plain.source.slice(plain.range_of(other, twin))
            assert place.start.character == plain.range_of(other, twin).start.character + (place.start.line == 0)


def _placed(statements: tuple[ast.stmt, ...]) -> list[ast.AST]:
    return [node for statement in statements for node in ast.walk(statement) if hasattr(node, "lineno")]


def test_names_are_in_normal_form_as_in_python() -> None:
    assert defined(parsed("def \ufb01(): pass\ndef e\u0301(): pass\ndef \U0001d424(): pass\n")) == ["fi", "\u00e9", "k"]


def test_warnings_of_the_parser_are_not_shown(recwarn: pytest.WarningsRecorder) -> None:
    parsed("x = '\\d'\nassert (1, 2)\ny = 1 is 1\nz = 0or 1\n")
    assert recwarn.list == []


def test_a_chunk_of_another_version_has_no_line() -> None:
    before, after = parsed("x = 1\n"), parsed("x = 2\n")
    with pytest.raises(KeyError):
        after.line_of(before.chunks[0])

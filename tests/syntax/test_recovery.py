"""What survives in text that does not parse."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pallas_lsp.check import check
from pallas_lsp.syntax import ParsedModule, statements
from pallas_lsp.syntax import module as modules
from pallas_lsp.syntax.lexer import Kind, lex
from pallas_lsp.syntax.parse import MAX_DEPTH, walk
from tests.examples import examples
from tests.syntax.support import all_chunks, content, defined, parsed, whole_tree

ROOT = Path(__file__).parents[2]
KERNELS = [
    ROOT / "examples" / "returning_kernels.py",
    *(ROOT / "tests" / "oracle" / "more" / "cases").glob("512_*.py"),
    *(ROOT / "tests" / "oracle" / "more" / "cases").glob("650_*.py"),
    *(ROOT / "tests" / "oracle" / "more" / "cases").glob("695_*.py"),
]


def code(module: ParsedModule) -> str:
    return ast.unparse(ast.fix_missing_locations(whole_tree(module)))


# What is typed, and what is read. `__unparsed__` stands for what is not.
MENDED = {
    "an argument that is being typed": ("x = f(a, b.)\n", "x = f(a, *__unparsed__, **__unparsed__)"),
    "an open call": ("x = f(a,\ny = 2\n", "x = f(a, *__unparsed__, **__unparsed__)\ny = 2"),
    "an open call before a def": (
        "f(a\ndef g():\n    pass\n",
        "f(a, *__unparsed__, **__unparsed__)\n\ndef g():\n    pass",
    ),
    "an open list": ("x = [1, 2\ny = 2\n", "x = [1, 2, *__unparsed__]\ny = 2"),
    "an open dict": ("x = {'a': 1,\ny = 2\n", "x = {'a': 1, **__unparsed__}\ny = 2"),
    "an open string": ("x = 'a\ny = 2\n", "x = 'a'\ny = 2"),
    "an open string in a call": ("f('a\ny = 2\n", "f('a', *__unparsed__, **__unparsed__)\ny = 2"),
    "a value that is missing": ("x =\ny = 2\n", "x = __unparsed__\ny = 2"),
    "a return that is being typed": ("def f():\n    return a +\n", "def f():\n    return __unparsed__"),
    "a statement that makes no sense": ("x = 1\n) 2 (\ny = 2\n", "x = 1\npass\ny = 2"),
    "a colon that is missing": ("def f()\n    return 1\n", "def f():\n    return 1"),
    "a colon that is missing after if": ("if x\n    y = 1\n", "if x:\n    y = 1"),
    "a body that is missing": ("def f():\n\nx = 1\n", "def f():\n    pass\nx = 1"),
    "a body that is missing at the end": ("class C:\n    def f(self):", "class C:\n\n    def f(self):\n        pass"),
    "parameters that are being typed": ("def f(a, b\n    return a\n", "def f(a, b, *__unparsed__):\n    return a"),
    "a condition that is being typed": ("if x.:\n    y = 1\n", "if __unparsed__:\n    y = 1"),
    "a loop that is being typed": ("for i in :\n    y = 1\n", "for __unparsed__ in __unparsed__:\n    y = 1"),
    "a with that is being typed": ("with a as :\n    y = 1\n", "with __unparsed__:\n    y = 1"),
    "a try without handlers": ("try:\n    x = 1\ny = 2\n", "with __unparsed__:\n    x = 1\ny = 2"),
    "a decorator that is being typed": ("@a.\ndef f():\n    pass\n", "@__unparsed__\ndef f():\n    pass"),
    "an import that is being typed": ("from a import\nimport b\n", "pass\nimport b"),
    "a NUL": ("x = 1\ny = \0 2\n", "x = 1\ny = 2"),
    "a lone surrogate in a string": ("x = '\ud800'\ny = 2\n", "x = '\ufffd'\ny = 2"),
    "an undecodable byte in a comment": ("x = 1  # \udcff\ny = 2\n", "x = 1\ny = 2"),
    "a block that is indented too far": ("x = 1\n    y = 2\nz = 3\n", "x = 1\nz = 3"),
    "a bracket too many": ("x = f(1))\ny = 2\n", "x = __unparsed__\ny = 2"),
    "brackets that do not match": ("x = f(1]\ny = 2\n", "x = __unparsed__\ny = 2"),
    "an else without an if": ("else:\n    x = 1\ny = 2\n", "pass\ny = 2"),
    "two mistakes": (
        "x = f(\ny = 1\nz = [\nw = 2\n",
        "x = f(*__unparsed__, **__unparsed__)\ny = 1\nz = [*__unparsed__]\nw = 2",
    ),
    "Python 2": ("print 'a'\nx = 1\n", "pass\nx = 1"),
    "a magic of IPython": ("%matplotlib inline\nx = 1\n", "pass\nx = 1"),
    "a conflict": (
        "<<<<<<< ours\nx = 1\n=======\nx = 2\n>>>>>>> theirs\ny = 3\n",
        "pass\nx = 1\npass\nx = 2\npass\ny = 3",
    ),
}


@pytest.mark.parametrize(("text", "read"), MENDED.values(), ids=MENDED)
def test_what_survives(text: str, read: str) -> None:
    module = parsed(text)
    assert code(module) == read
    assert module.problems()


@pytest.mark.parametrize("text", [text for text, _ in MENDED.values()], ids=MENDED)
@pytest.mark.parametrize("indent", ["    ", "\t"], ids=["spaces", "tab"])
def test_what_survives_in_a_method_of_a_large_class(text: str, indent: str) -> None:
    methods = [f"def m{number}(self):\n{indent}return {number}\n" for number in range(60)]
    broken = f"def broken(self):\n{indent}" + text.replace("\n", f"\n{indent}").rstrip("\t ") + "\n"
    body = "".join((*methods[:30], broken, *methods[30:]))
    lines = "".join(f"{indent}{line}\n" if line else "\n" for line in body.split("\n"))
    module = parsed(f"class C:\n{lines}after = 1\n")
    names = defined(module)
    assert [name for name in names if name[0] == "m"] == [f"m{number}" for number in range(60)]
    assert code(module).endswith("after = 1")


def test_places_in_mended_code_are_those_of_the_text() -> None:
    text = "x = f('ä', y., zz)\ndef g(a\n    return [bb, cc\n"
    module = parsed(text)
    names = {"f": "f", "zz": "zz", "bb": "bb"}
    found = {
        node.id: module.source.slice(module.range_of(chunk, node))
        for chunk in module.chunks
        for statement in chunk.statements
        for node in walk(statement)
        if isinstance(node, ast.Name) and node.id in names
    }
    assert found.items() <= names.items()
    assert "f" in found


HEADERS = {
    "a base that is being typed": "class C(Base.",
    "an open bracket": "class C(",
    "an open string": "class C(m='",
    "a metaclass that is being typed": "class C(Base, metaclass=):",
    "no colon": "class C(Base)",
    "decorated, no colon": "@d\nclass C(Base)",
    "a decorator that is being typed": "@d(\nclass C:",
}


@pytest.mark.parametrize("header", HEADERS.values(), ids=HEADERS)
def test_a_large_class_keeps_its_members_while_its_header_is_typed(header: str) -> None:
    methods = "".join(f"    def m{number}(self):\n        return {number}\n" for number in range(60))
    module = parsed(f"x = 1\n{header}\n{methods}\ndef after(): pass\n")
    assert defined(module)[-61:] == [*(f"m{number}" for number in range(60)), "after"]


VALID_CLASSES = {
    "a form feed before the first member": "class C:\n\f    x = 1\n",
    "a form feed, and text to the left": "class C:\n\f    x = '''\nleft'''\n",
    "the body is on the line of the header": "class C: x = {\n    a: 1,\n",
}


@pytest.mark.parametrize("start", VALID_CLASSES.values(), ids=VALID_CLASSES)
def test_a_large_class_that_is_laid_out_oddly(start: str) -> None:
    text = start + ("    x: 1,\n" * 110 + "}\n" if start.endswith(",\n") else "    x = 1\n" * 110)
    ast.parse(text)
    assert parsed(text).problems() == []


# -- findings --------------------------------------------------------------------------------------------------------

KERNEL = """\
def {0}(x_ref, o_ref):
    y = x_ref[...] * 2
    return jnp.where(y > 0, y, 0.0)


out_{0} = pl.pallas_call({0}, out_shape=OUT)(x)


"""
PRELUDE = """\
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
x = jnp.arange(8.0)
OUT = jax.ShapeDtypeStruct((8,), jnp.float32)


"""
MIDDLE = '''\
@jax.named_scope("middle")
def middle(x_ref, o_ref, *, scale: float = 2.0):
    """Doubles."""
    if x_ref.shape[0] > 4:
        for i in range(4):
            o_ref[i] = x_ref[i] * scale  # why not
    else:
        values = {"a": [1, 2], "b": (3, f"{scale!r:>{4}}")}
        o_ref[...] = jnp.full(
            o_ref.shape,
            values["a"][0],
        )


class Holder:
    def method(self, x):
        return x if x else \'text\'


'''


def found_in(text: str) -> list[str]:
    """The lines with findings of returned values."""
    lines = text.split("\n")
    return [lines[finding.range.start.line] for finding in check(text).findings if finding.code == "PAL001"]


def tokens(text: str) -> list[tuple[int, int]]:
    """Where the tokens of a text start and end."""
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    found = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        start, end = starts[token.start[0] - 1] + token.start[1], starts[token.end[0] - 1] + token.end[1]
        if start < end <= len(text):
            found.append((start, end))
    return found


DELETIONS = tokens(MIDDLE)
EXPECTED = ["    return jnp.where(y > 0, y, 0.0)"] * 2


def survives(middle: str) -> bool:
    """Whether the kernels before and after are found as ever."""
    return found_in(PRELUDE + KERNEL.format("first") + middle + KERNEL.format("last")) == EXPECTED


def test_the_kernels_are_reported() -> None:
    assert survives(MIDDLE)


@pytest.mark.parametrize("part", range(4))
def test_findings_beside_a_deleted_token_survive(part: int) -> None:
    lost = [MIDDLE[start:end] for start, end in DELETIONS[part::4] if not survives(MIDDLE[:start] + MIDDLE[end:])]
    assert lost == []


@pytest.mark.parametrize(
    "typed",
    [
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "'",
        '"',
        ":",
        ",",
        "=",
        ".",
        "def ",
        "class ",
        "@",
        "return (",
        "x = [1,",
        "f'{",
        "\\",
    ],
)
def test_findings_beside_a_typed_token_survive(typed: str) -> None:
    lines = MIDDLE.split("\n")
    for number in (1, 3, 5, 7, 11, 12, 15):
        changed = [*lines[:number], lines[number] + typed, *lines[number + 1 :]]
        assert survives("\n".join(changed)), changed


@pytest.mark.parametrize("typed", ['"""', "'''", "f'''{", '    x = """', "    '''a"])
def test_findings_before_an_open_triple_quote_survive(typed: str) -> None:
    text = PRELUDE + KERNEL.format("first") + typed + "\n" + KERNEL.format("last")
    assert EXPECTED[0] in found_in(text)


# -- every prefix, every deletion ------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", KERNELS, ids=lambda path: path.name)
def test_every_prefix_of_a_file_as_it_is_typed(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = path.read_text("utf-8")
    work = Work(monkeypatch)
    module = parsed("")
    for end in range(len(text) + 1):
        work.characters = 0
        module = parsed(text[:end], module)
        assert work.characters <= 60 * 2000 + 40 * end, text[:end]
        if end % 97 == 0:
            assert content(module) == content(parsed(text[:end]))
    assert module.problems() == []


@pytest.mark.parametrize("path", KERNELS, ids=lambda path: path.name)
def test_every_deletion_of_a_token(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = path.read_text("utf-8")
    work = Work(monkeypatch)
    whole = parsed(text)
    for index, (start, end) in enumerate(tokens(text)):
        work.characters = 0
        changed = text[:start] + text[end:]
        module = parsed(changed, whole)
        assert work.characters <= 60 * 2000 + 40 * len(text)
        assert "".join(chunk.text for chunk in module.chunks) == changed
        if index % 17 == 0:
            assert content(module) == content(parsed(changed))


class Work:
    """What a parse has cost: how many characters the host's parser was given, and how many pieces were lexed."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.characters = 0
        self.pieces = 0
        parse = ast.parse

        def counted(source: str, *arguments: str) -> ast.Module:
            self.characters += len(source)
            return parse(source, *arguments)

        def counting(text: str, start: int = 0) -> Iterator[tuple[Kind, int, int]]:
            for piece in lex(text, start):
                self.pieces += 1
                yield piece

        monkeypatch.setattr(ast, "parse", counted)
        for module in (statements, modules):
            monkeypatch.setattr(module, "lex", counting)


# -- hostile text ----------------------------------------------------------------------------------------------------

HOSTILE = {
    "a line of 1 MB": "x = '" + "a" * 2**20 + "'\n",
    "a broken line of 1 MB": "x = ('" + "a" * 2**20 + "'\n",
    "a list of half a MB on one line": "x = [" + "1," * 2**18 + "]\n",
    "10,000 nested brackets": "x = " + "(" * 10_000 + ")" * 10_000 + "\n",
    "10,000 nested brackets and one too many": "x = " + "(" * 10_000 + ")" * 10_001 + "\n",
    "10,000 open brackets": "x = " + "[" * 10_000 + "\n",
    "10,000 closing brackets": ")" * 10_000 + "\n",
    "a sum of 5,000 terms": "x = " + " + ".join(["y"] * 5_000) + "\n",
    "5,000 unary operators": "x = " + "-" * 5_000 + "1\n",
    "a chain of 5,000 calls": "x = f" + ".g()" * 5_000 + "\n",
    "5,000 nested lambdas": "x = " + "lambda: " * 5_000 + "1\n",
    "a chain of 3,000 elif": "if x: pass\n" + "elif y: pass\n" * 3_000,
    "100 nested blocks": "".join(" " * level + "if x:\n" for level in range(100)) + " " * 100 + "pass\n",
    "99 nested functions": "".join(" " * level + "def f():\n" for level in range(99)) + " " * 99 + "pass\n",
    "1,000 nested f-strings": "x = " + "f'{" * 1_000 + "1" + "}'" * 1_000 + "\n",
    "1,000 open quotes": "'\n" * 1_000,
    "1,000 open triple quotes": "'''\"\"\"\n" * 500 + "'''\n",
    "1,000 open brackets on lines of their own": "f([\n" * 500,
    "1,000 broken lines": "x = (\n" * 1_000,
    "1,000 broken functions": "def f(x:\n    return )\n" * 1_000,
    "10,000 NULs": "\0" * 10_000 + "\n",
    "1,000 lines with NULs": "x = \0\n" * 1_000,
    "1,000 lone surrogates": "x = '\ud800'\n" * 1_000,
    "10,000 undecodable bytes": "\udcff" * 10_000 + "\n",
    "10,000 backslashes": "\\\n" * 10_000,
    "10,000 decorators": "@d\n" * 10_000,
    "10,000 form feeds": "\f" * 10_000 + "\n",
    "10,000 carriage returns": "\r" * 10_000 + "\n",
    "100,000 blank lines": "\n" * 100_000,
    "tabs and spaces by turns": "".join(("\t" if level % 2 else "        ") + "x = 1\n" for level in range(500)),
    "ever less indentation": "if x:\n" + "".join(" " * (500 - level) + "y\n" for level in range(499)),
    "an integer of 10,000 digits": "x = " + "9" * 10_000 + "\n",
}


# What may well take all that follows with it.
SWALLOWING = {"1,000 open triple quotes", "10,000 backslashes", "10,000 decorators"}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_takes_bounded_work_and_no_neighbours(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    work = Work(monkeypatch)
    text = HOSTILE[name]
    module = parsed(f"def before(): pass\n{text}\ndef after(): pass\n")
    assert {"before", "after"} - defined_shallow(module) <= ({"after"} if name in SWALLOWING else set())
    assert work.characters <= 2_500_000 + 25 * len(text)
    assert work.pieces <= 1_000_000 + 10 * len(text)
    assert all(depth_of(statement) <= MAX_DEPTH for chunk in all_chunks(module) for statement in chunk.statements)


def test_a_file_of_50_000_lines() -> None:
    text = "".join(f"def f{number}(x):\n    return x\n\n\n\n" for number in range(10_000))
    module = parsed(text)
    assert module.problems() == []
    assert module.parsed == 10_000
    assert parsed(text.replace("f5000(x)", "f5000(y)"), module).parsed == 1


def defined_shallow(module: ParsedModule) -> set[str]:
    """The names of functions that are statements of a chunk, without a look inside."""
    return {
        statement.name
        for chunk in module.chunks
        for statement in chunk.statements
        if isinstance(statement, ast.FunctionDef)
    }


def depth_of(tree: ast.AST) -> int:
    """The depth of a tree, without recursion; contexts and operators do not count."""
    deepest = 0
    stack = [(tree, 1)]
    while stack:
        node, depth = stack.pop()
        deepest = max(deepest, depth)
        stack += [
            (child, depth + 1)
            for child in ast.iter_child_nodes(node)
            if not isinstance(child, (ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop))
        ]
    return deepest


@examples(150)
@given(st.text(max_size=60) | st.text(alphabet="()[]{}'\"\\\n #:=,.@fx\t\0", max_size=80))
def test_any_text(text: str) -> None:
    module = parsed(text)
    assert "".join(chunk.text for chunk in module.chunks) == text
    for place, problem in module.problems():
        assert problem.message
        assert place.start.line < module.source.line_count

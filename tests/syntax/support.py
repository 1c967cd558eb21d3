"""Parsed modules as plain data, and sources that are put together at random."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator

from hypothesis import strategies as st

from pallas_lsp.syntax import Chunk, ParsedModule, parse_module
from pallas_lsp.text import SourceText


def parsed(text: str, previous: ParsedModule | None = None) -> ParsedModule:
    return parse_module(SourceText(text), previous)


def all_chunks(module: ParsedModule) -> Iterator[Chunk]:
    """Every chunk, a class before its members."""
    stack = list(reversed(module.chunks))
    while stack:
        chunk = stack.pop()
        yield chunk
        stack += reversed(chunk.members)


def whole_tree(module: ParsedModule) -> ast.Module:
    """The chunks as one tree with the lines of the file."""
    return ast.Module([statement for chunk in module.chunks for statement in _moved(module, chunk)], [])


def _moved(module: ParsedModule, chunk: Chunk) -> list[ast.stmt]:
    statements = copy.deepcopy(list(chunk.statements))
    for statement in statements:
        ast.increment_lineno(statement, module.line_of(chunk))
    if chunk.members:
        (statement,) = statements
        assert isinstance(statement, ast.ClassDef)
        statement.body = [inner for member in chunk.members for inner in _moved(module, member)]
    return statements


def dump(tree: ast.AST) -> str:
    """A tree as text, with the place of each node."""
    return ast.dump(tree, include_attributes=True)


def content(module: ParsedModule) -> list[object]:
    """All that later layers see of a module."""
    return [
        (module.line_of(chunk), chunk.text, chunk.problems, len(chunk.members), *map(dump, chunk.statements))
        for chunk in all_chunks(module)
    ]


def defined(module: ParsedModule) -> list[str]:
    """The names of all functions and classes, in the order of the text."""
    tree = whole_tree(module)
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    found = sorted((node.lineno, node.name) for node in ast.walk(tree) if isinstance(node, kinds))
    return [name for _, name in found]


# -- sources at random -----------------------------------------------------------------------------------------------

SIMPLE = (
    "x = 1",
    "pass",
    "return",
    "x = (1,\n2)",
    "x = [\n\n# c\n1]",
    "f(a,\n    b=2)",
    "x = '''a\n  b\n'''",
    'x = """\ndef f(\n"""',
    "'''doc'''",
    "x = 'a\\\nb'",
    "x = 1 + \\\n  2",
    "x = 1; y = 2",
    "x = {'ä': '🐍'}; y = 3",
    "ü = ß",
    "x: int = 3",
    "import a.b as c",
    "from a import (b,\n  c)",
    "x = lambda: (yield)",
    "x = f'{a!r:>{b}} {{}}'",
    'x = rb"\\\\"',
    "x = f'''{\na}'''",
    "print(*a, **b)",
    "x = y if z else w",
    "del x[1:2, ...]",
    "assert x, 'why # not'",
    "global g",
    "x = [i for i in range(3) if i]",
    "x = a[b][c].d(e)",
    "raise E from e",
    "x = '#'  # '",
    "# only a comment",
    "",
    "  ",
    "\f",
    "    # an indented comment",
)
HEADERS = (
    "if x:",
    "if (x and\n    y):",
    "for i in x:",
    "while x:",
    "with a as b, c:",
    "with (a as b,\n  c as d):",
    "def f(x, *, y=1) -> int:",
    "def g(\n    x,\n    y,\n):",
    "async def h():",
    "@d\ndef k(x):",
    "@d(1,\n   2)\n@e\ndef k(x):",
    "@d\n\n# between\nclass C(B):",
    "class D:",
    "class E(A, m=\n  M):",
    "try:\n    pass\nexcept E:",
    "try:\n    pass\nexcept (E, F) as e:\n    pass\nelse:\n    pass\nfinally:",
    "if x:\n    pass\nelif y:\n    pass\nelse:",
    "for i in x:\n    pass\nelse:",
    "match x:\n  case [1, *_] if y:",
)
INDENTS = ("    ", "  ", "\t", " ")

Block = list["str | tuple[str, str, Block]"]

BLOCKS: st.SearchStrategy[Block] = st.recursive(
    st.lists(st.sampled_from(SIMPLE), min_size=1, max_size=4),
    lambda block: st.lists(
        st.sampled_from(SIMPLE) | st.tuples(st.sampled_from(HEADERS), st.sampled_from(INDENTS), block),
        min_size=1,
        max_size=5,
    ),
    max_leaves=12,
)


def lines_of(block: Block, indent: str = "") -> Iterator[str]:
    """The lines of a block; strings and brackets over several lines are moved with it."""
    for item in block:
        if isinstance(item, str):
            yield from (indent + line for line in item.split("\n"))
        else:
            header, deeper, body = item
            yield from (indent + line for line in header.split("\n"))
            yield from lines_of(body, indent + ("    " if header.count("\n    ") else "") + deeper)
            yield indent + deeper + "pass"


@st.composite
def sources(draw: st.DrawFn) -> str:
    """A module; most of them parse."""
    block = draw(BLOCKS)
    if draw(st.booleans()):
        large = [("def m(self):", "  ", draw(BLOCKS)) for _ in range(2)]
        block = [*block, ("class L(B):", "    ", [*large, *["x = 1"] * 100, *large])]
    lines = "\n".join(lines_of(block))
    return (lines + draw(st.sampled_from(["\n", "", "\n\n", "\n# end", "\n  "]))).replace(
        "\n", draw(st.sampled_from(["\n", "\n", "\r\n", "\r"]))
    )

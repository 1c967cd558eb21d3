"""Syntax that is newer than the Python that runs this is read all the same, and everything keeps its place."""

from __future__ import annotations

import ast
import sys

import pytest

from pallas_lsp.syntax.grammar import neutralise
from pallas_lsp.syntax.parse import walk
from tests.syntax.support import dump, parsed, whole_tree

# The first Python that has it, what is written, and the names that an older Python still sees.
NEWER = {
    "match (3.10)": ((3, 10), "match a:\n    case B(c=[d, *_]) if e:\n        f\n", "a B e f"),
    "except* (PEP 654)": ((3, 11), "try:\n    a\nexcept* B as c:\n    d\nexcept *E:\n    f\n", "a B d E f"),
    "a starred index (PEP 646)": ((3, 11), "a[*b, c]\n", "a b c"),
    "only a starred index": ((3, 11), "a[*b]\n", "a b"),
    "a starred annotation": ((3, 11), "def f(*a: *B): c\n", "B c"),
    "parameters of a function (PEP 695)": ((3, 12), "def f[T](a: T) -> T:\n    return b\n", "T b"),
    "bounds": ((3, 12), "def f[T: (int, str), *Ts, **P](a: b): c\n", "b c"),
    "parameters of a class": ((3, 12), "class A[T](B[T]):\n    c = d\n", "B T d"),
    "parameters over lines": ((3, 12), "def f[\n    T,\n    U: int,\n](a: b):\n    return ä\n", "b ä"),
    "parameters of a method": ((3, 12), "class A:\n    async def f[T](self): return b\n", "b"),
    "a type alias": ((3, 12), "type A = b\n", "A b"),
    "a generic type alias": ((3, 12), "type A[T] = list[b]\n", "A list b"),
    "a type alias without blanks": ((3, 12), "type A=b\n", "A b"),
    "a type alias over lines": ((3, 12), "type A[\n    T,\n] = b\nc\n", "A b c"),
    "the same quotes (PEP 701)": ((3, 12), "a = f'{b['c']}'; d\n", "a d"),
    "a backslash in a field": ((3, 12), "a = f'{'\\n'.join(b)}' + c\n", "a c"),
    "a comment in a field": ((3, 12), "a = f'''{\n    b  # why\n}'''; c\n", "a c"),
    "a field over lines": ((3, 12), "a = f'{\n    b\n}' + c\n", "a c"),
    "nested f-strings": ((3, 12), "a = f'{f'{f'{b}'}'}' + c\n", "a c"),
    "an f-string with wide characters": ((3, 12), "a = f'ä{b['🐍']}', ä\n", "a ä"),
    "defaults of parameters (PEP 696)": ((3, 13), "class A[T = int, *Ts = *tuple[int]](B): c\n", "B c"),
    "a t-string (PEP 750)": ((3, 14), "a = t'{b} {c!r:>3}'\n", "a b c"),
    "a raw t-string": ((3, 14), 'a = Rt"\\d{b}"; c\n', "a b c"),
    "except without parentheses (PEP 758)": ((3, 14), "try:\n    a\nexcept B, C:\n    d\n", "a B d"),
    "except* without parentheses": ((3, 14), "try:\n    a\nexcept* B, C:\n    d\n", "a B d"),
    "except over calls": ((3, 14), "try:\n    a\nexcept b(1, 2), C[3, 4]: d\n", "a b d"),
    "a lazy import (PEP 810)": ((3, 15), "lazy import a\nlazy from b import (c,\n d)\ne\n", "e"),
}


def names(tree: ast.Module, text: str) -> dict[str, str]:
    """The names of a tree, and what stands in the text at each one's place."""
    lines = [line.encode() for line in text.split("\n")]
    return {
        node.id: lines[node.lineno - 1][node.col_offset : node.end_col_offset].decode()
        for node in walk(tree)
        if isinstance(node, ast.Name)
    }


@pytest.mark.parametrize(("since", "text", "seen"), NEWER.values(), ids=NEWER)
@pytest.mark.parametrize("before", ["", "x = 1\n\n", "if x:\n"], ids=["first", "later", "indented"])
def test_newer_syntax_is_read_on_every_python(since: tuple[int, int], text: str, seen: str, before: str) -> None:
    text = before + ("".join(f"    {line}\n" for line in text.splitlines()) if before.endswith(":\n") else text)
    module = parsed(text)
    found = names(whole_tree(module), text)
    assert module.problems() == []
    assert all(name == written for name, written in found.items())
    assert {*seen.split()} <= found.keys()


@pytest.mark.parametrize(("since", "text", "seen"), NEWER.values(), ids=NEWER)
def test_the_oldest_python_reads_what_is_left(since: tuple[int, int], text: str, seen: str) -> None:
    neutral = neutralise(text, (3, 10))
    assert [len(line.encode()) for line in neutral.text.split("\n")] == [
        len(line.encode()) for line in text.split("\n")
    ]
    assert {*seen.split()} <= names(ast.parse(neutral.text), text).keys()
    # Whether an f-string needs help is asked of the parser at hand.
    host_reads_it = "f'" in text and sys.version_info >= (3, 12)
    assert (neutral.text == text) == (since == (3, 10) or host_reads_it)


@pytest.mark.parametrize(("since", "text", "seen"), NEWER.values(), ids=NEWER)
def test_a_python_that_has_it_needs_no_help(since: tuple[int, int], text: str, seen: str) -> None:
    assert neutralise(text, (3, 15)).text == text
    if sys.version_info >= since:
        assert dump(whole_tree(parsed(text))) == dump(ast.Module(ast.parse(text).body, []))


def test_a_starred_index_keeps_its_star() -> None:
    neutral = neutralise("a[*b, c]\n", (3, 10))
    assert neutral.text == "a[ b, c]\n"
    assert ast.unparse(whole_tree(parsed("a[*b, c]\n"))) in ("a[*b, c]", "a[(*b, c)]")


ORDINARY = {
    "type as a name": "type = 1\ntype.x = 2\ntype[0] = 3\nprint(type)\ntype(x)\n",
    "match and case as names": "match = 1\ncase = match\nmatch.case(case)\nmatch, case = case, match\n",
    "lazy as a name": "lazy = 1\nlazy.x = 2\n",
    "in strings": "x = '''\ntype X = int\nexcept A, B:\nlazy import a\ndef f[T](): pass\n'''\n",
    "in comments": "x = 1  # except A, B: and t'{x}'\n",
    "multiplication": "x = [a * b, c ** d, *e]\nf(*a, **b)\nx[a*b]\n",
    "strings with prefixes": "x = b'', rb'', u'', Rb\"\", f'', rf'', bt\n",
    "one-letter names before a quote": "x = at if t else f\n",
    "except with parentheses": "try: pass\nexcept (A, B): pass\n",
}


@pytest.mark.parametrize("text", ORDINARY.values(), ids=ORDINARY)
def test_what_is_not_newer_stays(text: str) -> None:
    assert neutralise(text, (3, 10)).text == text
    ast.parse(text)


def test_newer_syntax_in_a_kernel_of_a_large_class() -> None:
    methods = "".join(f"    def m{number}[T](self: T):\n        return {number}\n" for number in range(60))
    module = parsed(f"class C[T](Base, B[*Ts]):\n{methods}")
    (chunk,) = module.chunks
    (statement,) = chunk.statements
    assert module.problems() == []
    assert len(chunk.members) == 60
    assert isinstance(statement, ast.ClassDef)
    assert [ast.unparse(base) for base in statement.bases] == ["Base", ast.unparse(ast.parse("B[(*Ts,)]").body[0])]

"""A parameter that becomes a Ref is read with `[...]`."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pallas_lsp.rewrite import read_refs
from tests.examples import examples
from tests.rewrite.support import applied, function_in, reason

ATTRIBUTES = frozenset({"shape", "dtype", "at"})

READS = {
    "arithmetic": ("return x + y * x", "return x[...] + y * x[...]"),
    "argument": ("return g(x, k=x, *x)", "return g(x[...], k=x[...], *x[...])"),
    "method": ("return x.sum()", "return x[...].sum()"),
    "attribute of a Ref": ("return x.shape + x.at[0] + x.T", "return x.shape + x.at[0] + x[...].T"),
    "index": ("return x[0] + x[x] + y[x]", "return x[0] + x[x[...]] + y[x[...]]"),
    "parentheses": ("return (x)[0] + (x).T", "return (x)[0] + (x[...]).T"),
    "store": ("x[0] = x", "x[0] = x[...]"),
    "in place": ("x[...] += x", "x[...] += x[...]"),
    "assignment": ("z = w = x", "z = w = x[...]"),
    "text before": ("return 'é😀' and ö(x)", "return 'é😀' and ö(x[...])"),
    "closure": ("return loop(lambda i, c: c + x)", "return loop(lambda i, c: c + x[...])"),
    "shadowed by a parameter": ("return loop(lambda x: x, x)", "return loop(lambda x: x, x[...])"),
    "default": ("return lambda x=x: x", "return lambda x=x[...]: x"),
    "nested function": ("def g(a=x):\n    return a + x", "def g(a=x[...]):\n    return a + x[...]"),
    "shadowed in a nested function": ("def g():\n    x = 1\n    return x", "def g():\n    x = 1\n    return x"),
    "shadowed by a walrus": ("g = lambda: (x := 1) + x", "g = lambda: (x := 1) + x"),
    "global in a nested function": ("def g():\n    global x\n    return x", "def g():\n    global x\n    return x"),
    "parameter of a default": ("g = lambda a=lambda x: x: x", "g = lambda a=lambda x: x: x[...]"),
    "doubly nested": ("g = lambda: lambda x: lambda: x", "g = lambda: lambda x: lambda: x"),
    "comprehension": ("return [x + i for i in x if x]", "return [x[...] + i for i in x[...] if x[...]]"),
    "shadowed by a comprehension": ("return {x: 1 for x in x}", "return {x: 1 for x in x[...]}"),
    "pattern": ("match x:\n    case 1: pass", "match x[...]:\n    case 1: pass"),
    "text": ("return f'{x.shape} {y}'", "return f'{x.shape} {y}'"),
    "another": ("return y", "return y"),
}


@pytest.mark.parametrize(("before", "after"), READS.values(), ids=READS)
def test_reads(before: str, after: str) -> None:
    text = f"def f(x, y):\n  {before}\n"
    assert applied(text, read_refs(function_in(text), ["x"], attributes=ATTRIBUTES)) == f"def f(x, y):\n  {after}\n"


def test_several_names_and_a_lambda() -> None:
    text = "k = lambda x, y=x: x + y + z\n"
    assert applied(text, read_refs(function_in(text), ["x", "y"])) == "k = lambda x, y=x: x[...] + y[...] + z\n"


def test_reads_once() -> None:
    text = "def f(x, y):\n  return x * g(x.T, y)\n"
    once = applied(text, read_refs(function_in(text), ["x", "y"], attributes=ATTRIBUTES))
    assert read_refs(function_in(once), ["x", "y"], attributes=ATTRIBUTES) == ()


REFUSALS = {
    "assigned": ("x = x + 1", "`x` is bound again in this function."),
    "assigned in place": ("x += 1", "`x` is bound again in this function."),
    "loop": ("for x in y: pass", "`x` is bound again in this function."),
    "deleted": ("del x", "`x` is bound again in this function."),
    "imported": ("import x.y", "`x` is bound again in this function."),
    "defined": ("def x(): pass", "`x` is bound again in this function."),
    "captured": ("match y:\n    case [x, *_]: pass", "`x` is bound again in this function."),
    "handler": ("try: pass\n  except E as x: pass", "`x` is bound again in this function."),
    "walrus in a comprehension": ("[(x := i) for i in y]", "`x` is bound again in this function."),
    "nonlocal": ("def g():\n    nonlocal x\n    x = 1", "`x` is bound again in this function."),
    "f-string": ("return f'{x}'", "`x` is used in an f-string."),
    "pattern": ("match y:\n    case x.T: pass", "`x` is used in a pattern."),
    "class": ("class C:\n    y = x", "`x` is used in a class definition."),
    "generator": ("yield x", "A generator function returns an iterator."),
}


@pytest.mark.parametrize(("body", "expected"), REFUSALS.values(), ids=REFUSALS)
def test_refusals(body: str, expected: str) -> None:
    assert reason(read_refs(function_in(f"def f(x, y):\n  {body}\n"), ["x"], attributes=ATTRIBUTES)) == expected


class Number(int):
    """A value with an attribute that a Ref has as well."""

    shape = 7


class Ref:
    """Has its value behind `[...]` only."""

    shape = 7

    def __init__(self, value: int) -> None:
        self.value = value

    def __getitem__(self, index: object) -> int:
        assert index is ...
        return self.value


def expression(choose: random.Random, depth: int, shadowed: str = "") -> str:
    """A random expression of `x` and `y`; a name in `shadowed` means a plain number."""
    names = [name if name in shadowed else choose.choice([name, f"{name}.shape", f"({name})"]) for name in "xy"]
    if depth == 0:
        return choose.choice([*names, "2", "é"])

    def inner(also: str = "") -> str:
        return expression(choose, depth - 1, shadowed + also)

    forms: list[Callable[[], str]] = [
        lambda: f"({inner()} + {inner()})",
        lambda: f"max({inner()}, *[{inner()}], {inner()})",
        lambda: f"({inner()} if {inner()} > {inner()} else {inner()})",
        lambda: f"sum([{inner()} + i for i in ({inner()}, 1) if {inner()}])",
        lambda: f"sum({inner('x')} for x in [{inner()}, {inner()}] if {inner('x')})",
        lambda: f"sum({inner('xy')} for x in ({inner()},) for y in range(x, 3))",
        lambda: f"(lambda a: a + {inner()})({inner()})",
        lambda: f"(lambda x: {inner('x')})({inner()})",
        lambda: f"(lambda y={inner()}, *z: {inner('y')})()",
        lambda: f"('é😀', {inner()})[1]",
    ]
    return choose.choice(forms)()


def function(choose: random.Random) -> str:
    """A random function of `x` and `y`, with functions in it."""
    lines = ["def f(x, y):", "  é = 4"]
    for number in range(choose.randrange(3)):
        parameter = choose.choice(["x", "y", "z"])
        body = expression(choose, 2, parameter)
        lines += [f"  def g{number}({parameter}, é={expression(choose, 1)}):", f"    return {body}"]
        lines.append(f"  é += g{number}({expression(choose, 1)}) + (lambda: (x := 3) + {expression(choose, 1, 'x')})()")
    return "\n".join([*lines, f"  return {expression(choose, 3)}", ""])


def run(text: str, x: Any, y: Any) -> Any:
    namespace: dict[str, Any] = {}
    exec(text, namespace)
    return namespace["f"](x, y)


@examples(200)
@given(st.randoms(use_true_random=True).map(function))
def test_refs_give_what_values_gave(text: str) -> None:
    after = applied(text, read_refs(function_in(text), ["x", "y"], attributes=ATTRIBUTES))
    assert run(after, Ref(5), Ref(3)) == run(text, Number(5), Number(3))

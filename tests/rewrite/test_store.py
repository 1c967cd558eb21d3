"""`return E` becomes a store."""

from __future__ import annotations

import ast

import pytest

from pallas_lsp.findings import Edit, Position, Range
from pallas_lsp.rewrite import FunctionSource, Part, Target, TargetTree, store, store_element, store_parts
from pallas_lsp.text import SourceText
from tests.rewrite.support import applied, each_return, function_in, reason, returns_of

OUTPUT = Target("o[...]")

LAYOUTS = {
    "last statement": (
        "def f(x, o):\n    return x + 1\n",
        "def f(x, o):\n    o[...] = x + 1\n",
    ),
    "no line break at the end": (
        "def f(x, o):\n    return x",
        "def f(x, o):\n    o[...] = x",
    ),
    "guard clause": (
        "def f(x, o):\n    if x:\n        return 1\n    o[...] = 2\n",
        "def f(x, o):\n    if x:\n        o[...] = 1\n        return\n    o[...] = 2\n",
    ),
    "guard clause with a comment": (
        "def f(x, o):\n    if x:\n        return 1  # why\n\n    o[...] = 2\n",
        "def f(x, o):\n    if x:\n        o[...] = 1  # why\n        return\n\n    o[...] = 2\n",
    ),
    "branches at the end": (
        "def f(x, o):\n    if x:\n        return 1\n    elif o:\n        return 2\n    else:\n        return 3\n",
        "def f(x, o):\n    if x:\n        o[...] = 1\n    elif o:\n        o[...] = 2\n    else:\n        o[...] = 3\n",
    ),
    "with at the end": (
        "def f(x, o):\n    with x:\n        return 1\n",
        "def f(x, o):\n    with x:\n        o[...] = 1\n",
    ),
    "match at the end": (
        "def f(x, o):\n    match x:\n        case 1:\n            return 1\n        case _:\n            return 2\n",
        "def f(x, o):\n    match x:\n        case 1:\n            o[...] = 1\n"
        "        case _:\n            o[...] = 2\n",
    ),
    "loop": (
        "def f(x, o):\n    for i in x:\n        return i\n    else:\n        return 2\n",
        "def f(x, o):\n    for i in x:\n        o[...] = i\n        return\n    else:\n        o[...] = 2\n",
    ),
    "while": (
        "def f(x, o):\n    while x:\n        if x:\n            return 1\n",
        "def f(x, o):\n    while x:\n        if x:\n            o[...] = 1\n            return\n",
    ),
    "try with else": (
        "def f(x, o):\n    try:\n        return x()\n    except E:\n        return 1\n    else:\n        return 2\n",
        "def f(x, o):\n    try:\n        o[...] = x()\n        return\n    except E:\n        o[...] = 1\n"
        "    else:\n        o[...] = 2\n",
    ),
    "try without else": (
        "def f(x, o):\n    try:\n        return x()\n    except E:\n        return 1\n",
        "def f(x, o):\n    try:\n        o[...] = x()\n    except E:\n        o[...] = 1\n",
    ),
    "unreachable code after it": (
        "def f(x, o):\n    return x\n    x()\n",
        "def f(x, o):\n    o[...] = x\n    return\n    x()\n",
    ),
    "nested functions": (
        "def f(x, o):\n    def g():\n        return 1\n    class C:\n        def h(self):\n            return 2\n"
        "    return g()\n",
        "def f(x, o):\n    def g():\n        return 1\n    class C:\n        def h(self):\n            return 2\n"
        "    o[...] = g()\n",
    ),
    "tabs": (
        "def f(x, o):\n\tif x:\n\t\treturn\t1\n\tx()\n",
        "def f(x, o):\n\tif x:\n\t\to[...] = 1\n\t\treturn\n\tx()\n",
    ),
    "carriage returns": (
        "def f(x, o):\r\n  if x:\r\n    return 1\r\n  x()\r\n",
        "def f(x, o):\r\n  if x:\r\n    o[...] = 1\r\n    return\r\n  x()\r\n",
    ),
    "carriage returns alone": (
        "def f(x, o):\r  if x: return 1 # c\r  x()\r",
        "def f(x, o):\r  if x:\r    o[...] = 1 # c\r    return\r  x()\r",
    ),
    "form feed": (
        "def f(x, o):\n\f  if x:\n\f    return 1\n\f  x()\n",
        "def f(x, o):\n\f  if x:\n\f    o[...] = 1\n\f    return\n\f  x()\n",
    ),
    "function on one line": (
        "def f(x, o): return x  # c\n",
        "def f(x, o): o[...] = x  # c\n",
    ),
    "block on one line": (
        "def f(x, o):\n  if x: return 1  # c\n  x()\n",
        "def f(x, o):\n  if x:\n    o[...] = 1  # c\n    return\n  x()\n",
    ),
    "block on one line at the end": (
        "def f(x, o):\n  if x: return 1\n  else: return 2\n",
        "def f(x, o):\n  if x: o[...] = 1\n  else: o[...] = 2\n",
    ),
    "clauses on one line": (
        "def f(x, o):\n  if x: return 1\n  elif o: return 2\n  else :return 3\n  x()\n",
        "def f(x, o):\n  if x:\n    o[...] = 1\n    return\n  elif o:\n    o[...] = 2\n    return\n"
        "  else :\n    o[...] = 3\n    return\n  x()\n",
    ),
    "handlers on one line": (
        "def f(x, o):\n  try: return x()\n  except E: return 1\n  else: return 2\n  x()\n",
        "def f(x, o):\n  try:\n    o[...] = x()\n    return\n  except E:\n    o[...] = 1\n    return\n"
        "  else:\n    o[...] = 2\n    return\n  x()\n",
    ),
    "cases on one line": (
        "def f(x, o):\n  match x:\n    case [1, 2]: return (1,\n      2)\n    case _ if x: return 2\n  x()\n",
        "def f(x, o):\n  match x:\n    case [1, 2]:\n      o[...] = (1,\n      2)\n      return\n    case _ if x:\n"
        "      o[...] = 2\n      return\n  x()\n",
    ),
    "loop on one line whose header spans lines": (
        "def f(x, o):\n  for i in (1,\n    2): return i;\n",
        "def f(x, o):\n  for i in (1,\n    2):\n    o[...] = i;\n    return\n",
    ),
    "after a semicolon": (
        "def f(x, o):\n    y = 1; return y  # c\n",
        "def f(x, o):\n    y = 1; o[...] = y  # c\n",
    ),
    "after a semicolon, not at the end": (
        "def f(x, o):\n    if x: y = 1; return y  # c\n    x()\n",
        "def f(x, o):\n    if x: y = 1; o[...] = y; return  # c\n    x()\n",
    ),
    "before a semicolon": (
        "def f(x, o):\n    return x ; x()\n",
        "def f(x, o):\n    o[...] = x; return ; x()\n",
    ),
    "semicolon and nothing": (
        "def f(x, o):\n    if x:\n        return x;\n    x()\n",
        "def f(x, o):\n    if x:\n        o[...] = x;\n        return\n    x()\n",
    ),
    "two returns on a line": (
        "def f(x, o):\n    return 1; return 2\n",
        "def f(x, o):\n    o[...] = 1; return; o[...] = 2\n",
    ),
    "semicolon behind a string of lines": (
        'def f(x, o):\n    """a\n  b"""; return "é😀" and x\n',
        'def f(x, o):\n    """a\n  b"""; o[...] = "é😀" and x\n',
    ),
    "semicolon and a backslash": (
        "def f(x, o):\n    if x:\n        return 1; \\\n        x()\n    x()\n",
        "def f(x, o):\n    if x:\n        o[...] = 1; return; \\\n        x()\n    x()\n",
    ),
    "comment that ends in a backslash above": (
        "def f(x, o):\n    # c \\\n    return x\n",
        "def f(x, o):\n    # c \\\n    o[...] = x\n",
    ),
}


@pytest.mark.parametrize(("before", "after"), LAYOUTS.values(), ids=LAYOUTS)
def test_control_flow_and_layout_stay(before: str, after: str) -> None:
    assert applied(before, each_return(before, lambda f, node: store(f, node, OUTPUT))) == after


VALUES = {
    "parenthesised": ("(x + 1)", "o[...] = (x + 1)"),
    "no blank": ("(x)", "o[...] = (x)"),
    "lines": ("(\n    # c\n    x\n    + 1  # d\n)  # e", "o[...] = (\n    # c\n    x\n    + 1  # d\n)  # e"),
    "backslash": ("x + \\\n 1", "o[...] = x + \\\n 1"),
    "backslash first": ("\\\n x", "o[...] = x"),
    "tuple": ("x, 1", "o[...] = x, 1"),
    "starred": ("*x, 1", "o[...] = *x, 1"),
    "walrus": ("(y := x)", "o[...] = (y := x)"),
    "lambda": ("lambda: x", "o[...] = lambda: x"),
    "conditional": ("x if x else 1", "o[...] = x if x else 1"),
    "string": ("'a' \"b\"", "o[...] = 'a' \"b\""),
}


@pytest.mark.parametrize(("value", "statement"), VALUES.values(), ids=VALUES)
def test_value_stays_as_written(value: str, statement: str) -> None:
    before = f"def f(x, o):\n  return {value}\n"
    assert applied(before, each_return(before, lambda f, node: store(f, node, OUTPUT))) == (
        f"def f(x, o):\n  {statement}\n"
    )


def test_no_blank_after_the_keyword() -> None:
    for value in ("(x)", "[x]", "-x", '"s"', "...", "{1}"):
        before = f"def f(x, o):\n  return{value}\n"
        after = applied(before, each_return(before, lambda f, node: store(f, node, OUTPUT)))
        assert after == f"def f(x, o):\n  o[...] = {value}\n"


CAST = Target("o[...]", after=".astype(o.dtype)")
SPREAD = Target("o[...]", "jnp.broadcast_to(", ", o.shape)")
NEGATED = Target("o[...]", "-")

WRAPS = {
    "name": (CAST, "x", "x.astype(o.dtype)"),
    "call": (CAST, "g(x)", "g(x).astype(o.dtype)"),
    "call of lines": (CAST, "g(\n  x,\n  )", "g(\n  x,\n  ).astype(o.dtype)"),
    "subscript": (CAST, "x[...]", "x[...].astype(o.dtype)"),
    "attribute": (CAST, "x.T", "x.T.astype(o.dtype)"),
    "string": (CAST, "'s'", "'s'.astype(o.dtype)"),
    "number": (CAST, "1", "(1).astype(o.dtype)"),
    "sum": (CAST, "x + 1", "(x + 1).astype(o.dtype)"),
    "sum in parentheses": (CAST, "(x + 1)", "(x + 1).astype(o.dtype)"),
    "sum that starts and ends in parentheses": (CAST, "(x) + (1)", "((x) + (1)).astype(o.dtype)"),
    "negative": (CAST, "-x", "(-x).astype(o.dtype)"),
    "conditional": (CAST, "x if x else 1", "(x if x else 1).astype(o.dtype)"),
    "lambda": (CAST, "lambda: x", "(lambda: x).astype(o.dtype)"),
    "comparison": (CAST, "x == 1", "(x == 1).astype(o.dtype)"),
    "walrus": (CAST, "(y := x)", "(y := x).astype(o.dtype)"),
    "tuple": (CAST, "x, 1", "(x, 1).astype(o.dtype)"),
    "tuple in parentheses": (CAST, "(x, 1)", "(x, 1).astype(o.dtype)"),
    "tuple of parentheses": (CAST, "(x), (1)", "((x), (1)).astype(o.dtype)"),
    "empty tuple": (CAST, "()", "().astype(o.dtype)"),
    "backslash": (CAST, "x + \\\n  1", "(x + \\\n  1).astype(o.dtype)"),
    "lines in parentheses": (CAST, "(\n  x  # c\n  + 1\n  )", "(\n  x  # c\n  + 1\n  ).astype(o.dtype)"),
    "comment behind": (CAST, "x + 1  # c", "(x + 1).astype(o.dtype)  # c"),
    "argument": (SPREAD, "x + 1", "jnp.broadcast_to(x + 1, o.shape)"),
    "argument lambda": (SPREAD, "lambda: x", "jnp.broadcast_to(lambda: x, o.shape)"),
    "argument in parentheses": (SPREAD, "(x)", "jnp.broadcast_to((x), o.shape)"),
    "argument tuple": (SPREAD, "x, 1", "jnp.broadcast_to((x, 1), o.shape)"),
    "argument starred": (SPREAD, "*x, 1", "jnp.broadcast_to((*x, 1), o.shape)"),
    "argument generator": (SPREAD, "(i for i in x)", "jnp.broadcast_to((i for i in x), o.shape)"),
    "operator": (NEGATED, "x + 1", "-(x + 1)"),
    "operator on a name": (NEGATED, "x", "-x"),
}


@pytest.mark.parametrize(("target", "value", "expected"), WRAPS.values(), ids=WRAPS)
def test_parentheses_only_where_needed(target: Target, value: str, expected: str) -> None:
    before = f"def f(x, o):\n  return {value}\n"
    after = applied(before, each_return(before, lambda f, node: store(f, node, target)))
    assert after == f"def f(x, o):\n  o[...] = {expected}\n"


A, B, C = Target("a[...]"), Target("b[...]"), Target("c[...]")
A_CAST = Target("a[...]", after=".astype(a.dtype)")
B_SPREAD = Target("b[...]", "full(", ", b.shape)")

SEVERAL: dict[str, tuple[TargetTree, str, str]] = {
    "tuple": ((A, B), "x, 1", "a[...], b[...] = x, 1"),
    "tuple in parentheses": ((A, B), "(x, 1)", "a[...], b[...] = (x, 1)"),
    "list": ((A, B), "[x, 1]", "a[...], b[...] = [x, 1]"),
    "call": ((A, B), "g(x)", "a[...], b[...] = g(x)"),
    "one": ((A,), "(x,)", "(a[...],) = (x,)"),
    "nested": ((A, (B, C)), "x, (1, 2)", "a[...], (b[...], c[...]) = x, (1, 2)"),
    "nested one": (((A,), B), "[x], 1", "(a[...],), b[...] = [x], 1"),
    "starred": ((A, B), "*x, 1", "a[...], b[...] = *x, 1"),
    "one cast": ((A_CAST, B), "x + 1, x", "a[...], b[...] = (x + 1).astype(a.dtype), x"),
    "two wraps": ((A_CAST, B_SPREAD), "x, x", "a[...], b[...] = x.astype(a.dtype), full(x, b.shape)"),
    "own parentheses": ((A_CAST, A_CAST), "(x), (-x)", "a[...], a[...] = (x).astype(a.dtype), (-x).astype(a.dtype)"),
    "parentheses in parentheses": (
        (A_CAST, A_CAST),
        "((x), ((-x)))",
        "a[...], a[...] = ((x).astype(a.dtype), ((-x)).astype(a.dtype))",
    ),
    "last of a list": ((A, A_CAST), "[x, (1)]", "a[...], a[...] = [x, (1).astype(a.dtype)]"),
    "bare and trailing comma": ((A, A_CAST), "x, -x,", "a[...], a[...] = x, (-x).astype(a.dtype),"),
    "walrus element": ((A_CAST, B), "(y := x, 1)", "a[...], b[...] = ((y := x).astype(a.dtype), 1)"),
    "nested wraps": ((A, (B, A_CAST)), "x, [1, 2]", "a[...], (b[...], a[...]) = x, [1, (2).astype(a.dtype)]"),
    "lines": (
        (A_CAST, B),
        "(\n    x + 1,  # a (1)\n    x,  # b\n)",
        "a[...], b[...] = (\n    (x + 1).astype(a.dtype),  # a (1)\n    x,  # b\n)",
    ),
}


@pytest.mark.parametrize(("targets", "value", "statement"), SEVERAL.values(), ids=SEVERAL)
def test_several_targets(targets: TargetTree, value: str, statement: str) -> None:
    before = f"def f(x, a, b, c):\n  return {value}\n"
    after = applied(before, each_return(before, lambda f, node: store(f, node, targets)))
    assert after == f"def f(x, a, b, c):\n  {statement}\n"


ELEMENTS: dict[str, tuple[TargetTree, str, str]] = {
    "tuple": (A, "(x + 1,)", "a[...] = x + 1"),
    "bare": (A, "x + 1,", "a[...] = x + 1"),
    "bare and a blank": (A, "x ,", "a[...] = x"),
    "bare parentheses": (A, "(x),", "a[...] = (x)"),
    "list": (A, "[x]", "a[...] = x"),
    "list and trailing comma": (A, "[x, ]", "a[...] = x"),
    "own parentheses": (A, "((x),)", "a[...] = (x)"),
    "parentheses around": (A, "((x,))", "a[...] = (x)"),
    "walrus": (A, "(y := x,)", "a[...] = (y := x)"),
    "list of a walrus": (A, "[y := x]", "a[...] = (y := x)"),
    "cast": (A_CAST, "(x + 1,)", "a[...] = (x + 1).astype(a.dtype)"),
    "cast of a call": (A_CAST, "[g(x)]", "a[...] = g(x).astype(a.dtype)"),
    "lines": (A, "(\n    x  # c\n    + 1,  # d\n)", "a[...] = (\n    x  # c\n    + 1  # d\n)"),
    "lines of a list": (A, "[\n    x,  # c\n]", "a[...] = (\n    x  # c\n)"),
    "lines of a list and a cast": (A_CAST, "[\n    x,\n]", "a[...] = (\n    x.astype(a.dtype)\n)"),
    "call of lines": (A, "(g(\n    x\n),)", "a[...] = g(\n    x\n)"),
    "sum of lines": (A, "(x\n    + 1,)", "a[...] = (x\n    + 1)"),
    "element that is a tuple": ((A, B), "((x, 1),)", "a[...], b[...] = (x, 1)"),
}


@pytest.mark.parametrize(("target", "value", "statement"), ELEMENTS.values(), ids=ELEMENTS)
def test_single_element(target: TargetTree, value: str, statement: str) -> None:
    before = f"def f(x, a, b):\n  return {value}\n"
    after = applied(before, each_return(before, lambda f, node: store_element(f, node, target)))
    assert after == f"def f(x, a, b):\n  {statement}\n"


OUT_A, OUT_B = Target('out["a"][...]'), Target('out["b"][...]')
OUT_CAST = Target('out["a"][...]', after=".astype(t)")
ITEMS: dict[str, tuple[TargetTree, str, str]] = {
    "two": (
        {"a": OUT_A, "b": OUT_B},
        '{"a": x + 1, "b": x}',
        'out["a"][...], out["b"][...] = x + 1, x',
    ),
    "the order of the display": (
        {"a": OUT_A, "b": OUT_B},
        '{"b": x, "a": 1}',
        'out["b"][...], out["a"][...] = x, 1',
    ),
    "one": ({"a": OUT_A}, '{"a": x}', 'out["a"][...] = x'),
    "one with a comma": ({"a": OUT_A}, '{"a": x,}', 'out["a"][...] = x'),
    "blanks and parentheses": (
        {"a": OUT_CAST, "b": OUT_B},
        '{ ("a") : (x) , "b":((1)), }',
        'out["a"][...], out["b"][...] = (x).astype(t) , ((1))',
    ),
    "nested": (
        {"a": (OUT_A, A), "b": OUT_B},
        '{"a": (x, 1), "b": 2}',
        '(out["a"][...], a[...]), out["b"][...] = (x, 1), 2',
    ),
    "lines": (
        {"a": OUT_CAST, "b": OUT_B},
        '{\n    # first\n    "a": x + 1,  # a: {1}\n    "b": x,\n}',
        'out["a"][...], out["b"][...] = (\n    # first\n    (x + 1).astype(t),  # a: {1}\n    x,\n)',
    ),
    "a value on the next line": (
        {"a": OUT_A},
        '{\n    "a":  # c\n        x,\n}',
        'out["a"][...] = (\n    # c\n        x\n)',
    ),
    "call": (
        {"a": OUT_CAST, "b": OUT_B},
        "dict(a=x == 1, b=(x))",
        'out["a"][...], out["b"][...] = (x == 1).astype(t), (x)',
    ),
    "call of one": ({"a": OUT_A}, "dict ( a = x, )", 'out["a"][...] = x'),
    "call of lines": (
        {"a": OUT_A, "b": OUT_B},
        "dict(\n    a=x,  # c\n    b=1,\n)",
        'out["a"][...], out["b"][...] = (\n    x,  # c\n    1,\n)',
    ),
    "dict in a tuple": (
        (A, {"a": OUT_A, "b": OUT_B}, {"b": OUT_CAST}),
        'x, {"b": 1, "a": 2}, dict(b=3)',
        'a[...], (out["b"][...], out["a"][...]), out["a"][...] = x, (1, 2), (3).astype(t)',
    ),
    "dict in a dict": (
        {"a": {"b": OUT_B}, "c": {"a": OUT_A, "b": B}},
        '{"a": {"b": 1}, "c": ({"a": x, "b": 2})}',
        'out["b"][...], (out["a"][...], b[...]) = 1, ((x, 2))',
    ),
    "dict in a dict of one": (
        {"c": {"a": OUT_A, "b": B}},
        '{"c": {"a": x, "b": 2}}',
        'out["a"][...], b[...] = x, 2',
    ),
    "name": (
        {"a": OUT_CAST, 'b"': OUT_B, 1: (A, B)},
        "(x)",
        'out["a"][...], out["b"][...], (a[...], b[...]) = (x["a"].astype(t), x[\'b"\'], x[1])',
    ),
    "name of a dict of one": ({"a": OUT_CAST}, "x", 'out["a"][...] = x["a"].astype(t)'),
    "name in a tuple": (
        (A, {"a": OUT_A, "b": OUT_B}),
        "1, x",
        'a[...], (out["a"][...], out["b"][...]) = 1, (x["a"], x["b"])',
    ),
    "a lambda": (
        {"a": OUT_A, 1: OUT_B},
        '{"a": lambda: x, 1: {"k": 2}}',
        'out["a"][...], out["b"][...] = lambda: x, {"k": 2}',
    ),
}


@pytest.mark.parametrize(("targets", "value", "statement"), ITEMS.values(), ids=ITEMS)
def test_dict_items(targets: TargetTree, value: str, statement: str) -> None:
    before = f"def f(x, out):\n  return {value}\n"
    after = applied(before, each_return(before, lambda f, node: store(f, node, targets)))
    assert after == f"def f(x, out):\n  {statement}\n"


PARTS = [Part('out["a"][...]', '["a"]'), Part("out.b[...]", ".b.astype(t)")]
STORED_PARTS = {
    "name": (
        "def f(x, out):\n  if x: return x  # c\n  return (  # d\n    x\n  )\n",
        'def f(x, out):\n  if x:\n    out["a"][...], out.b[...] = x["a"], x.b.astype(t)  # c\n    return\n'
        '  out["a"][...], out.b[...] = (  # d\n    x["a"], x.b.astype(t)\n  )\n',
    ),
    "call": (
        "def f(x, out):\n  return g(x)  # c\n",
        'def f(x, out):\n  result = g(x)  # c\n  out["a"][...], out.b[...] = result["a"], result.b.astype(t)\n',
    ),
    "call of lines, not at the end": (
        "def f(x, out):\r\n\tif x:\r\n\t\treturn g(\r\n\t\t\tx\r\n\t\t);\r\n\tresult = 1\r\n",
        "def f(x, out):\r\n\tif x:\r\n\t\tresult_1 = g(\r\n\t\t\tx\r\n\t\t);\r\n"
        '\t\tout["a"][...], out.b[...] = result_1["a"], result_1.b.astype(t)\r\n\t\treturn\r\n\tresult = 1\r\n',
    ),
}


@pytest.mark.parametrize(("before", "after"), STORED_PARTS.values(), ids=STORED_PARTS)
def test_parts_of_a_value(before: str, after: str) -> None:
    assert applied(before, each_return(before, lambda f, node: store_parts(f, node, PARTS))) == after


@pytest.mark.parametrize(
    ("text", "expected"),
    {
        "def f(x):\n  if x: return g(x)\n": "The value shares its line",
        "def f(x):\n  y = 1; return g(x)\n": "The value shares its line",
        "def f(x):\n  return g(x); y = 1\n": "The value shares its line",
        "def f(x):\n  try:\n    return x\n  finally: pass\n": "A `finally` clause",
        "def f(x):\n  yield\n  return x\n": "A generator function",
    }.items(),
)
def test_no_parts_of_a_value(text: str, expected: str) -> None:
    assert reason(each_return(text, lambda f, node: store_parts(f, node, PARTS))).startswith(expected)


REFUSALS = {
    "generator": ("def f(x):\n  yield x\n  return x\n", "A generator function returns an iterator."),
    "generator in an expression": ("def f(x):\n  return [i for i in (yield)]\n", "A generator function"),
    "async": ("async def f(x):\n  return x\n", "An async function returns a coroutine."),
    "finally": ("def f(x):\n  try:\n    return x\n  finally:\n    g()\n", "A `finally` clause runs after the store"),
    "finally around an if": (
        "def f(x):\n  try:\n    if x:\n      return x\n  finally:\n    g()\n",
        "A `finally` clause runs after the store",
    ),
    "in finally": ("def f(x):\n  try:\n    g()\n  finally:\n    return x\n", "A `finally` clause runs after the store"),
    "backslash above": ("def f(x):\n  g(); \\\n  return x\n", "The line before the `return` ends in a backslash."),
    "case in parentheses": (
        "def f(x):\n  match x:\n    case (\n      1): return x\n  x()\n",
        "The header of the block is continued",
    ),
}


@pytest.mark.parametrize(("text", "expected"), REFUSALS.values(), ids=REFUSALS)
def test_refusals(text: str, expected: str) -> None:
    assert reason(each_return(text, lambda f, node: store(f, node, OUTPUT))).startswith(expected)


def test_a_generator_inside_does_not_make_one() -> None:
    text = "def f(x):\n  g = lambda: (yield)\n  def h(): yield\n  return g\n"
    assert applied(text, each_return(text, lambda f, node: store(f, node, OUTPUT))).endswith("  o[...] = g\n")


def test_finally_with_an_allowance() -> None:
    before = "def f(x):\n  try:\n    return 1\n  except E:\n    return 2\n  finally:\n    return 3\n"
    after = applied(before, each_return(before, lambda f, node: store(f, node, OUTPUT, through_finally=True)))
    # The bare return of the last clause keeps an exception from going on.
    assert after == (
        "def f(x):\n  try:\n    o[...] = 1\n  except E:\n    o[...] = 2\n  finally:\n    o[...] = 3\n    return\n"
    )


MISFITS: dict[str, tuple[TargetTree, str, str]] = {
    "none": ((A, B), "()", "The number of returned values is 0, that of outputs is 2."),
    "wrap in a value of a name": (
        {"a": (A_CAST, B)},
        "x",
        "The returned values are not written one by one",
    ),
    "dict in a value of a name": ({"a": {"b": B}}, "x", "The returned value is not written as a dict"),
    "dict in a call": ((A, {"a": B}), "g(x)", "The returned value is not written as a dict"),
    "too few": ((A, B, C), "x, 1", "The number of returned values is 2, that of outputs is 3."),
    "nested too many": ((A, (B, C)), "x, (1, 2, 3)", "The number of returned values is 3, that of outputs is 2."),
    "wrap in a call": ((A_CAST, B), "g(x)", "The returned values are not written one by one"),
    "nested wrap in a call": ((A, (A_CAST, B)), "x, g(x)", "The returned values are not written one by one"),
    "wrap of a starred": ((A_CAST, B), "*x, 1", "The returned values are not written one by one"),
}


@pytest.mark.parametrize(("targets", "value", "expected"), MISFITS.values(), ids=MISFITS)
def test_targets_that_do_not_fit(targets: TargetTree, value: str, expected: str) -> None:
    text = f"def f(x, a, b, c):\n  return {value}\n"
    assert reason(each_return(text, lambda f, node: store(f, node, targets))).startswith(expected)


@pytest.mark.parametrize("value", ["x", "x, 1", "()", "[*x]", "{x}"])
def test_not_a_single_element(value: str) -> None:
    text = f"def f(x):\n  return {value}\n"
    assert isinstance(reason(each_return(text, lambda f, node: store_element(f, node, A))), str)


@pytest.mark.parametrize(
    "value",
    [
        "g(x)",
        "{}",
        "dict(a=1, **x)",
        "dict(x, a=1)",
        "dict(a=1, b=2, c=3)",
        '{"a": 1}',
        '{"a": 1, **x}',
        '{"a": 1, b: 2}',
        '{"a": 1, "a": 2, "b": 3}',
        '{"a": 1,\n "b"\n: 2}',
    ],
)
def test_not_the_items(value: str) -> None:
    text = f"def f(x):\n  return {value}\n"
    targets = {"a": A, "b": B}
    assert isinstance(reason(each_return(text, lambda f, node: store(f, node, targets))), str)


def test_positions_are_those_of_the_document() -> None:
    text = "# é\n\nclass C:\n    def f(x):\n        'é😀'; return x\n"
    chunk = ast.parse("\n".join(text.split("\n")[2:]))
    klass = chunk.body[0]
    assert isinstance(klass, ast.ClassDef) and isinstance(klass.body[0], ast.FunctionDef)
    function = FunctionSource(SourceText(text), 2, klass.body[0])
    edits = store(function, returns_of(function)[0], OUTPUT)
    assert edits == (Edit(Range(Position(4, 14), Position(4, 21)), "o[...] = "),)


def test_misuse_is_an_error() -> None:
    function = function_in("def f(x):\n  def g():\n    return 1\n  return\n")
    inner = function_in("def g():\n  return 1\n")
    assert isinstance(function.node, ast.FunctionDef)
    bare = function.node.body[1]
    assert isinstance(bare, ast.Return)
    with pytest.raises(ValueError, match="no value"):
        store(function, bare, OUTPUT)
    with pytest.raises(ValueError, match="none of the function's own"):
        store(function, returns_of(inner)[0], OUTPUT)
    stale = FunctionSource(SourceText("def f(x):\n  x\n"), 0, inner.node)
    with pytest.raises(ValueError, match="the text is not the one that was parsed"):
        store(stale, returns_of(inner)[0], OUTPUT)

"""A `return` whose value is of no use goes away."""

from __future__ import annotations

import ast

import pytest

from pallas_lsp.rewrite import drop, has_effects
from tests.rewrite.support import applied, each_return, reason

DELETED = {
    "last statement": ("def f(x):\n    x()\n    return x\n", "def f(x):\n    x()\n"),
    "no line break at the end": ("def f(x):\n    x()\n    return x", "def f(x):\n    x()\n"),
    "blank lines above": ("def f(x):\n    x()\n\n \n    return x\n\nx\n", "def f(x):\n    x()\n\nx\n"),
    "comment above": ("def f(x):\n    x()\n\n    # c\n    return x\n", "def f(x):\n    x()\n\n    # c\n"),
    "comment behind": ("def f(x):\n    x()\n\n    return x  # c\n", "def f(x):\n    x()\n\n    # c\n"),
    "semicolon and comment behind": ("def f(x):\n    x()\n    return x; # c\n", "def f(x):\n    x()\n    # c\n"),
    "lines": ("def f(x):\n    x()\n    return (\n        x,\n    )\nx\n", "def f(x):\n    x()\nx\n"),
    "backslash": ("def f(x):\n    x()\n    return x \\\n        + 1\nx\n", "def f(x):\n    x()\nx\n"),
    "docstring": ('def f(x):\n    """D."""\n    return x\n', 'def f(x):\n    """D."""\n'),
    "only statement": ("def f(x):\n    return x  # c\n", "def f(x):\n    pass  # c\n"),
    "only statement on the line": ("def f(x): return x  # c\n", "def f(x): pass  # c\n"),
    "only statement of a branch": (
        "def f(x):\n    if x:\n        x()\n    else:\n        return x\n",
        "def f(x):\n    if x:\n        x()\n    else:\n        pass\n",
    ),
    "branch on one line": ("def f(x):\n    if x: return x\n", "def f(x):\n    if x: pass\n"),
    "not at the end": (
        "def f(x):\n    if x:\n        return (x,\n  1)  # c\n    x()\n",
        "def f(x):\n    if x:\n        return  # c\n    x()\n",
    ),
    "branch on one line, not at the end": (
        "def f(x):\n    if x: return(x)  # c\n    x()\n",
        "def f(x):\n    if x: return  # c\n    x()\n",
    ),
    "loop": ("def f(x):\n    for i in x:\n        return i\n", "def f(x):\n    for i in x:\n        return\n"),
    "in finally": (
        "def f(x):\n    try:\n        x()\n    finally:\n        return x\n",
        "def f(x):\n    try:\n        x()\n    finally:\n        return\n",
    ),
    "before finally": (
        "def f(x):\n    try:\n        x()\n        return x\n    finally:\n        x()\n",
        "def f(x):\n    try:\n        x()\n    finally:\n        x()\n",
    ),
    "after a semicolon": ("def f(x):\n    x() ; return x  # c\n", "def f(x):\n    x()  # c\n"),
    "after a semicolon on one line": ("def f(x): x(); return x;\n", "def f(x): x();\n"),
    "before a semicolon": ("def f(x):\n    return x; x()\n", "def f(x):\n    return; x()\n"),
    "carriage returns": ("def f(x):\r\n\tx()\r\n\r\n\treturn x\r\n", "def f(x):\r\n\tx()\r\n"),
}


@pytest.mark.parametrize(("before", "after"), DELETED.values(), ids=DELETED)
def test_without_the_value(before: str, after: str) -> None:
    assert applied(before, each_return(before, lambda f, node: drop(f, node, keep_value=False))) == after


KEPT = {
    "last statement": ("def f(x):\n    return x.swap(1)  # c\n", "def f(x):\n    x.swap(1)  # c\n"),
    "no blank": ("def f(x):\n    return(x())\n", "def f(x):\n    (x())\n"),
    "lines": ("def f(x):\n    return (\n        x()  # c\n    )\n", "def f(x):\n    (\n        x()  # c\n    )\n"),
    "guard clause": (
        "def f(x):\n    if x:\n        return x()  # c\n    x()\n",
        "def f(x):\n    if x:\n        x()  # c\n        return\n    x()\n",
    ),
    "branch on one line": (
        "def f(x):\n    if x: return x()  # c\n    x()\n",
        "def f(x):\n    if x:\n        x()  # c\n        return\n    x()\n",
    ),
    "function on one line": ("def f(x): return x()\n", "def f(x): x()\n"),
    "after a semicolon": ("def f(x):\n    x(); return x()\n", "def f(x):\n    x(); x()\n"),
    "before a semicolon": ("def f(x):\n    return x(); x()\n", "def f(x):\n    x(); return; x()\n"),
    "before finally": (
        "def f(x):\n    try:\n        return x()\n    finally:\n        x()\n",
        "def f(x):\n    try:\n        x()\n    finally:\n        x()\n",
    ),
}


@pytest.mark.parametrize(("before", "after"), KEPT.values(), ids=KEPT)
def test_with_the_value(before: str, after: str) -> None:
    assert applied(before, each_return(before, lambda f, node: drop(f, node, keep_value=True))) == after


@pytest.mark.parametrize("text", ["async def f(x):\n  return x\n", "def f(x):\n  yield\n  return x\n"])
def test_refusals(text: str) -> None:
    assert reason(each_return(text, lambda f, node: drop(f, node, keep_value=False)))


EFFECTS = {
    "f(x)": True,
    "x.swap(1) + 1": True,
    "[g(i) for i in x]": True,
    "(y := x)": True,
    "(lambda a=g(): a)": True,
    "x": False,
    "x[...] + 1": False,
    "(None, {1: x.shape})": False,
    "lambda: g()": False,
}


@pytest.mark.parametrize(("expression", "expected"), EFFECTS.items())
def test_effects(expression: str, expected: bool) -> None:
    assert has_effects(ast.parse(expression, mode="eval").body) is expected

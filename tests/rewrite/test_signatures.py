"""More parameters, and the annotation of what is returned."""

from __future__ import annotations

import ast
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pallas_lsp.rewrite import add_parameters, none_annotation
from tests.examples import examples
from tests.rewrite.support import applied, comments, first_function, function_in, reason

PARAMETERS = {
    "none yet": ("def f(): pass\n", None, "def f(o, p): pass\n"),
    "none yet, lines": ("def f(  # c\n): pass\n", None, "def f(o, p  # c\n): pass\n"),
    "at the end": ("def f(x): pass\n", None, "def f(x, o, p): pass\n"),
    "at the start": ("def f(x): pass\n", 0, "def f(o, p, x): pass\n"),
    "between": ("def f(x, y): pass\n", 1, "def f(x, o, p, y): pass\n"),
    "trailing comma": ("def f(x, ): pass\n", None, "def f(x, o, p, ): pass\n"),
    "before defaults": ("def f(x, y=(1), z=2): pass\n", None, "def f(x, o, p, y=(1), z=2): pass\n"),
    "only defaults": ("def f(y=1): pass\n", None, "def f(o, p, y=1): pass\n"),
    "before a star": ("def f(x, *, y): pass\n", None, "def f(x, o, p, *, y): pass\n"),
    "only a star": ("def f(*, y): pass\n", None, "def f(o, p, *, y): pass\n"),
    "before arguments": ("def f(x, *y, **z): pass\n", None, "def f(x, o, p, *y, **z): pass\n"),
    "only arguments": ("def f( ** z): pass\n", None, "def f( o, p, ** z): pass\n"),
    "after the slash": ("def f(x, /): pass\n", None, "def f(x, /, o, p): pass\n"),
    "after the slash, before others": ("def f(x, / , y): pass\n", 1, "def f(x, /, o, p , y): pass\n"),
    "before the slash": ("def f(x, y, /): pass\n", 1, "def f(x, o, p, y, /): pass\n"),
    "annotations": (
        "def f(x: (int), y: str = '') -> None: pass\n",
        None,
        "def f(x: (int), o, p, y: str = '') -> None: pass\n",
    ),
    "method": ("def f(self): pass\n", None, "def f(self, o, p): pass\n"),
    "lines": (
        "def f(\n    x,\n    y=1,\n): pass\n",
        None,
        "def f(\n    x,\n    o,\n    p,\n    y=1,\n): pass\n",
    ),
    "lines at the start": (
        "def f(\n    x,\n): pass\n",
        0,
        "def f(\n    o,\n    p,\n    x,\n): pass\n",
    ),
    "lines and comments": (
        "def f(\n    x,  # input (1)\n    # more, and more\n    y,  # input 2\n): pass\n",
        None,
        "def f(\n    x,  # input (1)\n    # more, and more\n    y,  # input 2\n    o,\n    p,\n): pass\n",
    ),
    "lines without a trailing comma": (
        "def f(\n\tx,\n\ty: int  # c\n): pass\n",
        None,
        "def f(\n\tx,\n\ty: int,  # c\n\to,\n\tp\n): pass\n",
    ),
    "lines with the parenthesis behind": (
        "def f(x,\r\n      y):\r\n  pass\r\n",
        None,
        "def f(x,\r\n      y,\r\n      o,\r\n      p):\r\n  pass\r\n",
    ),
    "several on a line": (
        "def f(\n    x, y\n): pass\n",
        None,
        "def f(\n    x, y, o, p\n): pass\n",
    ),
    "between several on a line": (
        "def f(\n    x, y\n): pass\n",
        1,
        "def f(\n    x, o, p, y\n): pass\n",
    ),
    "lines and a slash": (
        "def f(\n    x,\n    /,\n    *,\n    y,\n): pass\n",
        None,
        "def f(\n    x,\n    /,\n    o,\n    p,\n    *,\n    y,\n): pass\n",
    ),
    "lines and only a star": (
        "def f(\n    *,\n    y,\n): pass\n",
        None,
        "def f(\n    o,\n    p,\n    *,\n    y,\n): pass\n",
    ),
    "decorator and type of lines": (
        "@g(1)\ndef é(\n    x: dict[\n        str, int\n    ],\n) -> None: pass\n",
        None,
        "@g(1)\ndef é(\n    x: dict[\n        str, int\n    ],\n    o,\n    p,\n) -> None: pass\n",
    ),
    "lambda": ("f = lambda x: x\n", None, "f = lambda x, o, p: x\n"),
    "lambda without parameters": ("f = lambda: 1\n", None, "f = lambda o, p: 1\n"),
    "lambda at the start": ("f = lambda x: x\n", 0, "f = lambda o, p, x: x\n"),
    "lambda with arguments": ("f = lambda*x: x\n", None, "f = lambda o, p, *x: x\n"),
    "lambda with defaults": ("f = lambda x, y={1: 2}: x\n", None, "f = lambda x, o, p, y={1: 2}: x\n"),
    "lambda of lines": (
        "f = (lambda\n    x,\n    y: x)\n",
        1,
        "f = (lambda\n    x,\n    o,\n    p,\n    y: x)\n",
    ),
}


@pytest.mark.parametrize(("before", "index", "after"), PARAMETERS.values(), ids=PARAMETERS)
def test_parameters(before: str, index: int | None, after: str) -> None:
    assert applied(before, add_parameters(function_in(before), ["o", "p"], index)) == after


USED = {
    "parameter": "def f(x, o): pass\n",
    "any kind of parameter": "def f(x, **o): pass\n",
    "global": "def f(x): return o\n",
    "bound": "def f(x):\n  for o in x: pass\n",
    "nested": "def f(x):\n  def g():\n    return o\n",
    "nested parameter": "def f(x): return lambda o: o\n",
    "nested function": "def f(x):\n  def o(): pass\n",
    "import": "def f(x):\n  import o.path\n",
    "pattern": "def f(x):\n  match x:\n    case {**o}: pass\n",
    "handler": "def f(x):\n  try: pass\n  except E as o: pass\n",
    "declared": "def f(x):\n  global o\n",
}


@pytest.mark.parametrize("text", USED.values(), ids=USED)
def test_used_names(text: str) -> None:
    assert reason(add_parameters(function_in(text), ["o"])) == "`o` already means something in this function."


def test_refusals_and_errors() -> None:
    assert reason(add_parameters(function_in("def f(x, y=1): pass\n"), ["o"], 2)).startswith("A parameter without")
    assert reason(add_parameters(function_in("async def f(x): pass\n"), ["o"])).startswith("An async function")
    for names, index in ([], 0), (["o"], 2), (["o"], -1):
        with pytest.raises(ValueError, match="positional parameters"):
            add_parameters(function_in("def f(x): pass\n"), names, index)


def test_type_parameters() -> None:
    # The chunk was parsed without them, as a host does that does not know the syntax; the text has them.
    function = function_in("def f                    (x): pass\n")
    text = "def f[T: (int, 'a[()]')](x): pass\n"
    function = type(function)(type(function.source)(text), 0, function.node)
    rewrite = add_parameters(function, ["o"], 0)
    assert not hasattr(rewrite, "reason")
    assert function.source.replaced(rewrite) == "def f[T: (int, 'a[()]')](o, x): pass\n"


ANNOTATIONS = {
    "name": ("def f(x) -> T: pass  # c\n", "def f(x) -> None: pass  # c\n"),
    "attribute": ("def f(x)->jax.Array:\n  pass\n", "def f(x)->None:\n  pass\n"),
    "string": ("def f(x) -> 'jax.Array': pass\n", "def f(x) -> None: pass\n"),
    "parentheses": ("def f(x) -> (\n  T  # c\n): pass\n", "def f(x) -> (\n  None  # c\n): pass\n"),
    "lines": ("def f(\n  x,  # c\n) -> tuple[\n  T,\n]: pass\n", "def f(\n  x,  # c\n) -> None: pass\n"),
    "none": ("def f(x) -> None: pass\n", "def f(x) -> None: pass\n"),
    "none in a string": ("def f(x) -> 'None': pass\n", "def f(x) -> 'None': pass\n"),
    "no annotation": ("def f(x): pass\n", "def f(x): pass\n"),
    "comment inside": ("def f(x) -> tuple[\n  T,  # c\n]: pass\n", "def f(x) -> tuple[\n  T,  # c\n]: pass\n"),
    "lambda": ("f = lambda x: x\n", "f = lambda x: x\n"),
}


@pytest.mark.parametrize(("before", "after"), ANNOTATIONS.values(), ids=ANNOTATIONS)
def test_annotation(before: str, after: str) -> None:
    assert applied(before, none_annotation(function_in(before))) == after


def signature(choose: random.Random) -> str:
    """A random function or lambda with all kinds of parameters, in some layout."""
    is_lambda = choose.random() < 0.3
    positional = choose.randrange(5)
    slash = choose.randrange(positional + 1)
    required = choose.randrange(positional + 1)
    defaults = ["=1", " = (2)", "={3: 4}", "='a, (: #'", "=(lambda b, /: b)"]
    notes = [""] if is_lambda else ["", ": int", ": (int)", ': "a,b"', ": dict[\n  int, int]"]
    parts = [
        f"p{index}{choose.choice(notes)}{choose.choice(defaults) if index >= required else ''}"
        for index in range(positional)
    ]
    if slash:
        parts.insert(slash, "/")
    star = choose.choice(["", "", "*", f"*é{choose.choice(notes)}"])
    parts += [star] if star else []
    parts += ["k", f"l{choose.choice(defaults)}"][: choose.randrange(1, 3)] if star else []
    parts += choose.choice([[], ["**m"]])
    trailing = bool(parts) and choose.random() < 0.5 and not (is_lambda and parts[-1] == "**m")
    text = ""
    for index, part in enumerate(parts):
        is_last = index + 1 == len(parts)
        text += choose.choice(["", " ", "\n    ", "\n    ", "  # c (:\n\t"]) if index else choose.choice(["", "\n    "])
        text += part + (choose.choice([",", ",", " ,", ",  # d, /"]) if not is_last or trailing else "")
        text += "\n    " if text.endswith("/") and "# d" in text[-8:] else ""
    text += choose.choice(["", "\n", "  # e\n"])
    if is_lambda:
        return f"f = (lambda {text}: p)\n" if text.strip() else "f = (lambda: p)\n"
    return f"def f({text}) -> T: pass\n".replace("\n", choose.choice(["\n", "\r\n"]))


@examples(300)
@given(st.randoms(use_true_random=True), st.integers(0, 4))
def test_any_signature(choose: random.Random, index: int) -> None:
    text = signature(choose)
    function = function_in(text)
    before = function.node.args
    positional = len(before.posonlyargs) + len(before.args)
    index = min(index, positional - len(before.defaults))
    after = applied(text, add_parameters(function, ["o", "n"], index))
    new = [ast.arg("o"), ast.arg("n")]
    if index < len(before.posonlyargs):
        before.posonlyargs[index:index] = new
    else:
        before.args[index - len(before.posonlyargs) : index - len(before.posonlyargs)] = new
    assert ast.dump(first_function(ast.parse(after))) == ast.dump(function.node)
    assert comments(after) == comments(text)
    assert ("\r\n" in text) == ("\r\n" in after)

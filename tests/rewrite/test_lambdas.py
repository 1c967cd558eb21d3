"""Stores in a lambda: by a call, or by a `def` in its place."""

from __future__ import annotations

import ast

import pytest

from pallas_lsp.rewrite import FunctionSource, Target, TargetTree, lambda_as_def, lambda_to_def, store_lambda
from pallas_lsp.text import SourceText
from tests.rewrite.support import applied, as_def, first_function, function_in, reason, to_def

CALLS = {
    "argument": ("call(lambda x, o: x + 1, 2)\n", "call(lambda x, o: o.__setitem__(..., x + 1), 2)\n"),
    "parentheses": ("k = lambda x, o: (x)  # c\n", "k = lambda x, o: o.__setitem__(..., (x))  # c\n"),
    "tuple": ("k = lambda x, o: (x, 1)\n", "k = lambda x, o: o.__setitem__(..., (x, 1))\n"),
    "walrus": ("k = lambda x, o: (y := x)\n", "k = lambda x, o: o.__setitem__(..., (y := x))\n"),
    "conditional": ("k = lambda x, o: x if x else 1\n", "k = lambda x, o: o.__setitem__(..., x if x else 1)\n"),
    "lambda": ("k = lambda o: lambda: 1\n", "k = lambda o: o.__setitem__(..., lambda: 1)\n"),
    "defaults": (
        "k = lambda o, a={1: 2}, *, b=(lambda: 1): a\n",
        "k = lambda o, a={1: 2}, *, b=(lambda: 1): o.__setitem__(..., a)\n",
    ),
    "all kinds of parameters": (
        "k = lambda a, /, o, *b, c, **d : a\n",
        "k = lambda a, /, o, *b, c, **d : o.__setitem__(..., a)\n",
    ),
    "no parameters": ("k = lambda: 1\n", "k = lambda: o.__setitem__(..., 1)\n"),
    "slash": ("k = lambda o, /: 1\n", "k = lambda o, /: o.__setitem__(..., 1)\n"),
    "lines": (
        "call(\n    lambda x, o:  # c: d\n        x +\n        1,  # e\n)\n",
        "call(\n    lambda x, o:  # c: d\n        o.__setitem__(..., x +\n        1),  # e\n)\n",
    ),
    "text before": ("call('é😀', lambda ö: 'ü')\n", "call('é😀', lambda ö: o.__setitem__(..., 'ü'))\n"),
}


@pytest.mark.parametrize(("before", "after"), CALLS.values(), ids=CALLS)
def test_store_by_a_call(before: str, after: str) -> None:
    assert applied(before, store_lambda(function_in(before), "o")) == after


WRAPS = {
    "cast": ("", ".astype(o.dtype)", "o.__setitem__(..., (x + 1).astype(o.dtype))"),
    "spread": ("broadcast_to(", ", o.shape)", "o.__setitem__(..., broadcast_to(x + 1, o.shape))"),
}


@pytest.mark.parametrize(("before", "after", "expected"), WRAPS.values(), ids=WRAPS)
def test_wraps_in_a_call(before: str, after: str, expected: str) -> None:
    text = "k = lambda x, o: x + 1\n"
    assert (
        applied(text, store_lambda(function_in(text), "o", before=before, after=after))
        == f"k = lambda x, o: {expected}\n"
    )


def test_no_call_refusals() -> None:
    assert reason(store_lambda(function_in("k = lambda x: (yield x)\n"), "o")).startswith("A generator function")
    with pytest.raises(ValueError, match="not a lambda"):
        store_lambda(function_in("def f(o): return 1\n"), "o")


OUTPUT = Target("o[...]")
DEFINITIONS: dict[str, tuple[TargetTree, str, str]] = {
    "argument in a function": (
        OUTPUT,
        "def run():\n    y = 1\n    return call(lambda x, o: x + y, 2)  # c\n",
        "def run():\n    y = 1\n\n    def kernel(x, o):\n        o[...] = x + y\n\n    return call(kernel, 2)  # c\n",
    ),
    "first statement": (
        OUTPUT,
        "def run():\n  return call(lambda x, o: x)\n",
        "def run():\n  def kernel(x, o):\n    o[...] = x\n\n  return call(kernel)\n",
    ),
    "at the top level": (
        OUTPUT,
        "import call\n\n# Runs it.\nout = call(lambda x, o: x)\n",
        "import call\n\n\ndef kernel(x, o):\n    o[...] = x\n\n\n# Runs it.\nout = call(kernel)\n",
    ),
    "first of the document": (
        OUTPUT,
        "call(lambda x, o: x)",
        "def kernel(x, o):\n    o[...] = x\n\n\ncall(kernel)",
    ),
    "in a branch, with carriage returns and tabs": (
        OUTPUT,
        "if c:\r\n\tx()\r\n\tcall(lambda x, o: x)\r\n",
        "if c:\r\n\tx()\r\n\r\n\tdef kernel(x, o):\r\n\t\to[...] = x\r\n\r\n\tcall(kernel)\r\n",
    ),
    "name": (
        OUTPUT,
        "kernel = 1\ncall(lambda x, o: x)\n",
        "kernel = 1\n\n\ndef kernel_1(x, o):\n    o[...] = x\n\n\ncall(kernel_1)\n",
    ),
    "parameters": (
        OUTPUT,
        "call(lambda a, /, x=1, *b, o, d=n, **e: x)\n",
        "def kernel(a, /, x=1, *b, o, d=n, **e):\n    o[...] = x\n\n\ncall(kernel)\n",
    ),
    "no parameters": (OUTPUT, "call(lambda: 1)\n", "def kernel():\n    o[...] = 1\n\n\ncall(kernel)\n"),
    "lines": (
        OUTPUT,
        "call(\n    lambda x,  # c\n    o,\n    :  # d\n    x +  # e\n    1,  # f\n)\n",
        "def kernel(x,  # c\n    o,):\n    o[...] = (x +  # e\n    1)\n\n\ncall(\n    kernel,  # f\n)\n",
    ),
    "lines that need no parentheses": (
        OUTPUT,
        "call(lambda x, o: g(\n    x\n))\n",
        "def kernel(x, o):\n    o[...] = g(\n    x\n)\n\n\ncall(kernel)\n",
    ),
    "several targets": (
        (Target("a[...]", after=".astype(t)"), Target("b[...]")),
        "call(lambda x, a, b: (x + 1, x))\n",
        "def kernel(x, a, b):\n    a[...], b[...] = ((x + 1).astype(t), x)\n\n\ncall(kernel)\n",
    ),
    "a name for it": (
        OUTPUT,
        "import call\n\n# Adds.\nadd = lambda x, o: x + 1  # c\ncall(add)\n",
        "import call\n\n\n# Adds.\ndef add(x, o):\n    o[...] = x + 1  # c\n\n\ncall(add)\n",
    ),
    "a name in a function": (
        OUTPUT,
        "def run():\n    y = 1\n    add = (lambda x, o: x + y)\n    return call(add)\n",
        "def run():\n    y = 1\n\n    def add(x, o):\n        o[...] = x + y\n\n    return call(add)\n",
    ),
    "a name, last in its block": (
        OUTPUT,
        "if c:\n    add = lambda x, o: x\nelse:\n    pass\n",
        "if c:\n    def add(x, o):\n        o[...] = x\nelse:\n    pass\n",
    ),
    "a name on a line that goes on": (
        OUTPUT,
        "add = lambda x, o: x; call(add)\n",
        "def kernel(x, o):\n    o[...] = x\n\n\nadd = kernel; call(add)\n",
    ),
    "a name and a comment in between": (
        OUTPUT,
        "add = (  # c\n    lambda x, o: x\n)\n",
        "def kernel(x, o):\n    o[...] = x\n\n\nadd = (  # c\n    kernel\n)\n",
    ),
    "an annotated name": (
        OUTPUT,
        "add: T = lambda x, o: x\n",
        "def kernel(x, o):\n    o[...] = x\n\n\nadd: T = kernel\n",
    ),
    "string above that ends like a comment": (
        OUTPUT,
        '"""a\n# b"""\ncall(lambda x, o: x)\n',
        '"""a\n# b"""\n\n\ndef kernel(x, o):\n    o[...] = x\n\n\ncall(kernel)\n',
    ),
}


@pytest.mark.parametrize(("targets", "before", "after"), DEFINITIONS.values(), ids=DEFINITIONS)
def test_definition(targets: TargetTree, before: str, after: str) -> None:
    assert applied(before, to_def(before, targets)) == after


NO_DEFINITION = {
    "class body": ("class C:\n    k = lambda x, o: x\n", "The lambda stands in a class body"),
    "branch of a class body": (
        "class C:\n    if c:\n        k = lambda x, o: x\n",
        "The lambda stands in a class body",
    ),
    "default": ("def f(k=lambda x, o: x): pass\n", "The lambda stands in the header"),
    "decorator": ("@call(lambda x, o: x)\ndef f(): pass\n", "The lambda stands in the header"),
    "while": ("while call(lambda x, o: x): pass\n", "The lambda stands in the header"),
    "elif": ("if a: pass\nelif call(lambda x, o: x): pass\n", "The lambda stands in the header"),
    "comprehension": ("[call(lambda x, o: x + i) for i in y]\n", "The lambda stands in another lambda"),
    "lambda": ("f = lambda i: call(lambda x, o: x + i)\n", "The lambda stands in another lambda"),
    "semicolon": ("y = 1; call(lambda x, o: x)\n", "Another statement stands before"),
    "block on one line": ("if c: call(lambda x, o: x)\n", "Another statement stands before"),
    "backslash": ("y = 1; \\\ncall(lambda x, o: x)\n", "Another statement stands before"),
    "computed default": ("call(lambda x, o=g(): x)\n", "A default of the lambda"),
    "default and a walrus": ("call(n := 1, lambda x, o=n: x)\n", "A default of the lambda"),
    "default that may not be reached": ("ok and call(lambda x, o=n: x)\n", "A default of the lambda"),
    "misfit": ("call(lambda x, o: (x, 1))\n", "The number of returned values"),
    "generator": ("call(lambda x, o: (yield))\n", "A generator function"),
}


@pytest.mark.parametrize(("text", "expected"), NO_DEFINITION.values(), ids=NO_DEFINITION)
def test_no_definition(text: str, expected: str) -> None:
    tree = ast.parse(text)
    lambdas = [node for node in ast.walk(tree) if isinstance(node, ast.Lambda)]
    innermost = max(lambdas, key=lambda node: node.col_offset)
    inside = [part for part in ast.walk(tree) if innermost in ast.walk(part)]
    statement = [part for part in inside if isinstance(part, ast.stmt)][-1]
    scope = next((part for part in inside if isinstance(part, ast.ClassDef)), tree)
    targets = (OUTPUT,) if expected.startswith("The number") else OUTPUT
    function = FunctionSource(SourceText(text), 0, innermost)
    assert reason(lambda_to_def(function, statement, scope, targets)).startswith(expected)


def test_a_function_whose_place_is_not_known() -> None:
    tree = ast.parse("f'{(lambda: 1)}'\n")
    function = FunctionSource(SourceText("f'{      1}'\n"), 0, first_function(tree))
    assert reason(store_lambda(function, "o")) == "The place of the function in the text is not known."


def test_misuse_is_an_error() -> None:
    text = "call(lambda x, o: x)\ny = 1\n"
    tree = ast.parse(text)
    function = FunctionSource(SourceText(text), 0, first_function(tree))
    with pytest.raises(ValueError, match="the lambda is not in the statement"):
        lambda_to_def(function, tree.body[1], tree, OUTPUT)


KEPT = {
    "a store": ("call(lambda x, o: o.__setitem__(..., x[...] + 1))\n", "o[...] = x[...] + 1"),
    "a store at an index": ("call(lambda x, o: o.__setitem__((0, -1), (x)))\n", "o[(0, -1)] = x"),
    "a store over lines": ("call(lambda x, o: o.__setitem__(..., x +\n  1))\n", "o[...] = (x +\n  1)"),
    "a call in the index": ("call(lambda o: o.__setitem__(i(), v()))\n", "return o.__setitem__(i(), v())"),
    "a walrus": ("call(lambda o: o.__setitem__(..., y := 1))\n", "return o.__setitem__(..., y := 1)"),
    "a comment": (
        "call(lambda o: o.__setitem__(...,  # c\n  1))\n",
        "return o.__setitem__(...,  # c\n  1)",
    ),
    "more arguments": ("call(lambda o: o.__setitem__(*a, 1))\n", "return o.__setitem__(*a, 1)"),
    "anything else": ("call(lambda x, o: copy(x, o))\n", "return copy(x, o)"),
}


@pytest.mark.parametrize(("before", "body"), KEPT.values(), ids=KEPT)
def test_a_def_that_does_the_same(before: str, body: str) -> None:
    parameters = before[before.index("lambda ") + len("lambda ") : before.index(":")]
    assert applied(before, as_def(before)) == f"def kernel({parameters}):\n    {body}\n\n\ncall(kernel)\n"


def test_a_def_that_does_the_same_is_refused_where_it_could_not_stand() -> None:
    refused = as_def("[call(lambda o: o.__setitem__(..., i)) for i in a]\n")
    assert reason(refused).startswith("The lambda stands in another lambda or a comprehension")
    with pytest.raises(ValueError, match="not a lambda"):
        text = "def f(o): return 1\n"
        tree = ast.parse(text)
        lambda_as_def(function_in(text), tree.body[0], tree)

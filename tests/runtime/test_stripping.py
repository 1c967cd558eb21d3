"""`strip_return`: what the new function keeps, which outputs it takes, and what it says where it cannot."""

from __future__ import annotations

import functools
import traceback
from pathlib import Path
from typing import Any

import pytest

from pallas_lsp.runtime import StripError, strip_return
from tests.runtime.programs import load


class Ref:
    """As much of a Ref as these kernels need."""

    def __init__(self, value: Any = None) -> None:
        self.value = value

    def __getitem__(self, index: Any) -> Any:
        return self.value

    def __setitem__(self, index: Any, value: Any) -> None:
        self.value = value


def stored(kernel: Any, *inputs: Any, outputs: int = 1) -> list[Any]:
    """What a kernel has stored in its outputs; it returns None."""
    refs = [Ref() for _ in range(outputs)]
    assert kernel(*map(Ref, inputs), *refs) is None
    return [ref.value for ref in refs]


def test_a_return_becomes_a_store_and_the_original_stays(tmp_path: Path) -> None:
    program = load(tmp_path, "def kernel(x_ref, o_ref):\n    return x_ref[...] + 1\n")
    assert stored(strip_return(program.kernel), 1) == [2]
    assert program.kernel(Ref(1), Ref()) == 2


def test_every_way_out_stores(tmp_path: Path) -> None:
    program = load(
        tmp_path,
        "def kernel(x_ref, a_ref, b_ref):\n    x = x_ref[...]\n    if x > 1:\n        return x, x + 1\n"
        "    for y in (1, 2):\n        if y == 2:\n            return x + y, x\n",
    )
    kernel = strip_return(program.kernel)
    assert stored(kernel, 5, outputs=2) == [5, 6]
    assert stored(kernel, 0, outputs=2) == [2, 0]


def test_a_function_that_returns_none_is_given_back(tmp_path: Path) -> None:
    program = load(tmp_path, "def kernel(x_ref, o_ref):\n    o_ref[...] = x_ref[...]\n")
    assert strip_return(program.kernel) is program.kernel


def test_all_but_the_code_is_kept(tmp_path: Path) -> None:
    program = load(
        tmp_path,
        "SCALE = 2\n"
        "def make(bias):\n"
        '    def kernel(x_ref, o_ref, n: int = 3, *, m: "str" = 4) -> int:\n'
        '        """The page."""\n'
        "        return x_ref[...] * SCALE + bias + n + m\n"
        "    kernel.mark = 7\n"
        "    return kernel\n"
        "kernel = make(10)\n",
    )
    old, new = program.kernel, strip_return(program.kernel)
    assert stored(new, 1) == [19]
    assert new is not old
    assert new.__globals__ is old.__globals__
    assert new.__closure__ == old.__closure__
    kept = [
        "__name__",
        "__qualname__",
        "__module__",
        "__doc__",
        "__defaults__",
        "__kwdefaults__",
        "__annotations__",
        "__dict__",
    ]
    assert [getattr(new, name) for name in kept] == [getattr(old, name) for name in kept]
    code, before = new.__code__, old.__code__
    assert (code.co_filename, code.co_firstlineno, code.co_name) == (
        before.co_filename,
        before.co_firstlineno,
        before.co_name,
    )
    program.SCALE = 0
    assert stored(new, 1) == [17]


def test_closure_cells_are_shared(tmp_path: Path) -> None:
    program = load(
        tmp_path,
        "def make():\n    n = 1\n    def kernel(x_ref, o_ref):\n        nonlocal n\n        n += 1\n"
        "        return x_ref[...] + n\n    return kernel, lambda: n\nkernel, get = make()\n",
    )
    assert stored(strip_return(program.kernel), 0) == [2]
    assert program.get() == 2


def test_tracebacks_show_the_original_lines(tmp_path: Path) -> None:
    program = load(
        tmp_path,
        "def first(x):\n    return x\n\n@first\n@first\ndef kernel(x_ref, a_ref, b_ref):\n    if x_ref is None:\n"
        "        return 1, 2\n    return (\n        x_ref[...],\n        x_ref.nothing,\n    )\n",
    )
    kernel = strip_return(program.kernel)
    with pytest.raises(AttributeError) as caught:
        kernel(Ref(1), Ref(), Ref())
    frame = traceback.extract_tb(caught.tb)[-1]
    assert (frame.filename, frame.lineno, frame.line) == (str(tmp_path / "program.py"), 11, "x_ref.nothing,")
    assert kernel.__code__.co_firstlineno == 4


def test_names_inside_of_inner_functions_are_the_original_ones(tmp_path: Path) -> None:
    program = load(
        tmp_path,
        "INNER = []\ndef kernel(x_ref, o_ref):\n    def inner():\n        return x_ref[...]\n"
        "    INNER.append(inner)\n    return inner()\n",
    )
    assert stored(strip_return(program.kernel), 1) == [1]
    assert program.INNER[0].__qualname__ == "kernel.<locals>.inner"


def test_a_partial_stays_a_partial(tmp_path: Path) -> None:
    program = load(tmp_path, "def kernel(n, x_ref, o_ref, *, m):\n    return x_ref[...] * n + m\n")
    kernel = strip_return(functools.partial(program.kernel, 3, m=1))
    assert isinstance(kernel, functools.partial)
    assert (kernel.args, kernel.keywords) == ((3,), {"m": 1})
    assert stored(kernel, 2) == [7]


def test_a_method_stays_bound(tmp_path: Path) -> None:
    program = load(
        tmp_path,
        "class K:\n    __n = 5\n    def kernel(self, x_ref, o_ref):\n        return x_ref[...] * self.__n\n"
        "class L(K):\n    def kernel(self, x_ref, o_ref):\n        return x_ref[...] + super().__class__.__name__\n"
        "object = K()\n",
    )
    kernel = strip_return(program.object.kernel)
    assert kernel.__self__ is program.object
    assert stored(kernel, 2) == [10]


def test_a_callable_object_becomes_its_method(tmp_path: Path) -> None:
    program = load(
        tmp_path, "class K:\n    def __call__(self, x_ref, o_ref):\n        return x_ref[...]\nkernel = K()\n"
    )
    assert stored(strip_return(program.kernel), 2) == [2]


def test_lambdas_that_share_a_line(tmp_path: Path) -> None:
    program = load(tmp_path, "pair = (lambda x_ref, o_ref: x_ref[...] + 1, lambda x_ref, o_ref: x_ref[...] + 2)\n")
    assert [stored(strip_return(kernel), 1) for kernel in program.pair] == [[2], [3]]
    assert strip_return(program.pair[0]).__name__ == "<lambda>"


def test_a_program_in_a_class_body_with_future_annotations(tmp_path: Path) -> None:
    program = load(
        tmp_path,
        "from __future__ import annotations\n\nclass K:\n    @staticmethod\n"
        "    def kernel(x_ref: Missing, o_ref: Missing) -> Missing:\n        return x_ref[...]\n",
    )
    assert stored(strip_return(program.K.kernel), 2) == [2]


LAUNCHED = """\
import jax
from jax.experimental import pallas as pl

def kernel(x_ref, o_ref, s_ref):
    return x_ref[...]

def run(x):
    return pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((8,), "float32"), scratch_shapes=[object()])(x)
"""


def test_outputs_are_those_of_the_launch_in_view(tmp_path: Path) -> None:
    program = load(tmp_path, LAUNCHED.replace("import jax\nfrom jax.experimental import pallas as pl\n", ""))
    (tmp_path / "launched.py").write_text(LAUNCHED, encoding="utf-8")
    names: dict[str, Any] = {"__name__": "launched"}
    function = LAUNCHED.partition("def run")[0].replace("import jax\nfrom jax.experimental import pallas as pl", "\n")
    exec(compile(function, str(tmp_path / "launched.py"), "exec"), names)
    out, scratch = Ref(), Ref()
    strip_return(names["kernel"])(Ref(1), out, scratch)
    assert (out.value, scratch.value) == (1, None)
    # Without a launch the last parameter is taken.
    strip_return(program.kernel)(Ref(1), out := Ref(), scratch := Ref())
    assert (out.value, scratch.value) == (None, 1)


def test_outputs_by_name_and_by_number(tmp_path: Path) -> None:
    program = load(
        tmp_path,
        "def one(o_ref, x_ref):\n    return x_ref[...]\n"
        "def two(x_ref, a_ref, b_ref):\n    return (x_ref[...], x_ref[...] + 1)\n",
    )
    out = Ref()
    strip_return(program.one, outputs="o_ref")(out, Ref(1))
    assert out.value == 1
    assert stored(strip_return(program.two, outputs=2), 1, outputs=2) == [1, 2]
    first, second = Ref(), Ref()
    strip_return(program.two, outputs=["b_ref", "a_ref"])(Ref(5), first, second)
    assert (first.value, second.value) == (6, 5)


@pytest.mark.parametrize(
    ("says", "program", "outputs"),
    [
        ("no free parameter `z_ref`. The parameters are x_ref, o_ref.",
         "def kernel(x_ref, o_ref):\n    return x_ref[...]\n", "z_ref"),
        ("There are 2 parameters without a value, and 3 outputs are needed",
         "def kernel(x_ref, o_ref):\n    return x_ref[...]\n", 3),
        ("program.py:2 cannot be made a kernel. It returns 2 values, but there is one output, `o_ref`",
         "def kernel(x_ref, o_ref):\n    return x_ref[...], x_ref[...]\n", 1),
        ("Calling it gives a generator. Write it as a plain function.",
         "def kernel(x_ref, o_ref):\n    yield x_ref[...]\n", None),
        ("program.py:3 cannot be made a kernel. A `finally` clause runs after the store",
         "def kernel(x_ref, o_ref):\n    try:\n        return x_ref[...]\n    finally:\n        print()\n", None),
        ("is not a Python function", "kernel = print\n", None),
        ("It stands in a method and uses the private name `__n`, which depends on the class. Write the stores by hand.",
         "class K:\n    __n = 2\n    def m(self):\n        def kernel(x_ref, o_ref):\n"
         "            return x_ref[...] * self.__n\n        return kernel\nkernel = K().m()\n", None),
        ("A lambda can store one value only", "kernel = lambda x_ref, a_ref, b_ref: (x_ref[...], x_ref[...])\n", None),
        ("It is not known which of its parameters are outputs. Name them with `outputs=`.",
         "def kernel(x_ref, a_ref, b_ref):\n    if x_ref[...]:\n        return x_ref[...]\n    return x_ref[...], 1\n",
         None),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_said(tmp_path: Path, says: str, program: str, outputs: Any) -> None:
    with pytest.raises(StripError) as caught:
        strip_return(load(tmp_path, program).kernel, outputs=outputs)
    assert says in str(caught.value)


def test_without_a_source_it_says_so() -> None:
    names: dict[str, Any] = {}
    exec("def kernel(x_ref, o_ref):\n    return x_ref[...]\n", names)
    with pytest.raises(StripError, match="Its source is not to be had"):
        strip_return(names["kernel"])

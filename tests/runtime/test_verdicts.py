"""`kernel_returns_none`: what is said of function objects, and of those of which nothing is known."""

from __future__ import annotations

import functools
import linecache
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pallas_lsp.runtime import kernel_returns_none
from tests.runtime.programs import load

STORES = "def kernel(x_ref, o_ref):\n    o_ref[...] = x_ref[...]\n"
RETURNS = "def kernel(x_ref, o_ref):\n    return x_ref[...]\n"


@pytest.mark.parametrize(
    ("expected", "program"),
    [
        (True, STORES),
        (False, RETURNS),
        (True, "def kernel(x_ref, o_ref):\n    o_ref[...] = x_ref[...]\n    return None\n"),
        (False, "def kernel(x_ref, o_ref):\n    return ()\n"),
        (False, "def kernel(x_ref, o_ref):\n    yield x_ref[...]\n"),
        (False, "async def kernel(x_ref, o_ref):\n    pass\n"),
        (False, "kernel = lambda x_ref, o_ref: x_ref[...]\n"),
        (True, "kernel = lambda x_ref, o_ref: o_ref.__setitem__(..., x_ref[...])\n"),
        # It depends on what it is given.
        (None, "def kernel(x_ref, o_ref, flag=False):\n    if flag:\n        return x_ref[...]\n"),
        (None, "def kernel(x_ref, o_ref):\n    return o_ref.attribute_of_a_tree\n"),
        # What its names hold now decides.
        (True, "FLAG = False\ndef kernel(x_ref, o_ref):\n    if FLAG:\n        return x_ref[...]\n"),
        (False, "def last(x):\n    return x\ndef kernel(x_ref, o_ref):\n    return last(x_ref[...])\n"),
        (True, "def last(x):\n    return None\ndef kernel(x_ref, o_ref):\n    return last(x_ref[...])\n"),
        (False, "BOX = [1]\ndef kernel(x_ref, o_ref):\n    return BOX\n"),
        # Closures.
        (True, "def make(flag):\n    def kernel(x_ref, o_ref):\n        if flag:\n            return x_ref[...]\n"
               "    return kernel\nkernel = make(False)\n"),
        (False, "def make(flag):\n    def kernel(x_ref, o_ref):\n        if flag:\n            return x_ref[...]\n"
                "    return kernel\nkernel = make(True)\n"),
        # Partials.
        (True, "import functools\ndef f(x_ref, o_ref, *, flag):\n    if flag:\n        return x_ref[...]\n"
               "kernel = functools.partial(f, flag=False)\n"),
        (False, "import functools\ndef f(flag, x_ref, o_ref):\n    if flag:\n        return x_ref[...]\n"
                "kernel = functools.partial(f, True)\n"),
        # Methods and callable objects.
        (False, "class K:\n    def kernel(self, x_ref, o_ref):\n        return self.inner(x_ref)\n"
                "    def inner(self, x_ref):\n        return x_ref[...]\nkernel = K().kernel\n"),
        (True, "class K:\n    def __call__(self, x_ref, o_ref):\n        o_ref[...] = x_ref[...]\nkernel = K()\n"),
        (True, "class K:\n    @staticmethod\n    def kernel(x_ref, o_ref):\n        o_ref[...] = x_ref[...]\n"
               "kernel = K.kernel\n"),
        (False, "class K:\n    @classmethod\n    def kernel(cls, x_ref, o_ref):\n        return x_ref[...]\n"
                "kernel = K.kernel\n"),
        # Decorators: what the wrapper does counts.
        (False, "import functools\ndef d(f):\n    @functools.wraps(f)\n    def inner(*refs):\n        return f(*refs)\n"
                f"    return inner\n@d\n{RETURNS}"),
        (True, "import functools\ndef d(f):\n    @functools.wraps(f)\n    def inner(*refs):\n        f(*refs)\n"
               f"    return inner\n@d\n{RETURNS}"),
        # No kernels at all.
        (None, "kernel = print\n"),
        (None, "class kernel:\n    pass\n"),
    ],
)  # fmt: skip
def test_verdict(tmp_path: Path, expected: bool | None, program: str) -> None:
    assert kernel_returns_none(load(tmp_path, program).kernel) is expected


def test_lambdas_that_share_a_line_are_told_apart(tmp_path: Path) -> None:
    program = load(
        tmp_path,
        "pair = (lambda x_ref, o_ref: x_ref[...] + 1, lambda x_ref, o_ref: o_ref.__setitem__(..., x_ref[...] + 1))\n",
    )
    assert [kernel_returns_none(one) for one in program.pair] == [False, True]


def test_lambdas_of_one_text_that_share_a_line_differ_by_their_closure(tmp_path: Path) -> None:
    program = load(
        tmp_path,
        "def make(g):\n    return lambda x_ref, o_ref: g(x_ref)\n"
        "pair = make(lambda x_ref: x_ref[...]), make(lambda x_ref: None)\n",
    )
    assert [kernel_returns_none(one) for one in program.pair] == [False, True]


def _patched(module: types.ModuleType, **names: Any) -> Callable[..., Any]:
    vars(module).update(names)
    kernel: Callable[..., Any] = module.kernel
    return kernel


HELPED = "def helper(x):\n    return None\ndef kernel(x_ref, o_ref):\n    return helper(x_ref[...])\n"


def test_a_global_that_was_changed_since_counts_as_it_is_now(tmp_path: Path) -> None:
    assert kernel_returns_none(_patched(load(tmp_path, HELPED), helper=lambda x: x)) is False


def test_a_global_without_a_source_makes_the_verdict_unknown(tmp_path: Path) -> None:
    assert kernel_returns_none(_patched(load(tmp_path, HELPED), helper=eval("lambda x: x"))) is None


def test_an_attribute_of_the_object_that_the_class_does_not_know_makes_it_unknown(tmp_path: Path) -> None:
    program = load(
        tmp_path,
        "class K:\n    def inner(self, x_ref):\n        return None\n"
        "    def kernel(self, x_ref, o_ref):\n        return self.inner(x_ref)\nobject = K()\n",
    )
    assert kernel_returns_none(program.object.kernel) is True
    program.object.inner = lambda x_ref: 1
    assert kernel_returns_none(program.object.kernel) is None


def test_a_default_that_was_changed_makes_it_unknown(tmp_path: Path) -> None:
    program = load(
        tmp_path,
        "def helper(x, flag=False):\n    if flag:\n        return x\n"
        "def kernel(x_ref, o_ref):\n    return helper(x_ref[...])\n",
    )
    assert kernel_returns_none(program.kernel) is True
    program.helper.__defaults__ = (True,)
    assert kernel_returns_none(program.kernel) is None


def test_code_without_a_source_is_unknown() -> None:
    names: dict[str, Any] = {}
    exec(RETURNS, names)
    assert kernel_returns_none(names["kernel"]) is None


def test_code_whose_file_was_changed_since_is_unknown(tmp_path: Path) -> None:
    program = load(tmp_path, RETURNS)
    (tmp_path / "program.py").write_text(STORES, encoding="utf-8")
    assert kernel_returns_none(program.kernel) is None


def test_code_below_a_change_of_its_file_is_unknown_as_its_lines_are_wrong(tmp_path: Path) -> None:
    program = load(tmp_path, RETURNS)
    (tmp_path / "program.py").write_text(f"import os\n{RETURNS}", encoding="utf-8")
    assert kernel_returns_none(program.kernel) is None


def test_a_cell_of_a_notebook_has_its_source_in_linecache() -> None:
    names: dict[str, Any] = {}
    filename = "<ipython-input-1-0123456789ab>"
    linecache.cache[filename] = (len(RETURNS), None, RETURNS.splitlines(keepends=True), filename)
    try:
        exec(compile(RETURNS, filename, "exec"), names)
        assert kernel_returns_none(names["kernel"]) is False
    finally:
        del linecache.cache[filename]


def test_names_of_another_cell_hold_what_they_hold() -> None:
    cell = "def kernel(x_ref, o_ref):\n    return helper(x_ref[...])\n"
    filename = "<ipython-input-2-0123456789ab>"
    linecache.cache[filename] = (len(cell), None, cell.splitlines(keepends=True), filename)
    try:
        names: dict[str, Any] = {"helper": print}
        exec(compile(cell, filename, "exec"), names)
        assert kernel_returns_none(names["kernel"]) is True
    finally:
        del linecache.cache[filename]


def test_a_function_that_calls_itself_ends(tmp_path: Path) -> None:
    program = load(tmp_path, "def kernel(x_ref, o_ref):\n    return kernel(x_ref, o_ref)\n")
    assert kernel_returns_none(program.kernel) is None


def test_nothing_is_run(tmp_path: Path) -> None:
    program = load(tmp_path, "RUN = []\ndef kernel(x_ref, o_ref):\n    RUN.append(1)\n")
    assert kernel_returns_none(program.kernel) is True
    assert program.RUN == []


def test_jax_is_not_imported() -> None:
    import subprocess

    text = "import sys, pallas_lsp.runtime as r; r.kernel_returns_none(print); print('jax' in sys.modules)"
    environment = {"PYTHONPATH": str(Path(__file__).parents[2] / "server")}
    assert subprocess.check_output([sys.executable, "-c", text], env=environment, text=True) == "False\n"


@pytest.mark.jax
@pytest.mark.parametrize(
    ("expected", "wrap"),
    [
        (False, "jax.jit"),
        (False, "jax.checkpoint"),
        (False, "jax.named_scope('scope')"),
        (False, "functools.partial(jax.jit, inline=True)"),
        (None, "jax.vmap"),
        (None, "jax.custom_vjp"),
    ],
)
def test_wrappers_of_jax(tmp_path: Path, expected: bool | None, wrap: str) -> None:
    program = load(tmp_path, f"import functools\nimport jax\n\n@{wrap}\n{RETURNS}")
    assert kernel_returns_none(program.kernel) is expected


@pytest.mark.jax
def test_results_of_jax_functions_under_any_name(tmp_path: Path) -> None:
    program = load(
        tmp_path,
        "from jax.numpy import exp as e\nfrom jax.experimental.pallas import when as w\n"
        "def first(x_ref, o_ref):\n    return e(x_ref[...])\n"
        "def second(x_ref, o_ref):\n    return w(True)(lambda: o_ref.__setitem__(..., x_ref[...]))\n",
    )
    assert kernel_returns_none(program.first) is False
    assert kernel_returns_none(program.second) is True


def test_a_partial_of_a_partial(tmp_path: Path) -> None:
    program = load(tmp_path, "def f(a, b, x_ref, o_ref):\n    if a and b:\n        return x_ref[...]\n")
    assert kernel_returns_none(functools.partial(functools.partial(program.f, True), True)) is False
    assert kernel_returns_none(functools.partial(functools.partial(program.f, True), False)) is True

"""Fixes keep the meaning of programs that invite mistakes.

The meaning of a kernel that returns its result is to store it. A safe fix does just that. Where the text alone cannot
show that a change is right, the fix is unsafe and says why; where no change can be right, there is none.
"""

from __future__ import annotations

import pytest

from pallas_lsp.check import check
from pallas_lsp.findings import Applicability
from pallas_lsp.fixing import fix_all
from tests.properties.running import Intended, run, same

pytestmark = pytest.mark.jax

HEAD = """
import contextlib
import functools
import os
import sys
import jax
import jax.numpy as jnp
from jax import lax
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

X = jnp.arange(8.0)
OUT = jax.ShapeDtypeStruct((8,), jnp.float32)
UNDECIDED = len(os.environ) > 0  # true, but only when it runs
"""

SAFE: dict[str, str] = {
    "partial_keyword_without_output": """
def kernel(x_ref, scale):
    return x_ref[...] * scale
def run(): return pl.pallas_call(functools.partial(kernel, scale=2), OUT, interpret=True)(X)
""",
    "ifexp_refs": """
def kernel(x_ref, y_ref, o_ref):
    return x_ref if UNDECIDED else y_ref
def run(): return pl.pallas_call(kernel, OUT, interpret=True)(X, X+1)
""",
    "handed_on_by_a_lambda": """
def kernel(x_ref, o_ref, scale):
    return x_ref[...] * scale
def run(): return pl.pallas_call(lambda x_ref, o_ref: kernel(x_ref, o_ref, 2.0), OUT, interpret=True)(X)
""",
    "pure_returns_an_input": """
def f(x):
    return x, -x
def run(): return pl.pallas_call(f, [OUT, OUT], interpret=True)(X)
""",
    "reads_output_alias": """
def kernel(x_ref, o_ref):
    return x_ref[...] + o_ref[...]
def run(): return pl.pallas_call(kernel, OUT, input_output_aliases={0: 0}, interpret=True)(X)
""",
    "partial_positional_no_output": """
def kernel(n, x_ref):
    return x_ref[...] * n
def run(): return pl.pallas_call(functools.partial(kernel, 3), OUT, interpret=True)(X)
""",
    "x_at_set": """
def kernel(x_ref, o_ref):
    y = x_ref[...]
    y = y.at[0].set(5.0)
    return y
def run(): return pl.pallas_call(kernel, OUT, interpret=True)(X)
""",
    "lambda_shadow": """
def kernel(x_ref, o_ref):
    return (lambda o_ref: o_ref + 1)(x_ref[...])
def run(): return pl.pallas_call(kernel, OUT, interpret=True)(X)
""",
    "ways_own_output": """
def kernel(x_ref, o_ref, *, alias):
    y = o_ref if alias else x_ref
    return y[...] * 1 if not alias else y[...]
def run():
    b = pl.pallas_call(functools.partial(kernel, alias=False), OUT, interpret=True)(X)
    return b
""",
    "return_in_loop_second": """
def kernel(x_ref, o_ref):
    for i in range(3):
        y = x_ref[...] * i
        if i == 2:
            return y
        o_ref[...] = y
def run(): return pl.pallas_call(kernel, OUT, interpret=True)(X)
""",
    "pure_basic": """
def f(x, y):
    return x + y
def run(): return pl.pallas_call(f, OUT, interpret=True)(X, X)
""",
    "pure_methods": """
def f(x):
    return x.sum() + x.T * len(x) + x.shape[0]
def run(): return pl.pallas_call(f, OUT, interpret=True)(X)
""",
    "pure_at": """
def f(x):
    y = x + 0
    return y.at[0].set(1.0)
def run(): return pl.pallas_call(f, OUT, interpret=True)(X)
""",
    "pure_loop": """
def f(x):
    acc = 0.0
    for v in x:
        acc = acc + v
    return x * acc
def run(): return pl.pallas_call(f, OUT, interpret=True)(X)
""",
    "pure_nested": """
def f(x):
    def g(y):
        return x + y
    return g(x)
def run(): return pl.pallas_call(f, OUT, interpret=True)(X)
""",
    "pure_helper": """
def g(a, b):
    return a * b
def f(x):
    return g(x, x)
def run(): return pl.pallas_call(f, OUT, interpret=True)(X)
""",
    "pure_closure_shadow": """
def f(x):
    return jnp.stack([x for x in (x, x)]).sum(0)
def run(): return pl.pallas_call(f, OUT, interpret=True)(X)
""",
    "pure_lambda": """
def run(): return pl.pallas_call(lambda x: x + 1, OUT, interpret=True)(X)
""",
    "pure_two_outputs_named_like": """
def f(o1, o2):
    return o1 + o2, o1 * o2
def run(): return pl.pallas_call(f, [OUT, OUT], interpret=True)(X, X)
""",
    "pure_slice": """
def f(x):
    return x[:] * x[0]
def run(): return pl.pallas_call(f, OUT, interpret=True)(X)
""",
    "pure_tuple_alias": """
def f(x):
    a, b = x, x
    return a + b
def run(): return pl.pallas_call(f, OUT, interpret=True)(X)
""",
    "pure_fori": """
def f(x):
    return lax.fori_loop(0, 3, lambda i, c: c + x, x)
def run(): return pl.pallas_call(f, OUT, interpret=True)(X)
""",
    "lambda_in_loop": """
def run():
    r = []
    for s in (1.0, 2.0):
        call = pl.pallas_call(lambda x_ref, a, b: (x_ref[...] * s, x_ref[...]), (OUT, OUT), interpret=True)
        r.append(call(X))
    return r
""",
    "lambda_walrus_order": """
def run():
    return (s := 3) and pl.pallas_call(lambda x_ref, a, b: (x_ref[...] * s, -x_ref[...]), [OUT] * 2, interpret=True)(X)
""",
    "hands_on_twice": """
def helper(x_ref, o_ref, s):
    return x_ref[...] * s
def kernel(x_ref, a_ref, b_ref):
    helper(x_ref, a_ref, 2)
    return helper(x_ref, a_ref, 2), helper(x_ref, b_ref, 3)
def run():
    return pl.pallas_call(kernel, (OUT, OUT), interpret=True)(X)
""",
    "hands_on_then_expression": """
def helper(x_ref, o_ref, s):
    return x_ref[...] * s
def kernel(x_ref, o_ref):
    return helper(x_ref, o_ref, 2) + 1
def run():
    return pl.pallas_call(kernel, OUT, interpret=True)(X)
""",
    "run_scoped_return": """
def kernel(x_ref, o_ref):
    def body(acc):
        acc[...] = x_ref[...] * 2
        return acc[...]
    return pl.run_scoped(body, pltpu.VMEM((8,), jnp.float32))
def run():
    return pl.pallas_call(kernel, OUT, interpret=True)(X)
""",
    "dict_out": """
def kernel(x_ref, out):
    return {"b": x_ref[...], "a": x_ref[...] * 2}
def run():
    return pl.pallas_call(kernel, out_shape={"a": OUT, "b": OUT}, interpret=True)(X)
""",
    "dict_out_var": """
def kernel(x_ref, out):
    r = {"b": x_ref[...], "a": x_ref[...] * 2}
    return r
def run():
    return pl.pallas_call(kernel, out_shape={"a": OUT, "b": OUT}, interpret=True)(X)
""",
    "grid_accumulate": """
BLOCK = pl.BlockSpec((4,), lambda i: (i,))
def kernel(x_ref, o_ref):
    return o_ref[...] + x_ref[...]
def run():
    specs = {"in_specs": [BLOCK], "out_specs": BLOCK}
    return pl.pallas_call(kernel, OUT, grid=(2,), **specs, input_output_aliases={0: 0}, interpret=True)(X)
""",
    "scan_carry_kernel": """
def kernel(x_ref, o_ref):
    c, ys = lax.scan(lambda c, v: (c + v, c), 0.0, x_ref[...])
    return ys
def run():
    return pl.pallas_call(kernel, OUT, interpret=True)(X)
""",
    "tuple_assign_store": """
def k(x_ref, a_ref, b_ref):
    y, z = x_ref[...] + 1, x_ref[...] * 2
    a_ref[...], b_ref[...] = y, z
    return y, z
def run(): return pl.pallas_call(k, [OUT, OUT], interpret=True)(X)
""",
    "chained_store": """
def k(x_ref, a_ref, b_ref):
    a_ref[...] = b_ref[...] = y = x_ref[...] + 1
    return y, y
def run(): return pl.pallas_call(k, [OUT, OUT], interpret=True)(X)
""",
    "returns_list_comp": """
def k(x_ref, *outs):
    return [x_ref[...] * i for i in range(len(outs))]
def run(): return pl.pallas_call(k, [OUT, OUT], interpret=True)(X)
""",
    "returns_generator_tuple": """
def k(x_ref, a_ref, b_ref):
    return tuple(x_ref[...] * i for i in range(2))
def run(): return pl.pallas_call(k, [OUT, OUT], interpret=True)(X)
""",
    "returns_unpack_array": """
def k(x_ref, a_ref, b_ref):
    a, b = jnp.stack([x_ref[...], x_ref[...]])
    return b, a
def run(): return pl.pallas_call(k, [OUT, OUT], interpret=True)(X)
""",
    "scan_over_kernel": """
def k(x_ref, o_ref):
    return x_ref[...] + 1
CALL = pl.pallas_call(k, OUT, interpret=True)
def run():
    return lax.scan(lambda c, _: (CALL(c), None), X, None, length=3)[0]
""",
    "wrap_basic": """
def f(x_ref):
    return x_ref[...] + 1
def run(): return pl.pallas_call(f, OUT, interpret=True)(X), f(X)
""",
    "wrap_nested_def": """
def run():
    def f(x_ref):
        return x_ref[...] + 1
    return pl.pallas_call(f, OUT, interpret=True)(X), f(X)
""",
    "wrap_two_returns": """
def f(x_ref):
    if UNDECIDED:
        return x_ref[...] + 1
    return x_ref[...] * 2
def run(): return pl.pallas_call(f, OUT, interpret=True)(X), f(X)
""",
}

DOUBTED: dict[str, tuple[str, str]] = {
    "helper_twice": (
        """
def double(v):
    return v * 2
def kernel(x_ref, o_ref):
    a = double(x_ref[...])
    b = double(a)
    o_ref[...] = a
    return b
def run(): return pl.pallas_call(kernel, OUT, interpret=True)(X)
""",
        "is another one and is lost",
    ),
    "comprehension_items": (
        """
def kernel(x_ref, o_ref):
    ys = [x_ref[...] * i for i in range(3)]
    o_ref[...] = ys[0]
    return ys[2]
def run(): return pl.pallas_call(kernel, OUT, interpret=True)(X)
""",
        "is another one and is lost",
    ),
    "lambda_twice": (
        """
def kernel(x_ref, o_ref):
    f = lambda v: v + 1
    a = f(x_ref[...])
    o_ref[...] = a
    b = f(a)
    return b
def run(): return pl.pallas_call(kernel, OUT, interpret=True)(X)
""",
        "is another one and is lost",
    ),
    "old_read_then_store": (
        """
def kernel(x_ref, o_ref):
    o_ref[...] = x_ref[...] + 5
    old = o_ref[...]
    o_ref[...] = x_ref[...]
    return old
def run(): return pl.pallas_call(kernel, OUT, interpret=True)(X)
""",
        "is another one and is lost",
    ),
    "swapped_outputs": (
        """
def kernel(x_ref, a_ref, b_ref):
    a_ref[...] = x_ref[...]
    b_ref[...] = x_ref[...] + 1
    return b_ref[...], a_ref[...]
def run(): return pl.pallas_call(kernel, (OUT, OUT), interpret=True)(X)
""",
        "It gives outputs what others hold",
    ),
    "same_output_twice": (
        """
def kernel(x_ref, a_ref, b_ref):
    a_ref[...] = x_ref[...]
    b_ref[...] = x_ref[...] + 1
    return a_ref[...], a_ref[...]
def run(): return pl.pallas_call(kernel, (OUT, OUT), interpret=True)(X)
""",
        "It gives outputs what others hold",
    ),
    "handed_on_by_a_lambda_that_is_used_elsewhere": (
        """
def kernel(x_ref, o_ref, scale):
    return x_ref[...] * scale
def run():
    body = lambda x_ref, o_ref: kernel(x_ref, o_ref, 2.0)
    return pl.pallas_call(body, OUT, interpret=True)(X), body(X, None)
""",
        "called as a function",
    ),
    "outputs_counted_from_the_end": (
        """
def kernel(x_ref, bias_ref, o_ref, sum_ref=None):
    return x_ref[...] + bias_ref[...], x_ref[...]
def run():
    call = pl.pallas_call(kernel, [OUT, OUT], interpret=True)
    return sys.modules["jax"].jit(call)(X, X)
""",
        "which of the parameters are given",
    ),
    "two_launches_init": (
        """
def kernel(x_ref, o_ref, *, init):
    y = x_ref[...] + 1
    if init:
        o_ref[...] = y
    return y
def run():
    a = pl.pallas_call(functools.partial(kernel, init=True), OUT, interpret=True)(X)
    b = pl.pallas_call(functools.partial(kernel, init=False), OUT, interpret=True)(X)
    return a, b
""",
        "The launch on line",
    ),
    "two_launches_none_in_one": (
        """
def helper(x_ref, o_ref, store):
    if store:
        o_ref[...] = x_ref[...]
        return None
    return x_ref[...] + 1
def kernel(x_ref, o_ref, *, store):
    y = helper(x_ref, o_ref, store)
    return y
def run():
    a = pl.pallas_call(functools.partial(kernel, store=False), OUT, interpret=True)(X)
    b = pl.pallas_call(functools.partial(kernel, store=True), OUT, interpret=True)(X)
    return a, b
""",
        "The launch on line",
    ),
    "multi_launch_values_reversed": (
        """
def kernel(x_ref, o_ref, *, empty):
    if empty:
        y = ()
    else:
        y = x_ref[...]
    return y
def other(): return pl.pallas_call(functools.partial(kernel, empty=True), OUT, interpret=True)(X)
def run():
    a = pl.pallas_call(functools.partial(kernel, empty=False), OUT, interpret=True)(X)
    return a
""",
        "The launch on line",
    ),
    "starred_two_counts": (
        """
def kernel(*refs):
    return refs[0][...] + 1
def run(): return pl.pallas_call(kernel, OUT, interpret=True)(X), pl.pallas_call(kernel, OUT, interpret=True)(X, X)
""",
        "The launch on line",
    ),
    "ref_in_one_launch": (
        """
def kernel(x_ref, o_ref, *, c):
    y = x_ref if c else x_ref[...] + 1
    return y
def run():
    a = pl.pallas_call(functools.partial(kernel, c=False), OUT, interpret=True)(X)
    return a, pl.pallas_call(functools.partial(kernel, c=True), OUT, interpret=True)(X)
""",
        "The launch on line",
    ),
    "while_break": (
        """
def kernel(x_ref, o_ref):
    y = x_ref[...] + 1
    while True:
        if UNDECIDED:
            break
        o_ref[...] = y
        break
    return y
def run(): return pl.pallas_call(kernel, OUT, interpret=True)(X)
""",
        "stored",
    ),
    "for_else": (
        """
def kernel(x_ref, o_ref):
    y = x_ref[...] + 1
    for i in range(2):
        if UNDECIDED:
            break
    else:
        o_ref[...] = y
    return y
def run(): return pl.pallas_call(kernel, OUT, interpret=True)(X)
""",
        "stored",
    ),
    "with_suppress": (
        """
def kernel(x_ref, o_ref):
    y = x_ref[...] + 1
    with contextlib.suppress(ZeroDivisionError):
        1 / 0
        o_ref[...] = y
    return y
def run(): return pl.pallas_call(kernel, OUT, interpret=True)(X)
""",
        "is lost",
    ),
    "stored_via_list": (
        """
def kernel(x_ref, o_ref):
    y = x_ref[...] + 1
    o_ref[...] = y
    for r in [o_ref]:
        r[...] = y * 2
    return y
def run(): return pl.pallas_call(kernel, OUT, interpret=True)(X)
""",
        "is lost",
    ),
    "fori_stores": (
        """
def kernel(x_ref, o_ref):
    y = x_ref[...] + 1
    o_ref[...] = y
    def body(i, c):
        o_ref[...] = o_ref[...] * 2
        return c
    lax.fori_loop(0, 2, body, 0)
    return y
def run(): return pl.pallas_call(kernel, OUT, interpret=True)(X)
""",
        "is lost",
    ),
    "unknown_helper_changes": (
        """
mystery = eval("lambda ref: ref.__setitem__(..., ref[...] * 3)")
def kernel(x_ref, o_ref):
    y = x_ref[...] + 1
    o_ref[...] = y
    mystery(o_ref)
    return y
def run(): return pl.pallas_call(kernel, OUT, interpret=True)(X)
""",
        "is lost",
    ),
    "unknown_changes3": (
        """
mystery = eval("lambda f: f()")
def kernel(x_ref, o_ref):
    y = x_ref[...] + 1
    o_ref[...] = y
    def twice(): o_ref[...] = y * 2
    mystery(twice)
    return y
def run(): return pl.pallas_call(kernel, OUT, interpret=True)(X)
""",
        "is lost",
    ),
    "nested_fn_stores": (
        """
def kernel(x_ref, o_ref):
    y = x_ref[...] + 1
    o_ref[...] = y
    def clear():
        o_ref[...] = jnp.zeros(8)
    clear()
    return y
def run(): return pl.pallas_call(kernel, OUT, interpret=True)(X)
""",
        "is lost",
    ),
    "sync_copy": (
        """
def kernel(x_ref, o_ref):
    y = x_ref[...] + 1
    o_ref[...] = y
    pltpu.sync_copy(x_ref, o_ref)
    return y
def run(): return pl.pallas_call(kernel, OUT, interpret=True)(X)
""",
        "is lost",
    ),
    "scalar_into_1x1_after_init": (
        """
OUT11 = jax.ShapeDtypeStruct((1, 1), jnp.float32)
def kernel(x_ref, o_ref):
    o_ref[...] = jnp.zeros((1, 1))
    return x_ref[...].sum()
def run(): return pl.pallas_call(kernel, OUT11, interpret=True)(X)
""",
        "is lost",
    ),
    "row_after_init": (
        """
OUT2 = jax.ShapeDtypeStruct((1, 8), jnp.float32)
def kernel(x_ref, o_ref):
    o_ref[...] = jnp.zeros((1, 8))
    return x_ref[...] * 2
def run(): return pl.pallas_call(kernel, OUT2, interpret=True)(X)
""",
        "is lost",
    ),
    "dict_reads_outputs": (
        """
def kernel(x_ref, out):
    out["a"][...] = x_ref[...]
    out["b"][...] = x_ref[...] * 3
    return {"a": out["b"][...], "b": out["a"][...]}
def run():
    return pl.pallas_call(kernel, out_shape={"a": OUT, "b": OUT}, interpret=True)(X)
""",
        "It gives outputs",
    ),
    "two_stores_tuple": (
        """
def kernel(x_ref, a_ref, b_ref):
    y = x_ref[...] + 1
    z = x_ref[...] + 2
    a_ref[...] = y
    b_ref[...] = z
    return z, y
def run():
    return pl.pallas_call(kernel, [OUT, OUT], interpret=True)(X)
""",
        "is lost",
    ),
    "vmap_used": (
        """
def kernel(x_ref, o_ref):
    return x_ref[...] + 1
def run():
    return pl.pallas_call(kernel, OUT, interpret=True)(X), jax.vmap(lambda r: kernel(r, None))(X[:, None])
""",
        "called as a function",
    ),
    "vmap_used_directly": (
        """
def kernel(x_ref, o_ref):
    return x_ref[...] + 1
def run():
    return pl.pallas_call(kernel, OUT, interpret=True)(X), jax.vmap(kernel)(X[:, None], X[:, None])
""",
        "given to `jax.vmap`",
    ),
    "alias_used": (
        """
def kernel(x_ref, o_ref):
    return x_ref[...] + 1
reference = kernel
def run():
    return pl.pallas_call(kernel, OUT, interpret=True)(X), reference(X, None)
""",
        "called as a function",
    ),
    "given_to_helper": (
        """
def kernel(x_ref, o_ref):
    return x_ref[...] + 1
def apply(f, x):
    return f(x, None)
def run():
    return pl.pallas_call(kernel, OUT, interpret=True)(X), apply(kernel, X)
""",
        "called by `apply`",
    ),
    "shared_decorator": (
        """
def scaled(f):
    @functools.wraps(f)
    def wrapper(*refs):
        return f(*refs) * 2
    return wrapper
@scaled
def kernel(x_ref, o_ref):
    return x_ref[...] + 1
@scaled
def plain(x):
    return x + 1
def run():
    return pl.pallas_call(kernel, OUT, interpret=True)(X), plain(X)
""",
        "put around another function",
    ),
    "shared_factory": (
        """
def make(c):
    def kernel(x_ref, o_ref):
        return x_ref[...] + c
    return kernel
def run():
    return pl.pallas_call(make(1), OUT, interpret=True)(X), make(2)(X, None)
""",
        "called as a function",
    ),
    "as_fori_body": (
        """
def kernel(x_ref, o_ref):
    return o_ref[...] + 1
def run():
    return pl.pallas_call(kernel, OUT, interpret=True)(X), lax.fori_loop(0, 2, kernel, X)
""",
        "given to `lax.fori_loop`",
    ),
    "lambda_used_plain": (
        """
def run():
    k = lambda x_ref, o_ref: x_ref[...] + 1
    return pl.pallas_call(k, OUT, interpret=True)(X), k(X, None)
""",
        "called as a function",
    ),
    "method_used_plain": (
        """
class K:
    def k(self, x_ref, o_ref):
        return x_ref[...] + 1
def run():
    return pl.pallas_call(K().k, OUT, interpret=True)(X), K().k(X, None)
""",
        "called as a function",
    ),
    "method_alias_used": (
        """
class K:
    def k(self, x_ref, o_ref):
        return x_ref[...] + 1
def run():
    f = K().k
    return pl.pallas_call(f, OUT, interpret=True)(X), f(X, None)
""",
        "called as a function",
    ),
    "call_method_used": (
        """
class K:
    def __call__(self, x_ref, o_ref):
        return x_ref[...] + 1
def run():
    k = K()
    return pl.pallas_call(k, OUT, interpret=True)(X), k(X, None)
""",
        "called as a function",
    ),
    "subclass_super": (
        """
class K:
    def k(self, x_ref, o_ref):
        return x_ref[...] + 1
class L(K):
    def k(self, x_ref, o_ref):
        o_ref[...] = super().k(x_ref, o_ref) * 2
def run():
    return pl.pallas_call(K().k, OUT, interpret=True)(X), pl.pallas_call(L().k, OUT, interpret=True)(X)
""",
        "called as a function",
    ),
    "helper_return_used_in_kernel": (
        """
def helper(x_ref, o_ref):
    return x_ref[...] + 1
def kernel(x_ref, o_ref):
    return helper(x_ref, o_ref)
def kernel2(x_ref, o_ref):
    o_ref[...] = helper(x_ref, o_ref) * 2
def run():
    return pl.pallas_call(kernel, OUT, interpret=True)(X), pl.pallas_call(kernel2, OUT, interpret=True)(X)
""",
        "called as a function",
    ),
    "with_exit_writes_class": (
        """
class Finishing:
    def __init__(self, ref): self.ref = ref
    def __enter__(self): return self
    def __exit__(self, *a): self.ref[...] = jnp.zeros(8)
def kernel(x_ref, o_ref):
    with Finishing(o_ref):
        return x_ref[...] * 2
def run():
    return pl.pallas_call(kernel, OUT, interpret=True)(X)
""",
        "could use it when it ends",
    ),
    "default_output": (
        """
def kernel(x_ref, o_ref=None):
    return x_ref[...] + 1
def run(): return pl.pallas_call(kernel, OUT, interpret=True)(X)
""",
        "has a value of its own",
    ),
    "pure_default": (
        """
def f(x_ref, scale=3.0):
    return x_ref[...] * scale
def run(): return pl.pallas_call(f, OUT, interpret=True)(X)
""",
        "has a value of its own",
    ),
    "plain_statement_call": (
        """
def kernel(x_ref, o_ref):
    return x_ref[...] + 1
def k2(x_ref, o_ref):
    o_ref[...] = x_ref[...] * 7
    kernel(x_ref, o_ref)
def run(): return pl.pallas_call(kernel, OUT, interpret=True)(X), pl.pallas_call(k2, OUT, interpret=True)(X)
""",
        "called as a statement",
    ),
    "method_statement_call": (
        """
class K:
    def k(self, x_ref, o_ref):
        return x_ref[...] + 1
    def k2(self, x_ref, o_ref):
        o_ref[...] = x_ref[...] * 7
        self.k(x_ref, o_ref)
def run(): return pl.pallas_call(K().k, OUT, interpret=True)(X), pl.pallas_call(K().k2, OUT, interpret=True)(X)
""",
        "called as a statement",
    ),
    "forward_with_expression_statement": (
        """
def helper(x_ref, o_ref):
    return x_ref[...] + 1
def k1(x_ref, o_ref):
    return helper(x_ref, o_ref)
def k2(x_ref, o_ref):
    o_ref[...] = x_ref[...] * 7
    helper(x_ref, o_ref)
def run(): return pl.pallas_call(k1, OUT, interpret=True)(X), pl.pallas_call(k2, OUT, interpret=True)(X)
""",
        "called as a statement",
    ),
    "wrap_decorated": (
        """
def twice(g):
    @functools.wraps(g)
    def w(*a): return g(*a) * 2
    return w
@twice
def f(x_ref):
    return x_ref[...] + 1
def run(): return pl.pallas_call(f, OUT, interpret=True)(X), f(X)
""",
        "called as a function",
    ),
    "alias_unknown": (
        """
mystery = eval("lambda ref: ref.__setitem__(..., ref[...] * 3)")
def k(x_ref, o_ref):
    r = o_ref
    y = x_ref[...] + 1
    o_ref[...] = y
    mystery(r)
    return y
def run(): return pl.pallas_call(k, OUT, interpret=True)(X)
""",
        "is lost",
    ),
    "break_after_store": (
        """
def k(x_ref, o_ref):
    r = o_ref
    y = x_ref[...] + 1
    o_ref[...] = y
    while True:
        if UNDECIDED:
            r[...] = y * 5
            break
        break
    return y
def run(): return pl.pallas_call(k, OUT, interpret=True)(X)
""",
        "stored",
    ),
    "name_rule_conditional_rebind": (
        """
def f(v): return v + 1
def k(x_ref, o_ref):
    y = f(x_ref[...])
    o_ref[...] = y
    if UNDECIDED:
        y = f(y)
    return y
def run(): return pl.pallas_call(k, OUT, interpret=True)(X)
""",
        "is lost",
    ),
    "name_rule_walrus": (
        """
def f(v): return v + 1
def k(x_ref, o_ref):
    y = f(x_ref[...])
    o_ref[...] = y
    z = (y := f(y))
    return y
def run(): return pl.pallas_call(k, OUT, interpret=True)(X)
""",
        "is lost",
    ),
    "put_swapped": (
        """
def put(r, v):
    r[...] = v
    return v
def k(x_ref, a_ref, b_ref):
    return put(b_ref, x_ref[...]), put(a_ref, x_ref[...] * 2)
def run(): return pl.pallas_call(k, [OUT, OUT], interpret=True)(X)
""",
        "is lost",
    ),
    "tuple_assign_swapped": (
        """
def k(x_ref, a_ref, b_ref):
    y, z = x_ref[...] + 1, x_ref[...] * 2
    a_ref[...], b_ref[...] = y, z
    return z, y
def run(): return pl.pallas_call(k, [OUT, OUT], interpret=True)(X)
""",
        "is lost",
    ),
}

REFUSED: dict[str, tuple[str, str]] = {
    "rebound_oneof": (
        """
def kernel(x_ref, o_ref):
    o_ref = x_ref if UNDECIDED else o_ref
    return x_ref[...] + 1
def run(): return pl.pallas_call(kernel, OUT, interpret=True)(X)
""",
        "has no name",
    ),
    "pure_one_dict": (
        """
def f(x):
    return {"p": x + 1}
def run(): return pl.pallas_call(f, {"p": OUT}, interpret=True)(X)
""",
        "by hand",
    ),
    "rebound_view": (
        """
def kernel(x_ref, o_ref):
    o_ref = o_ref.at[0:4]
    return x_ref[...] + 1
def run(): return pl.pallas_call(kernel, OUT, interpret=True)(X)
""",
        "has no name",
    ),
    "mutated_list": (
        """
def kernel(*refs):
    refs = list(refs)
    refs.reverse()
    return refs[1][...] + 1
def run(): return pl.pallas_call(kernel, OUT, interpret=True)(X)
""",
        "has no name",
    ),
    "del_output": (
        """
def kernel(x_ref, o_ref):
    del o_ref
    return x_ref[...] + 1
def run(): return pl.pallas_call(kernel, OUT, interpret=True)(X)
""",
        "has no name",
    ),
    "loop_var_shadow": (
        """
def kernel(x_ref, o_ref):
    acc = x_ref[...]
    for o_ref in range(2):
        acc += o_ref
    return acc
def run(): return pl.pallas_call(kernel, OUT, interpret=True)(X)
""",
        "has no name",
    ),
    "except_shadow": (
        """
def kernel(x_ref, o_ref):
    try:
        1 / 0
    except ZeroDivisionError as o_ref:
        pass
    return x_ref[...] + 1
def run(): return pl.pallas_call(kernel, OUT, interpret=True)(X)
""",
        "has no name",
    ),
    "nonlocal_rebind": (
        """
def kernel(x_ref, o_ref):
    def f():
        nonlocal o_ref
        o_ref = x_ref
    f()
    return x_ref[...] + 1
def run(): return pl.pallas_call(kernel, OUT, interpret=True)(X)
""",
        "has no name",
    ),
    "pure_rebinding": (
        """
def f(x):
    x = x + 1
    return x * 2
def run(): return pl.pallas_call(f, OUT, interpret=True)(X)
""",
        "bound again",
    ),
    "lambda_in_comprehension": (
        """
def run():
    return [pl.pallas_call(lambda x_ref, a, b: (x_ref[...] * s, x_ref[0]), [OUT] * 2, interpret=True)(X) for s in (1,)]
""",
        "write a `def`",
    ),
    "lambda_default": (
        """
def run():
    return pl.pallas_call(lambda x_ref, a, b, k=len([1]): (x_ref[...] * k, x_ref[0]), (OUT, OUT), interpret=True)(X)
""",
        "write a `def`",
    ),
    "lambda_while_header": (
        """
def run():
    i = 0
    while (r := pl.pallas_call(lambda x_ref, a, b: (x_ref[...] * i, x_ref[0]), (OUT, OUT), interpret=True)(X)):
        i += 1
        if i == 3: return r
""",
        "write a `def`",
    ),
}

WRAPPED: dict[str, str] = {
    "wrap_dtype": """
I = jax.ShapeDtypeStruct((8,), jnp.int32)
def f(x_ref):
    return x_ref[...] + 1
def run(): return pl.pallas_call(f, I, interpret=True)(X), f(X)
""",
    "wrap_outputs_named_like_inputs": """
def f(o_ref):
    return o_ref[...] + 1
def run(): return pl.pallas_call(f, OUT, interpret=True)(X), f(X)
""",
}
"""Functions that a new kernel is put around: the names, types and arguments of the call must be right, or in doubt."""


@pytest.mark.parametrize("name", SAFE)
def test_safe_fix_stores_what_was_returned(name: str) -> None:
    text = HEAD + SAFE[name]
    fixed = fix_all(text).text
    assert check(fixed).findings == ()
    assert same(run(fixed), run(text, Intended())), fixed


@pytest.mark.parametrize("name", DOUBTED)
def test_unsafe_fix_says_what_makes_it_so(name: str) -> None:
    program, doubt = DOUBTED[name]
    offered = [finding.fixes() for finding in check(HEAD + program).findings]
    assert any(doubt in fixes[0].reason for fixes in offered)
    assert all(fix.applicability is Applicability.UNSAFE for fixes in offered for fix in fixes)


@pytest.mark.parametrize("name", REFUSED)
def test_no_fix_where_none_is_right(name: str) -> None:
    program, reason = REFUSED[name]
    (finding,) = check(HEAD + program).findings
    assert [(fix.applicability, reason in fix.reason) for fix in finding.fixes()] == [(Applicability.NONE, True)]


@pytest.mark.parametrize("name", WRAPPED)
def test_wrapping_fix_is_right_or_not_safe(name: str) -> None:
    text = HEAD + WRAPPED[name]
    fixed = fix_all(text).text
    assert fixed == text or same(run(fixed), run(text, Intended()))


def test_a_function_of_refs_is_given_refs_by_the_kernel_around_it() -> None:
    program = """
def f(x_ref):
    return x_ref.at[0:8][...] + 1
def other(x_ref, o_ref):
    o_ref[...] = f(x_ref)
def run():
    return pl.pallas_call(f, OUT, interpret=True)(X), pl.pallas_call(other, OUT, interpret=True)(X)
"""
    stored = HEAD + program.replace("pallas_call(f,", "pallas_call(other,")
    assert same(run(fix_all(HEAD + program).text), run(stored))

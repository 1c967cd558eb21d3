"""What `ruff format` has nothing to say about stays so."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from pallas_lsp.rewrite import (
    Rewrite,
    Target,
    TargetTree,
    add_parameters,
    combine,
    drop,
    none_annotation,
    store,
    store_element,
)
from tests.rewrite.support import applied, each_return, function_in, to_def

OUT = Target("o_ref[...]")
CAST = Target("o_ref[...]", after=".astype(o_ref.dtype)")
PAIR = (Target("a_ref[...]"), Target("b_ref[...]", after=".astype(b_ref.dtype)"))

CONTROL_FLOW = '''\
def kernel(x_ref, o_ref):
    """Docstring."""
    if x_ref.shape:
        return x_ref[...]  # comment

    for i in range(2):
        if i:
            return x_ref[...] + i
    with scope("s"):
        return (
            jnp.dot(x_ref[...], x_ref[...], preferred_element_type=jnp.float32)  # comment
            + x_ref[...].reshape(x_ref.shape[0], x_ref.shape[1]).astype(jnp.float32)
        )
'''
CALL = """\
def kernel(x_ref, o_ref):
    return jnp.dot(
        x_ref[...].reshape(x_ref.shape[0], x_ref.shape[1]),
        x_ref[...],
        preferred_element_type=jnp.float32,
    )
"""
DISPLAYS = """\
def kernel(x_ref, o_ref):
    if x_ref.shape:
        return x_ref[...] + 1, x_ref[...] * 2
    return (
        x_ref[...] + 1,  # comment
        x_ref[...] * 2,
    )
"""
ITEMS = """\
def kernel(x_ref, out):
    if x_ref.shape:
        return {"a": x_ref[...] + 1, "b": x_ref[...] * 2}
    return {
        "a": x_ref[...] + 1,
        # comment
        "b": x_ref[...] * 2,
    }
"""
DROPS = """\
def kernel(x_ref, o_ref):
    if x_ref.shape:
        return None, None
    o_ref[...] = x_ref[...]

    return o_ref[...]


def after():
    return 1
"""
SIGNATURE = """\
def kernel(x_ref, y_ref, *, scale=1.0) -> jax.Array:  # comment
    return x_ref[...]
"""
LONG_SIGNATURE = """\
def kernel(
    x_ref: jax.Array,  # comment
    y_ref,
    *,
    scale=1.0,
) -> jax.Array:
    return x_ref[...]
"""
LAMBDA = """\
import jax


def run(x):
    y = x + 1
    # comment
    return pl.pallas_call(lambda x_ref, o_ref: x_ref[...] + 1, out_shape=x)(y)


result = run(1)
"""
FIRST_LAMBDA = """\
def run(x):
    return pl.pallas_call(lambda x_ref, o_ref: x_ref[...] + 1, out_shape=x)(x)
"""
TOP_LAMBDA = """\
import jax

out = pl.pallas_call(lambda x_ref, o_ref: x_ref[...] + 1, out_shape=x)(x)
print(out)
"""
NAMED_LAMBDA = """\
import jax

# comment
kernel = lambda x_ref, o_ref: x_ref[...] + 1  # comment
out = pl.pallas_call(kernel, out_shape=x)(x)
"""


def stores(targets: TargetTree) -> Callable[[str], Rewrite]:
    return lambda text: each_return(text, lambda function, node: store(function, node, targets))


def signature(text: str) -> Rewrite:
    function = function_in(text)
    return combine(add_parameters(function, ["o_ref", "p_ref"]), none_annotation(function))


OPERATIONS: list[tuple[str, Callable[[str], Rewrite]]] = [
    (CONTROL_FLOW, stores(OUT)),
    (CONTROL_FLOW, stores(CAST)),
    (CALL, stores(OUT)),
    (CALL, stores(CAST)),
    (DISPLAYS, stores(PAIR)),
    (ITEMS, stores({"a": PAIR[0], "b": PAIR[1]})),
    (DROPS, lambda text: each_return(text, lambda function, node: drop(function, node, keep_value=False))),
    (CALL, lambda text: each_return(text, lambda function, node: drop(function, node, keep_value=True))),
    (
        "def kernel(x_ref, o_ref):\n    return (x_ref[...] + 1,)\n",
        lambda text: each_return(text, lambda function, node: store_element(function, node, CAST)),
    ),
    (SIGNATURE, signature),
    (LONG_SIGNATURE, signature),
    (LAMBDA, lambda text: to_def(text, OUT)),
    (FIRST_LAMBDA, lambda text: to_def(text, OUT)),
    (TOP_LAMBDA, lambda text: to_def(text, OUT)),
    (NAMED_LAMBDA, lambda text: to_def(text, OUT)),
]


def test_formatted_stays_formatted(tmp_path: Path) -> None:
    for number, (before, operation) in enumerate(OPERATIONS):
        after = applied(before, operation(before))
        assert after != before
        (tmp_path / f"before_{number:02}.py").write_text(before, encoding="utf-8")
        (tmp_path / f"after_{number:02}.py").write_text(after, encoding="utf-8")
    command = [sys.executable, "-m", "ruff", "format", "--isolated", "--no-cache", "--line-length=120", "--diff", "."]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (result.stdout, result.returncode) == ("", 0)

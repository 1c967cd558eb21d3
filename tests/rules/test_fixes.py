"""What each fix is called, what it makes of the text, and what it asks the user to look at."""

from __future__ import annotations

import pytest

from pallas_lsp.findings import Applicability
from tests.rules.support import LAUNCH, applied, fixes

SAFE, UNSAFE, NONE = Applicability.SAFE, Applicability.UNSAFE, Applicability.NONE

KERNEL = "def k(x_ref, o_ref):\n"
TWO_OUTPUTS = "pl.pallas_call(k, out_shape=(OUT, OUT))(x)\n"
CAST = "Store the result in `o_ref`, cast to its dtype"
NO_OUT_SHAPE = "The launch has no `out_shape`: say there what the outputs are."
LOSS = "The cast may lose precision."

Expected = tuple[Applicability, str, str, str]
"""Of one fix: its applicability, its title, its reason, and the kernel afterwards."""

FIXES: dict[str, tuple[str, str, list[Expected]]] = {
    "a value that fits": (
        KERNEL + "    return x_ref[...] + 1\n",
        LAUNCH,
        [
            (SAFE, "Store the result in `o_ref`", "", KERNEL + "    o_ref[...] = x_ref[...] + 1\n"),
            (UNSAFE, CAST, LOSS, KERNEL + "    o_ref[...] = (x_ref[...] + 1).astype(o_ref.dtype)\n"),
        ],
    ),
    "a value of another dtype": (
        KERNEL + "    return jnp.arange(8)\n",
        LAUNCH,
        [
            (
                UNSAFE,
                "Store the result in `o_ref`",
                "The value is int32 and `o_ref` is float32: the cast may lose precision.",
                KERNEL + "    o_ref[...] = jnp.arange(8).astype(o_ref.dtype)\n",
            )
        ],
    ),
    "a value of another shape": (
        KERNEL + "    return x_ref[...].sum()\n",
        LAUNCH,
        [
            (
                UNSAFE,
                "Store the result in `o_ref`",
                "The value of shape () is broadcast to that of `o_ref`.",
                KERNEL + "    o_ref[...] = jnp.broadcast_to(x_ref[...].sum(), o_ref.shape)\n",
            ),
            (
                UNSAFE,
                CAST,
                f"The value of shape () is broadcast to that of `o_ref`. {LOSS}",
                KERNEL + "    o_ref[...] = jnp.broadcast_to(x_ref[...].sum(), o_ref.shape).astype(o_ref.dtype)\n",
            ),
        ],
    ),
    "a value that cannot be broadcast": (
        KERNEL + "    return jnp.zeros(3)\n",
        LAUNCH,
        [(NONE, "Store the result in the output Ref", "The value has shape (3,), `o_ref` has shape (8,).", "")],
    ),
    "a number": (
        KERNEL + "    return 0\n",
        LAUNCH,
        [
            (
                UNSAFE,
                "Store the result in `o_ref`",
                "The number fills the whole of `o_ref`.",
                KERNEL + "    o_ref[...] = jnp.full(o_ref.shape, 0, o_ref.dtype)\n",
            )
        ],
    ),
    "a status after the store": (
        KERNEL + "    o_ref[...] = x_ref[...]\n    return 0\n",
        LAUNCH,
        [
            (
                SAFE,
                "Remove this `return`: it does not fit `o_ref`, which is already stored",
                "",
                KERNEL + "    o_ref[...] = x_ref[...]\n",
            )
        ],
    ),
    "an input Ref": (
        KERNEL + "    return x_ref\n",
        LAUNCH,
        [
            (SAFE, "Store the result in `o_ref`", "", KERNEL + "    o_ref[...] = x_ref[...]\n"),
            (UNSAFE, CAST, LOSS, KERNEL + "    o_ref[...] = x_ref[...].astype(o_ref.dtype)\n"),
        ],
    ),
    "what the output holds": (
        KERNEL + "    o_ref[...] = x_ref[...]\n    return o_ref[...]\n",
        LAUNCH,
        [(SAFE, "Remove this `return`: the outputs already hold it", "", KERNEL + "    o_ref[...] = x_ref[...]\n")],
    ),
    "what has been stored": (
        KERNEL + "    y = x_ref[...]\n    o_ref[...] = y\n    return y\n",
        LAUNCH,
        [
            (
                SAFE,
                "Remove this `return`: it is already stored",
                "",
                KERNEL + "    y = x_ref[...]\n    o_ref[...] = y\n",
            )
        ],
    ),
    "another value than was stored": (
        KERNEL + "    o_ref[...] = x_ref[...]\n    return x_ref[...] * 2\n",
        LAUNCH,
        [
            (
                UNSAFE,
                "Remove this `return`: `o_ref` is already stored",
                "`o_ref` is stored on line 11 already; the returned value is another one and is lost.",
                KERNEL + "    o_ref[...] = x_ref[...]\n",
            )
        ],
    ),
    "another value than was stored perhaps": (
        KERNEL + "    if x.size:\n        o_ref[...] = x_ref[...]\n    return jnp.exp(x_ref[...])\n",
        LAUNCH,
        [
            (
                UNSAFE,
                "Store the result in `o_ref`",
                "`o_ref` is also stored on line 12: the returned value takes the place of that.",
                KERNEL + "    if x.size:\n        o_ref[...] = x_ref[...]\n    o_ref[...] = jnp.exp(x_ref[...])\n",
            ),
            (
                UNSAFE,
                CAST,
                f"{LOSS} `o_ref` is also stored on line 12: the returned value takes the place of that.",
                KERNEL
                + "    if x.size:\n        o_ref[...] = x_ref[...]\n"
                + "    o_ref[...] = jnp.exp(x_ref[...]).astype(o_ref.dtype)\n",
            ),
            (
                UNSAFE,
                "Do not return the value: `o_ref` is already stored",
                "`o_ref` is stored on line 12 already; the returned value is another one and is lost.",
                KERNEL + "    if x.size:\n        o_ref[...] = x_ref[...]\n    jnp.exp(x_ref[...])\n",
            ),
        ],
    ),
    "nothing to store": (
        KERNEL + "    o_ref[...] = x_ref[...]\n    return ()\n",
        LAUNCH,
        [(SAFE, "Remove this `return`: it holds nothing to store", "", KERNEL + "    o_ref[...] = x_ref[...]\n")],
    ),
    "nothing to store, but something to do": (
        KERNEL + "    return o_ref.set(x_ref[...]), None\n",
        LAUNCH,
        [
            (
                SAFE,
                "Do not return the value: it holds nothing to store",
                "",
                KERNEL + "    o_ref.set(x_ref[...]), None\n",
            )
        ],
    ),
    "two outputs": (
        "def k(x_ref, a, b):\n    return x_ref[...], x_ref[...]\n",
        TWO_OUTPUTS,
        [
            (
                SAFE,
                "Store the result in `a` and `b`",
                "",
                "def k(x_ref, a, b):\n    a[...], b[...] = x_ref[...], x_ref[...]\n",
            ),
            (
                UNSAFE,
                "Store the result in `a` and `b`, each cast to its dtype",
                LOSS,
                "def k(x_ref, a, b):\n    a[...], b[...] = x_ref[...].astype(a.dtype), x_ref[...].astype(b.dtype)\n",
            ),
        ],
    ),
    "more values than outputs": (
        "def k(x_ref, a, b):\n    return x_ref[...], x_ref[...], 0\n",
        TWO_OUTPUTS,
        [
            (
                UNSAFE,
                "Store the first 2 values in `a` and `b`",
                "It returns 3 values, but there are 2 outputs, `a` and `b`. What is not stored is lost.",
                "def k(x_ref, a, b):\n"
                "    result = x_ref[...], x_ref[...], 0\n"
                "    a[...], b[...] = result[0], result[1]\n",
            )
        ],
    ),
    "fewer values than outputs": (
        "def k(x_ref, a, b):\n    return x_ref[...]\n",
        TWO_OUTPUTS,
        [
            (
                UNSAFE,
                "Store the result in `a`",
                "It returns one value, but there are 2 outputs, `a` and `b`. Nothing is stored in `b`.",
                "def k(x_ref, a, b):\n    a[...] = x_ref[...]\n",
            ),
            (
                UNSAFE,
                "Store the result in `a`, cast to its dtype",
                f"{LOSS} It returns one value, but there are 2 outputs, `a` and `b`. Nothing is stored in `b`.",
                "def k(x_ref, a, b):\n    a[...] = x_ref[...].astype(a.dtype)\n",
            ),
        ],
    ),
    "a star among values, after a store": (
        "def k(x_ref, a, b):\n    a[...] = x_ref[...]\n    both = (x_ref[...], x_ref[...] + 1)\n    return (*both,)\n",
        TWO_OUTPUTS,
        [
            (
                UNSAFE,
                "Remove this `return`: `a` is already stored",
                "`a` is stored on line 11 already; the returned value is another one and is lost.",
                "def k(x_ref, a, b):\n    a[...] = x_ref[...]\n    both = (x_ref[...], x_ref[...] + 1)\n",
            )
        ],
    ),
    "more values than outputs, from a lambda": (
        "k = lambda x_ref, a: (x_ref[...], x_ref[...])\n",
        LAUNCH,
        [(NONE, "Store the result in the output Ref", "It returns 2 values, but there is one output, `a`.", "")],
    ),
    "a function that lacks the last output": (
        "def k(x_ref, a):\n    return x_ref[...], x_ref[...] + 1\n",
        TWO_OUTPUTS,
        [
            (
                UNSAFE,
                "Add the output parameter `o_ref` and store the result",
                "The launch passes 3 Refs, and there are 2 parameters.",
                "def k(x_ref, a, o_ref):\n    a[...], o_ref[...] = x_ref[...], x_ref[...] + 1\n",
            )
        ],
    ),
    "a function that lacks outputs, and values that are fewer": (
        "def k(x_ref):\n    return x_ref[...]\n",
        TWO_OUTPUTS,
        [(NONE, "Store the result in the output Ref", "It returns one value, but there are 2 outputs.", "")],
    ),
    "a launch that says nothing of outputs": (
        KERNEL + "    return x_ref[...]\n",
        "pl.pallas_call(k)(x)\n",
        [
            (UNSAFE, "Store the result in `o_ref`", NO_OUT_SHAPE, KERNEL + "    o_ref[...] = x_ref[...]\n"),
            (UNSAFE, CAST, f"{LOSS} {NO_OUT_SHAPE}", KERNEL + "    o_ref[...] = x_ref[...].astype(o_ref.dtype)\n"),
        ],
    ),
    "one of two outputs is stored": (
        "def k(x_ref, a, b):\n    a[...] = x_ref[...]\n    return jnp.exp(x_ref[...])\n",
        TWO_OUTPUTS,
        [
            (
                UNSAFE,
                "Store the result in `b`",
                "Other outputs are stored before; this takes the value for `b`.",
                "def k(x_ref, a, b):\n    a[...] = x_ref[...]\n    b[...] = jnp.exp(x_ref[...])\n",
            ),
            (
                UNSAFE,
                "Store the result in `b`, cast to its dtype",
                f"{LOSS} Other outputs are stored before; this takes the value for `b`.",
                "def k(x_ref, a, b):\n    a[...] = x_ref[...]\n    b[...] = jnp.exp(x_ref[...]).astype(b.dtype)\n",
            ),
        ],
    ),
    "outputs in a dict": (
        "def k(x_ref, o):\n    return {'y': x_ref[...]}\n",
        "pl.pallas_call(k, out_shape={'y': OUT})(x)\n",
        [
            (SAFE, 'Store the result in `o["y"]`', "", 'def k(x_ref, o):\n    o["y"][...] = x_ref[...]\n'),
            (
                UNSAFE,
                'Store the result in `o["y"]`, each cast to its dtype',
                LOSS,
                'def k(x_ref, o):\n    o["y"][...] = x_ref[...].astype(o["y"].dtype)\n',
            ),
        ],
    ),
    "an early return": (
        KERNEL + "    if x.size:\n        return 0 * x_ref[...]\n    o_ref[...] = x_ref[...]\n",
        LAUNCH,
        [
            (
                SAFE,
                "Store the result in `o_ref`",
                "",
                KERNEL
                + "    if x.size:\n        o_ref[...] = 0 * x_ref[...]\n        return\n    o_ref[...] = x_ref[...]\n",
            ),
            (
                UNSAFE,
                CAST,
                LOSS,
                KERNEL
                + "    if x.size:\n        o_ref[...] = (0 * x_ref[...]).astype(o_ref.dtype)\n        return\n"
                + "    o_ref[...] = x_ref[...]\n",
            ),
        ],
    ),
    "a lambda": (
        "k = lambda x_ref, o_ref: x_ref[...] * 2\n",
        LAUNCH,
        [
            (
                SAFE,
                "Store the result in `o_ref`",
                "",
                "k = lambda x_ref, o_ref: o_ref.__setitem__(..., x_ref[...] * 2)\n",
            ),
            (
                SAFE,
                "Make the lambda a `def` that stores in `o_ref`",
                "",
                "\n\ndef k(x_ref, o_ref):\n    o_ref[...] = x_ref[...] * 2\n",
            ),
            (
                UNSAFE,
                CAST,
                LOSS,
                "k = lambda x_ref, o_ref: o_ref.__setitem__(..., (x_ref[...] * 2).astype(o_ref.dtype))\n",
            ),
        ],
    ),
    "no output parameter": (
        "def k(x):\n    return jnp.exp(x)\n",
        LAUNCH,
        [
            (
                SAFE,
                "Add the output parameter `out` and store the result",
                "",
                "def k(x, out):\n    out[...] = jnp.exp(x[...])\n",
            )
        ],
    ),
    "no output parameter before the scratch": (
        "def k(x_ref, s_ref):\n    return x_ref[...]\n",
        "pl.pallas_call(k, out_shape=OUT, scratch_shapes=[pltpu.VMEM((8,), jnp.float32)])(x)\n",
        [
            (
                SAFE,
                "Add the output parameter `o_ref` and store the result",
                "",
                "def k(x_ref, o_ref, s_ref):\n    o_ref[...] = x_ref[...]\n",
            )
        ],
    ),
    "no parameter for two outputs": (
        "def k(x_ref):\n    return x_ref[...], -x_ref[...]\n",
        TWO_OUTPUTS,
        [
            (
                SAFE,
                "Add the output parameters `o1_ref` and `o2_ref` and store the result",
                "",
                "def k(x_ref, o1_ref, o2_ref):\n    o1_ref[...], o2_ref[...] = x_ref[...], -x_ref[...]\n",
            )
        ],
    ),
    "an annotation": (
        "def k(x_ref, o_ref) -> jax.Array:\n    return x_ref[...]\n",
        LAUNCH,
        [
            (
                SAFE,
                "Store the result in `o_ref`",
                "",
                "def k(x_ref, o_ref) -> None:\n    o_ref[...] = x_ref[...]\n",
            ),
            (
                UNSAFE,
                CAST,
                LOSS,
                "def k(x_ref, o_ref) -> None:\n    o_ref[...] = x_ref[...].astype(o_ref.dtype)\n",
            ),
        ],
    ),
    "an output in memory that a device cannot store to": (
        KERNEL + "    return x_ref\n",
        "pl.pallas_call(k, out_shape=OUT, out_specs=pl.BlockSpec(memory_space=pltpu.HBM))(x)\n",
        [
            (
                UNSAFE,
                "Store the result in `o_ref`",
                "`o_ref` is in HBM memory: a device can only copy there.",
                KERNEL + "    o_ref[...] = x_ref[...]\n",
            ),
            (
                UNSAFE,
                CAST,
                f"{LOSS} `o_ref` is in HBM memory: a device can only copy there.",
                KERNEL + "    o_ref[...] = x_ref[...].astype(o_ref.dtype)\n",
            ),
        ],
    ),
    "an output with a default": (
        "def k(x_ref, o_ref=None):\n    return jnp.float32(1)\n",
        "pl.pallas_call(k, out_shape=jax.ShapeDtypeStruct((), jnp.float32))(x)\n",
        [
            (
                UNSAFE,
                "Store the result in `o_ref`",
                "`o_ref` has a value of its own, so it may not be meant as an output.",
                "def k(x_ref, o_ref=None):\n    o_ref[...] = jnp.float32(1)\n",
            ),
            (
                UNSAFE,
                CAST,
                f"{LOSS} `o_ref` has a value of its own, so it may not be meant as an output.",
                "def k(x_ref, o_ref=None):\n    o_ref[...] = jnp.float32(1).astype(o_ref.dtype)\n",
            ),
        ],
    ),
    "a function that is used elsewhere": (
        "def k(x):\n    return x * 2\n",
        LAUNCH + "y = k(x)\n",
        [
            (
                SAFE,
                "Launch a new kernel `k_kernel` that stores what `k` returns",
                "",
                "def k(x):\n    return x * 2\n\n\ndef k_kernel(x, o_ref):\n    o_ref[...] = k(x[...])\n",
            ),
            (
                UNSAFE,
                "Add the output parameter `out` and store the result",
                "`k` is also called as a function on line 13, where its result is used.",
                "def k(x, out):\n    out[...] = x[...] * 2\n",
            ),
        ],
    ),
    "a string": (
        KERNEL + "    return 'done'\n",
        LAUNCH,
        [(NONE, "Store the result in the output Ref", "A value of type `str` cannot be stored.", "")],
    ),
    "a string after the store": (
        KERNEL + "    o_ref[...] = x_ref[...]\n    return f'{x.size}'\n",
        LAUNCH,
        [
            (
                SAFE,
                "Remove this `return`: it does not fit `o_ref`, which is already stored",
                "",
                KERNEL + "    o_ref[...] = x_ref[...]\n",
            )
        ],
    ),
    "a generator": (
        KERNEL + "    yield 1\n",
        LAUNCH,
        [
            (
                NONE,
                "Store the result in the output Ref",
                "A generator cannot be a kernel: write it as a plain function that stores into its output Refs.",
                "",
            )
        ],
    ),
    "an array of NumPy": (
        "import numpy as np\n" + KERNEL + "    return np.zeros(8)\n",
        LAUNCH,
        [
            (
                NONE,
                "Store the result in the output Ref",
                "A NumPy array inside a kernel is a captured constant: pass it as an input.",
                "",
            )
        ],
    ),
    "a launch without outputs": (
        "def k():\n    return 1\n",
        "pl.core_map(mesh)(k)\n",
        [
            (
                NONE,
                "Store the result in the output Ref",
                "A `core_map` body has no output: store into a Ref that it closes over.",
                "",
            )
        ],
    ),
    "a dropped result": (
        KERNEL + "    return x_ref[...]\n",
        "plgpu.kernel(k, out_type=OUT)(x)\n",
        [
            (SAFE, "Store the result in `o_ref`", "", KERNEL + "    o_ref[...] = x_ref[...]\n"),
            (UNSAFE, CAST, LOSS, KERNEL + "    o_ref[...] = x_ref[...].astype(o_ref.dtype)\n"),
        ],
    ),
}


@pytest.mark.parametrize(("kernel", "launch", "expected"), FIXES.values(), ids=FIXES)
def test_fixes(kernel: str, launch: str, expected: list[Expected]) -> None:
    text = kernel + launch
    offered = [
        (fix.applicability, fix.title, fix.reason, applied(text, fix) if fix.edits else "") for fix in fixes(text)
    ]
    renamed = launch.replace("(k,", "(k_kernel,")
    wanted = [
        (how, title, why, after + (renamed if "k_kernel" in title else launch) if after else "")
        for how, title, why, after in expected
    ]
    assert offered == wanted


def test_the_launch_elsewhere_disagrees() -> None:
    other = "pl.pallas_call(k, out_shape=jax.ShapeDtypeStruct((8,), jnp.int32))(x)\n"
    preferred, *_ = fixes(KERNEL + "    return x_ref[...]\n" + LAUNCH + other)
    assert preferred.applicability is UNSAFE
    assert preferred.reason == "The launch on line 13 asks for something else here."

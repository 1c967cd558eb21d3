"""Kernels as they look just after a jnp function was turned into a Pallas kernel: each still returns its result.

JAX accepts the file and complains only when a kernel is called:

  $ python examples/returning_kernels.py
  ValueError: The kernel function in the pallas_call ... should return None. It returns a PyTree: ...

`make demo` lets the language server find and fix all of them, and runs the file again.
"""

import functools

import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

ROWS, COLUMNS = 16, 128
SHAPE = jax.ShapeDtypeStruct((ROWS, COLUMNS), jnp.float32)
ROW_BLOCK = pl.BlockSpec((8, COLUMNS), lambda i: (i, 0))


def add_kernel(x_ref, y_ref, o_ref):
    return x_ref[...] + y_ref[...]


def add(x, y):
    return pl.pallas_call(add_kernel, out_shape=SHAPE, interpret=True)(x, y)


def sin_cos_kernel(x_ref, sin_ref, cos_ref):
    """Two outputs: the tuple has to be taken apart."""
    x = x_ref[...]
    return (
        jnp.sin(x),  # the first output
        jnp.cos(x),
    )


def sin_cos(x):
    return pl.pallas_call(sin_cos_kernel, out_shape=(SHAPE, SHAPE), interpret=True)(x)


def leaky_relu_kernel(x_ref, o_ref, *, slope):
    """An early return: after the store the kernel still has to stop."""
    x = x_ref[...]
    if slope == 0:
        return jnp.maximum(x, 0)
    return jnp.where(x > 0, x, slope * x)


def leaky_relu(x, slope):
    kernel = functools.partial(leaky_relu_kernel, slope=slope)
    return pl.pallas_call(
        kernel, grid=(ROWS // 8,), in_specs=[ROW_BLOCK], out_specs=ROW_BLOCK, out_shape=SHAPE, interpret=True
    )(x)


def softmax_kernel(x_ref, o_ref, shifted_ref) -> jax.Array:
    """Scratch comes after the outputs: the last parameter is not where the result belongs."""
    x = x_ref[...]
    shifted_ref[...] = x - x.max(axis=-1, keepdims=True)
    exponent = jnp.exp(shifted_ref[...])
    return exponent / exponent.sum(axis=-1, keepdims=True)


def softmax(x):
    grid_spec = pltpu.PrefetchScalarGridSpec(
        num_scalar_prefetch=0,
        grid=(ROWS // 8,),
        in_specs=[ROW_BLOCK],
        out_specs=ROW_BLOCK,
        scratch_shapes=[pltpu.VMEM((8, COLUMNS), jnp.float32)],
    )
    return pl.pallas_call(softmax_kernel, out_shape=SHAPE, grid_spec=grid_spec, interpret=True)(x)


def double(x):
    return pl.pallas_call(lambda x_ref, o_ref: 2 * x_ref[...], out_shape=SHAPE, interpret=True)(x)


def gelu_kernel(x_ref):
    """A pure function: there is not even an output to store into."""
    return jax.nn.gelu(x_ref[...])


def gelu(x):
    return pl.pallas_call(gelu_kernel, out_shape=SHAPE, interpret=True)(x)


def main():
    x = jnp.linspace(-2, 2, ROWS * COLUMNS, dtype=jnp.float32).reshape(ROWS, COLUMNS)
    y = jnp.ones_like(x)
    results = {
        "add": (add(x, y), x + y),
        "sin_cos": (sin_cos(x), (jnp.sin(x), jnp.cos(x))),
        "leaky_relu": (leaky_relu(x, 0.1), jax.nn.leaky_relu(x, 0.1)),
        "relu": (leaky_relu(x, 0), jax.nn.relu(x)),
        "softmax": (softmax(x), jax.nn.softmax(x)),
        "double": (double(x), 2 * x),
        "gelu": (gelu(x), jax.nn.gelu(x)),
    }
    for name, (got, want) in results.items():
        assert jax.tree.all(jax.tree.map(functools.partial(jnp.allclose, atol=1e-5), got, want)), name
        print(f"{name:10} is right: {jax.tree.leaves(got)[0][0, :4]} ...")


if __name__ == "__main__":
    main()

/** The file that the walkthrough opens. */
export const EXAMPLE = `import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl


def add_kernel(x_ref, y_ref, o_ref):
    # A kernel must not return its result: it stores it in the output Ref.
    # Put the cursor on the line below and press Ctrl+. (Cmd+. on a Mac).
    return x_ref[...] + y_ref[...]


def add(x, y):
    return pl.pallas_call(
        add_kernel,
        out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype),
        interpret=True,
    )(x, y)


if __name__ == "__main__":
    print(add(jnp.arange(8.0), jnp.ones(8)))
`;

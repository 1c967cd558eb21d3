"""Which launch is Pallas': every form of import, and everything that shadows one."""

from __future__ import annotations

import pytest

from pallas_lsp.check import check

KERNEL = """\
import jax
import jax.numpy as jnp
OUT = jax.ShapeDtypeStruct((8,), jnp.float32)
x = jnp.arange(8.0)


def k(x_ref, o_ref):
    return x_ref[...]


"""
LAUNCHES = {
    "import as": "import jax.experimental.pallas as pl\npl.pallas_call(k, out_shape=OUT)(x)\n",
    "from import module": "from jax.experimental import pallas\npallas.pallas_call(k, out_shape=OUT)(x)\n",
    "from import module as": "from jax.experimental import pallas as p\np.pallas_call(k, out_shape=OUT)(x)\n",
    "from import function": "from jax.experimental.pallas import pallas_call\npallas_call(k, out_shape=OUT)(x)\n",
    "from import function as": "from jax.experimental.pallas import pallas_call as pc\npc(k, out_shape=OUT)(x)\n",
    "from import star": "from jax.experimental.pallas import *\npallas_call(k, out_shape=OUT)(x)\n",
    "the whole path": "import jax.experimental.pallas\njax.experimental.pallas.pallas_call(k, out_shape=OUT)(x)\n",
    "attributes of a module": "from jax import experimental as e\ne.pallas.pallas_call(k, out_shape=OUT)(x)\n",
    "bound again": "from jax.experimental import pallas as pl\n"
    "q = pl\ncall = q.pallas_call\ncall(k, out_shape=OUT)(x)\n",
    "the private path": "from jax._src.pallas.pallas_call import pallas_call\npallas_call(k, out_shape=OUT)(x)\n",
    "in a function": "def f():\n"
    "    from jax.experimental import pallas as pl\n    pl.pallas_call(k, out_shape=OUT)(x)\n",
    "in try": "try:\n    from jax.experimental import pallas as pl\nexcept ImportError:\n    pl = None\n"
    "pl.pallas_call(k, out_shape=OUT)(x)\n",
    "under a condition": "if x.size:\n"
    "    from jax.experimental import pallas as pl\npl.pallas_call(k, out_shape=OUT)(x)\n",
    "for types, and in the function": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n"
    "    from jax.experimental import pallas as pl\ndef f():\n    from jax.experimental import pallas as pl\n"
    "    pl.pallas_call(k, out_shape=OUT)(x)\n",
}


@pytest.mark.parametrize("launch", LAUNCHES.values(), ids=LAUNCHES)
def test_a_launch_is_found_through_every_import(launch: str) -> None:
    assert [finding.code for finding in check(KERNEL + launch).findings] == ["PAL001"]


SHADOWED = {
    "an own function": "def pallas_call(f, out_shape): return f\npallas_call(k, out_shape=OUT)(x)\n",
    "an own function after the import": "from jax.experimental.pallas import pallas_call\n"
    "def pallas_call(f, out_shape): return f\npallas_call(k, out_shape=OUT)(x)\n",
    "an own class": "class pl:\n    @staticmethod\n    def pallas_call(f, out_shape): return f\n"
    "pl.pallas_call(k, out_shape=OUT)(x)\n",
    "another module": "import elsewhere as pl\npl.pallas_call(k, out_shape=OUT)(x)\n",
    "another module after the import": "from jax.experimental import pallas as pl\nimport elsewhere as pl\n"
    "pl.pallas_call(k, out_shape=OUT)(x)\n",
    "a parameter": "from jax.experimental import pallas as pl\n"
    "def f(pl):\n    pl.pallas_call(k, out_shape=OUT)(x)\nf(1)\n",
    "a local variable": "from jax.experimental import pallas as pl\ndef f():\n    pl = make()\n"
    "    pl.pallas_call(k, out_shape=OUT)(x)\n",
    "a loop variable": "from jax.experimental import pallas as pl\nfor pl in make():\n"
    "    pl.pallas_call(k, out_shape=OUT)(x)\n",
    "a name of another function": "def g():\n    from jax.experimental import pallas as pl\n"
    "def f():\n    pl.pallas_call(k, out_shape=OUT)(x)\n",
    "a name of a class": "class A:\n    from jax.experimental import pallas as pl\n    def f(self):\n"
    "        pl.pallas_call(k, out_shape=OUT)(x)\n",
    "a comment": "# pl.pallas_call(k, out_shape=OUT)(x)\n",
    "a string": "'from jax.experimental import pallas as pl; pl.pallas_call(k, out_shape=OUT)(x)'\n",
    "another kernel": "from jax.experimental import pallas as pl\ndef k(x_ref, o_ref): o_ref[...] = x_ref[...]\n"
    "pl.pallas_call(k, out_shape=OUT)(x)\n",
}


@pytest.mark.parametrize("launch", SHADOWED.values(), ids=SHADOWED)
def test_what_shadows_it_is_no_launch(launch: str) -> None:
    assert check(KERNEL + launch).findings == ()

"""The outline: source in; kernels, launches and what parameters are bound to out."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from pallas_lsp.findings import Range
from pallas_lsp.outline import Outline, Place, outline
from pallas_lsp.semantics.project import Project
from pallas_lsp.semantics.values import Role
from tests.oracle.harness import programs

IMPORTS = """\
import functools
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu
"""


def source(text: str) -> str:
    return IMPORTS + dedent(text)


def at(text: str, place: Range | Place | None) -> str | None:
    """The text at a place."""
    if place is None:
        return None
    range = place.range if isinstance(place, Place) else place
    lines = text.split("\n")[range.start.line : range.end.line + 1]
    lines[-1] = lines[-1][: range.end.character]
    lines[0] = lines[0][range.start.character :]
    return "\n".join(lines)


BLOCKS = source("""
    def scale(s_ref, x_ref, y_ref, o_ref, acc_ref):
        o_ref[...] = x_ref[...] * s_ref[0] + y_ref[...]

    def launch(s, x, y, block_m):
        return pl.pallas_call(
            scale,
            grid_spec=pltpu.PrefetchScalarGridSpec(
                num_scalar_prefetch=1,
                grid=(4, 2),
                in_specs=[
                    pl.BlockSpec((8, 128), lambda i, j, s: (i, j)),
                    pl.BlockSpec((block_m, 128), lambda i, j, s: (i, j)),
                ],
                out_specs=pl.BlockSpec((8, 128), lambda i, j, s: (i, j), memory_space=pltpu.VMEM),
                scratch_shapes=[pltpu.VMEM((8, 128), jnp.float32)],
            ),
            out_shape=jax.ShapeDtypeStruct((32, 256), jnp.float32),
        )(s, x, y)
""")


def test_a_kernel_with_its_launch() -> None:
    found = outline(BLOCKS)
    [kernel], [launch] = found.kernels, found.launches
    assert kernel.launches == (launch,)
    assert (kernel.name, at(BLOCKS, kernel.name_range)) == ("scale", "scale")
    assert str(at(BLOCKS, kernel.range)).startswith("def scale(")
    assert at(BLOCKS, launch.entry) == "pl.pallas_call"
    assert at(BLOCKS, launch.kernel) == "scale"
    assert (launch.entry_name, launch.kernel_name, launch.grid) == ("pallas_call", "scale", "(4, 2)")
    assert launch.outputs == ("float32[32,256]",)


def test_what_parameters_are_bound_to() -> None:
    [launch] = outline(BLOCKS).launches
    assert [
        (one.name, one.role, one.index, one.type, one.memory_space, at(BLOCKS, one.bound)) for one in launch.parameters
    ] == [
        ("s_ref", Role.PREFETCH, 0, "", "", "s"),
        ("x_ref", Role.INPUT, 0, "[8,128]", "", "x"),
        ("y_ref", Role.INPUT, 1, "[block_m,128]", "", "y"),
        ("o_ref", Role.OUTPUT, 0, "float32[8,128]", "VMEM", "jax.ShapeDtypeStruct((32, 256), jnp.float32)"),
        ("acc_ref", Role.SCRATCH, 0, "float32[8,128]", "VMEM", None),
    ]
    assert [at(BLOCKS, one.specification) for one in launch.parameters] == [
        None,
        "pl.BlockSpec((8, 128), lambda i, j, s: (i, j))",
        "pl.BlockSpec((block_m, 128), lambda i, j, s: (i, j))",
        "pl.BlockSpec((8, 128), lambda i, j, s: (i, j), memory_space=pltpu.VMEM)",
        "pltpu.VMEM((8, 128), jnp.float32)",
    ]
    assert [at(BLOCKS, one.range) for one in launch.parameters] == [one.name for one in launch.parameters]


def test_several_outputs_and_launches() -> None:
    text = source("""
        def split(x_ref, a_ref, b_ref):
            a_ref[...] = b_ref[...] = x_ref[...]

        A = jax.ShapeDtypeStruct((8,), jnp.float32)
        one = pl.pallas_call(split, out_shape=[A, A])
        two = pl.pallas_call(functools.partial(split), out_shape=(A, jax.ShapeDtypeStruct((4,), jnp.int32)))
    """)
    found = outline(text)
    [kernel] = found.kernels
    assert [launch.outputs for launch in kernel.launches] == [
        ("float32[8]", "float32[8]"),
        ("float32[8]", "int32[4]"),
    ]
    assert [at(text, one.bound) for one in kernel.launches[1].parameters] == [
        None,
        "A",
        "jax.ShapeDtypeStruct((4,), jnp.int32)",
    ]


def test_many_refs_in_one_parameter() -> None:
    text = source("""
        def copy(*refs, n):
            refs[1][...] = refs[0][...]

        def launch(x):
            return pl.pallas_call(
                functools.partial(copy, n=2), out_shape=jax.ShapeDtypeStruct((8,), jnp.float32)
            )(x)
    """)
    [launch] = outline(text).launches
    [refs] = launch.parameters
    assert (refs.name, refs.role, refs.references, refs.bound) == ("refs", Role.UNKNOWN, 2, None)


def test_a_none_takes_a_place_and_has_no_ref() -> None:
    """What stands behind a None is counted, and is not said to be bound to the None."""
    text = source("""
        def copy(mask, x_ref, o_ref):
            o_ref[...] = x_ref[...]

        spec = pl.BlockSpec((8,), lambda: (0,))
        out = jax.ShapeDtypeStruct((8,), jnp.float32)
        y = pl.pallas_call(copy, in_specs=[None, spec], out_specs=spec, out_shape=out)(None, jnp.ones((8,)))
    """)
    [launch] = outline(text).launches
    assert [(one.name, one.role, one.specification, one.bound) for one in launch.parameters] == [
        ("x_ref", Role.INPUT, None, None),
        ("o_ref", Role.OUTPUT, None, None),
    ]


@pytest.mark.parametrize("parameters", ["x_ref, o_ref, acc_ref", "x_ref, o_ref, *, acc_ref"])
@pytest.mark.parametrize(
    "launch",
    [
        "pl.pallas_call(add, out_shape=out, scratch_shapes=scratch)",
        "pl.kernel(add, out_type=out, mesh=mesh, scratch_types=scratch)",
    ],
)
def test_scratch_by_keyword_leaves_the_others_their_roles(parameters: str, launch: str) -> None:
    """Also where the number of inputs is known from the kernel alone: the launch is not applied where it stands."""
    text = source(f"""
        def add({parameters}):
            o_ref[...] = x_ref[...]

        def make(mesh):
            out = jax.ShapeDtypeStruct((8,), jnp.float32)
            scratch = {{"acc_ref": pltpu.VMEM((8,), jnp.bfloat16)}}
            return {launch}
    """)
    [found] = outline(text).launches
    assert {one.name: (one.role, one.dtype) for one in found.parameters} == {
        "x_ref": (Role.INPUT, ""),
        "o_ref": (Role.OUTPUT, "float32"),
        "acc_ref": (Role.SCRATCH, "bfloat16"),
    }


def test_a_lambda() -> None:
    text = source("""
        y = pl.pallas_call(lambda x_ref, o_ref: o_ref.set(x_ref[...]), out_shape=jax.ShapeDtypeStruct((8,), jnp.int32))
    """)
    [kernel] = outline(text).kernels
    assert kernel.name == "<lambda>"
    assert str(at(text, kernel.name_range)).startswith("lambda x_ref, o_ref")


def test_a_launch_in_another_file(tmp_path: Path) -> None:
    kernels, launches = tmp_path / "kernels.py", tmp_path / "launches.py"
    kernels.write_text("def double(x_ref, o_ref):\n    o_ref[...] = x_ref[...] * 2\n")
    launches.write_text(
        source("""
            from kernels import double
            y = pl.pallas_call(double, out_shape=jax.ShapeDtypeStruct((8,), jnp.float32))
        """)
    )
    project = Project((tmp_path,))
    project.index()
    defined = outline(kernels.read_text(), path=str(kernels), project=project)
    [kernel] = defined.kernels
    assert defined.launches == ()
    assert [launch.place.path for launch in kernel.launches] == [str(launches)]
    launched = outline(launches.read_text(), path=str(launches), project=project)
    assert launched.kernels == ()
    [launch] = launched.launches
    assert launch.kernel is not None and launch.kernel.path == str(kernels)
    assert at(kernels.read_text(), launch.kernel) == "double"


@pytest.mark.parametrize("text", ["", "x = 1\n", "import jax.experimental.pallas as pl\ndef f(:\n", IMPORTS])
def test_nothing_to_tell(text: str) -> None:
    assert outline(text) == Outline()


def test_every_program_has_an_outline() -> None:
    """Whatever is launched: places are in the text, and a parameter's place is its name."""
    outlined = 0
    for program in programs("cases") + programs("fixed"):
        text = program.path.read_text(encoding="utf-8")
        found = outline(text, path=str(program.path))
        for launch in found.launches:
            assert at(text, launch.place), program.path
            for parameter in launch.parameters:
                assert launch.kernel is not None
                if launch.kernel.path is None:
                    assert at(text, parameter.range) == parameter.name, program.path
        outlined += bool(found.launches)
    assert outlined > 300


def test_uses_of_parameters() -> None:
    """A name that an inner scope binds anew is another variable."""
    text = source("""
        def twice(x_ref, o_ref):
            def inner(x_ref):
                return x_ref
            @pl.when(x_ref[0] > 0)
            def _():
                o_ref[...] = inner(x_ref[...]) + sum(x_ref for x_ref in range(3))

        y = pl.pallas_call(twice, out_shape=jax.ShapeDtypeStruct((8,), jnp.float32))
    """)
    [kernel] = outline(text).kernels
    first = text[: text.index("def twice")].count("\n")
    assert [(use.name, use.range.start.line - first, use.range.start.character) for use in kernel.uses] == [
        ("x_ref", 0, 10),
        ("o_ref", 0, 17),
        ("x_ref", 3, 13),
        ("o_ref", 5, 8),
        ("x_ref", 5, 27),
    ]
    assert all(at(text, use.range) == use.name for use in kernel.uses)

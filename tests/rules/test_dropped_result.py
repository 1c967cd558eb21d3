"""PAL002: JAX drops what a kernel or body returns, and its output is never written."""

from __future__ import annotations

import textwrap

import pytest

from tests.rules.support import LAUNCH, disagreements, finding

KERNELS = {
    "one array": """
        @plgpu.kernel(out_type=OUT)
        def k(x_ref, o_ref):
            return x_ref[...]  # PAL002: `kernel` ignores what `k` returns: the value is lost
    """,
    "the remedy names the output": """
        @plgpu.kernel(out_type=OUT)
        def k(x_ref, total):
            return x_ref[...]  # PAL002: Store the result in `total[...]`.
    """,
    "the other spelling of the outputs": """
        k = plgpu.kernel(lambda x_ref, o_ref: x_ref[...], out_shape=OUT)  # PAL002
    """,
    "something has been stored": """
        @plgpu.kernel(out_type=OUT)
        def k(x_ref, o_ref):
            o_ref[...] = x_ref[...]
            return x_ref[...]
    """,
    "something may have been stored": """
        @plgpu.kernel(out_type=OUT)
        def k(x_ref, o_ref):
            if SIZE:
                o_ref[...] = x_ref[...]
            return x_ref[...]
    """,
    "a helper that is not in view may have stored": """
        import elsewhere

        @plgpu.kernel(out_type=OUT)
        def k(x_ref, o_ref):
            elsewhere.store(x_ref, o_ref)
            return 0
    """,
    "a helper in view has stored": """
        def store(source, target):
            target[...] = source[...]

        @plgpu.kernel(out_type=OUT)
        def k(x_ref, o_ref):
            store(x_ref, o_ref)
            return 0
    """,
    "a helper in view has not stored": """
        def look(source, target):
            return source[...] + target[...]

        @plgpu.kernel(out_type=OUT)
        def k(x_ref, o_ref):
            y = look(x_ref, o_ref)
            return y  # PAL002
    """,
    "a copy has stored": """
        @plgpu.kernel(out_type=OUT)
        def k(x_ref, o_ref):
            plgpu.copy_smem_to_gmem(x_ref, o_ref)
            return plgpu.wgmma_wait(0)
    """,
    "it holds nothing": """
        @plgpu.kernel(out_type=OUT)
        def k(x_ref, o_ref):
            return ()
    """,
    "scratch is no output": """
        @plgpu.kernel(out_type=OUT, scratch_types=[plgpu.SMEM((8,), jnp.float32)])
        def k(x_ref, o_ref, s_ref):
            s_ref[...] = x_ref[...]
            return s_ref[...]  # PAL002: Store the result in `o_ref[...]`.
    """,
    "a pipeline": """
        def body(x_ref, o_ref):
            return x_ref[...]  # PAL002: `emit_pipeline` ignores what `body` returns

        def k(x_ref, o_ref):
            spec = pl.BlockSpec((8,), lambda i: (i,))
            pltpu.emit_pipeline(body, grid=(1,), in_specs=[spec], out_specs=[spec])(x_ref, o_ref)

        pl.pallas_call(k, out_shape=OUT)(x)
    """,
    "a pipeline with a carry": """
        def k(x_ref, o_ref):
            spec = plgpu.BlockSpec((8,), lambda i: (i,))
            def body(indices, a, b, carry):
                return carry + a[...]
            plgpu.emit_pipeline(body, grid=(1,), in_specs=[spec], out_specs=[spec], init_carry=0)(x_ref, o_ref)

        pl.pallas_call(k, out_shape=OUT)(x)
    """,
    "a loop without outputs has nothing to lose": """
        def k(x_ref, o_ref):
            @plgpu.nd_loop((2,), collective_axes="wg")
            def _(info):
                return x_ref[...]

        pl.pallas_call(k, out_shape=OUT)(x)
    """,
}


def program(kernel: str) -> str:
    return "SIZE = int(input())\n" + textwrap.dedent(kernel).lstrip("\n")


@pytest.mark.parametrize("kernel", KERNELS.values(), ids=KERNELS)
def test_findings_stand_on_their_lines(kernel: str) -> None:
    assert disagreements(program(kernel)) == []


def test_under_a_launch_that_raises_it_is_the_other_rule() -> None:
    kernel = "def k(x_ref, o_ref):\n    return x_ref[...]\n"
    assert finding(kernel + "plgpu.kernel(k, out_type=OUT)(x)\n").code == "PAL002"
    assert finding(kernel + LAUNCH).code == "PAL001"

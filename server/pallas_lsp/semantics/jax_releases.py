"""Which names of Pallas each JAX release has, as a table, with what to write instead.

Every bound is a release that was tried, so between two bounds nothing is claimed. `tests/rules/test_missing_name.py`
compares the table with the JAX that is installed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pallas_lsp.semantics.jax_api import MOSAIC_GPU, PALLAS, TPU, TRITON, Version

OLDEST: Version = (0, 4, 35)
"""The oldest release that the table speaks for."""


@dataclass(frozen=True, slots=True)
class Availability:
    """In which releases a name, or a keyword, exists.

    Args:
      until: it does not exist in this release and older ones; None when it is as old as the table.
      gone: it does not exist in this release and newer ones; None when it still exists.
      instead: canonical name of the same thing in other releases; for a keyword, the other keyword; may be empty.
      advice: what to do where no other name means the same.
    """

    until: Version | None = None
    gone: Version | None = None
    instead: str = ""
    advice: str = ""

    def is_missing(self, release: Version) -> bool:
        """Whether a release is known to lack it."""
        if release < OLDEST:
            return False
        return (self.until is not None and release <= self.until) or (self.gone is not None and release >= self.gone)

    def is_missing_in_all(self, releases: Iterable[Version]) -> bool:
        """Whether all of some releases are known to lack it."""
        return all(map(self.is_missing, releases))


def _gone(module: str, release: Version, names: str, advice: str = "") -> dict[str, Availability]:
    return {f"{module}.{name}": Availability(gone=release, advice=advice) for name in names.split()}


def _new(module: str, release: Version, names: str) -> dict[str, Availability]:
    return {f"{module}.{name}": Availability(until=release) for name in names.split()}


def _renamed(old: str, gone: Version, new: str, until: Version) -> dict[str, Availability]:
    return {old: Availability(gone=gone, instead=new), new: Availability(until=until, instead=old)}


def _moved(name: str, gone: Version, until: Version) -> dict[str, Availability]:
    """A name of the TPU module that became one of Pallas itself."""
    return _renamed(f"{TPU}.{name}", gone, f"{PALLAS}.{name}", until)


_ATOMIC = "atomic_add atomic_and atomic_cas atomic_max atomic_min atomic_or atomic_xchg atomic_xor"
_INDEXING = "Index the Ref, as in `x_ref[...]`; with a mask, use `load` and `store` of the backend's module."

NAMES: dict[str, Availability] = {
    **_gone(PALLAS, (0, 9, 0), "load store swap", _INDEXING),
    **_gone(PALLAS, (0, 9, 0), _ATOMIC, "The module `jax.experimental.pallas.triton` has it."),
    **_gone(PALLAS, (0, 9, 0), "max_contiguous", "The module `jax.experimental.pallas.triton` has it."),
    **_gone(PALLAS, (0, 11, 2), "dot", "Use `jax.numpy.dot`."),
    **_gone(PALLAS, (0, 6, 2), "Unblocked unblocked", "Use `pl.Element` for the dimensions of the block."),
    **_gone(TPU, (0, 10, 2), "repeat", "Use `jax.numpy.tile`."),
    **_gone(TPU, (0, 10, 2), "get_pipeline_schedule make_pipeline_allocations"),
    **_gone(TPU, (0, 6, 2), "device_id enable_runtime_assert runtime_assert_enabled"),
    **_renamed(f"{TPU}.TPUCompilerParams", (0, 7, 2), f"{TPU}.CompilerParams", (0, 5, 3)),
    **_renamed(f"{TPU}.TPUMemorySpace", (0, 7, 2), f"{TPU}.MemorySpace", (0, 5, 3)),
    **_renamed(f"{TRITON}.TritonCompilerParams", (0, 7, 2), f"{TRITON}.CompilerParams", (0, 5, 3)),
    **_renamed(f"{MOSAIC_GPU}.GPUCompilerParams", (0, 6, 2), f"{MOSAIC_GPU}.CompilerParams", (0, 5, 3)),
    **_renamed(f"{MOSAIC_GPU}.GPUMemorySpace", (0, 6, 2), f"{MOSAIC_GPU}.MemorySpace", (0, 5, 3)),
    **_renamed(f"{MOSAIC_GPU}.GPUBlockSpec", (0, 6, 2), f"{MOSAIC_GPU}.BlockSpec", (0, 5, 3)),
    **_renamed(f"{MOSAIC_GPU}.GPUMesh", (0, 6, 2), f"{MOSAIC_GPU}.Mesh", (0, 5, 3)),
    **_moved("delay", (0, 10, 0), (0, 7, 2)),
    **_moved("semaphore", (0, 11, 2), (0, 5, 3)),
    **_moved("semaphore_read", (0, 11, 2), (0, 5, 3)),
    **_moved("semaphore_signal", (0, 11, 2), (0, 5, 3)),
    **_moved("semaphore_wait", (0, 11, 2), (0, 5, 3)),
    **_moved("DeviceIdType", (0, 11, 2), (0, 5, 3)),
    f"{TPU}.ANY": Availability(gone=(0, 10, 0), instead=f"{PALLAS}.ANY"),
    f"{TPU}.KernelType": Availability((0, 5, 3), (0, 10, 2)),
    f"{TPU}.HOST": Availability((0, 6, 2), (0, 11, 2), f"{PALLAS}.HOST"),
    **_new(PALLAS, (0, 4, 35), "estimate_cost"),
    **_new(PALLAS, (0, 4, 38), "Buffered empty empty_like lower_as_mlir reciprocal"),
    **_new(PALLAS, (0, 5, 3), "BoundedSlice Element Squeezed debug_check enable_debug_checks loop squeezed"),
    **_new(PALLAS, (0, 6, 2), "HOST empty_ref_like"),
    **_new(PALLAS, (0, 7, 2), "get_global kernel"),
    **_new(PALLAS, (0, 8, 3), "with_scoped"),
    **_new(PALLAS, (0, 9, 2), "Indirect align_to select_ref"),
    **_new(TPU, (0, 4, 38), "core_barrier run_on_first_core sync_copy"),
    **_new(TPU, (0, 5, 3), "HBM InterpretParams with_memory_space_constraint"),
    **_new(TPU, (0, 6, 2), "force_tpu_interpret_mode load store touch"),
    **_new(TPU, (0, 7, 2), "get_tpu_info stochastic_round"),
    **_new(TPU, (0, 8, 3), "CoreType einshape trace_value"),
    **_new(TPU, (0, 10, 2), "PipelineStep TensorCoreMesh"),
    **_new(MOSAIC_GPU, (0, 4, 35), "emit_pipeline"),
    **_new(MOSAIC_GPU, (0, 4, 38), "emit_pipeline_warp_specialized kernel"),
    **_new(MOSAIC_GPU, (0, 5, 3), "nd_loop"),
    **_new(TRITON, (0, 6, 2), f"load store {_ATOMIC}"),
    **_new(TRITON, (0, 9, 2), "dot"),
}
"""The names of modules that not every release has."""

KEYWORDS: dict[tuple[str, str], Availability] = {
    (f"{PALLAS}.pallas_call", "backend"): Availability(gone=(0, 9, 2)),
    (f"{PALLAS}.pallas_call", "metadata"): Availability(until=(0, 6, 2)),
    (f"{PALLAS}.BlockSpec", "pipeline_mode"): Availability(until=(0, 4, 38)),
    (f"{PALLAS}.BlockSpec", "indexing_mode"): Availability(gone=(0, 7, 2)),
    (f"{PALLAS}.kernel", "out_shape"): Availability(gone=(0, 10, 2), instead="out_type"),
    (f"{PALLAS}.kernel", "scratch_shapes"): Availability(gone=(0, 10, 2), instead="scratch_types"),
    (f"{PALLAS}.kernel", "out_type"): Availability(until=(0, 9, 2), instead="out_shape"),
    (f"{PALLAS}.kernel", "scratch_types"): Availability(until=(0, 9, 2), instead="scratch_shapes"),
    (f"{PALLAS}.loop", "step"): Availability(until=(0, 6, 2)),
    (f"{PALLAS}.loop", "init_carry"): Availability(until=(0, 9, 2)),
    (f"{TPU}.CompilerParams", "kernel_type"): Availability(gone=(0, 10, 2)),
}
"""The keywords of functions and classes that not every release has."""

"""Kernels that come with JAX, broken by a `return` and fixed again, compute what they computed before.

`bench/mutants.py` breaks them; it measures the same for any folder, without running anything.
"""

from __future__ import annotations

import ast
import importlib
import itertools
import sys
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

jax = pytest.importorskip("jax")
import numpy as np  # noqa: E402

from bench.mutants import VARIANTS, Kernel, Source, kernels_of  # noqa: E402
from pallas_lsp.check import check  # noqa: E402
from pallas_lsp.fixing import fix_all  # noqa: E402
from pallas_lsp.semantics.analysis import analyse  # noqa: E402
from pallas_lsp.semantics.project import Project  # noqa: E402
from tests.oracle.harness import NONE_ERROR, RULES  # noqa: E402

pytestmark = pytest.mark.jax

OPS = "jax.experimental.pallas.ops"


def _array(*shape: int) -> Any:
    return jax.numpy.sin(jax.numpy.arange(float(np.prod(shape)))).reshape(shape)


def _on_tpu(function: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """Runs what has no option for it as on a TPU, in interpret mode."""
    from jax.experimental.pallas import tpu

    with tpu.force_tpu_interpret_mode():
        return function(*arguments, **options)


def _with_gradient(function: Callable[..., Any], *arguments: Any) -> Any:
    everywhere = tuple(range(len(arguments)))
    return jax.value_and_grad(lambda *given: function(*given).sum(), everywhere)(*arguments)


PROGRAMS: dict[str, Callable[[Any], Any]] = {
    "gpu.softmax": lambda m: m.softmax(_array(4, 128), interpret=True),
    "gpu.rms_norm": lambda m: _with_gradient(
        lambda x, w, b: m.rms_norm(x, w, b, interpret=True), _array(2, 4, 128), _array(128), _array(128)
    ),
    "gpu.decode_attention": lambda m: m.mqa(
        _array(1, 2, 32), _array(1, 64, 32), _array(1, 64, 32), k_splits=2, block_h=2, block_k=16, interpret=True
    ),
    "tpu.example_kernel": lambda m: _on_tpu(m.double, _array(8, 128)),
    "tpu.matmul": lambda m: _on_tpu(m.matmul, _array(128, 128), _array(128, 128), block_shape=(128, 128), block_k=128),
    "tpu.random.threefry": lambda m: _on_tpu(m.plthreefry_random_bits, _key(), 32, (8, 128)),
    "tpu.random.philox": lambda m: _on_tpu(m.philox_random_bits, _key(), 32, (8, 128)),
}
"""Modules of kernels, and what to run of each."""

RESTORING = tuple(name for name in VARIANTS if name not in ("pair", "at the start"))
"""The variants whose returned value the original has stored; the others lose it, and their fixes say so."""


def _key() -> Any:
    return jax.numpy.array([1, 2], jax.numpy.uint32)


def path_of(module: str) -> Path:
    return Path(importlib.import_module(f"{OPS}.{module}").__file__ or "")


_numbers = itertools.count()


def run(module: str, text: str) -> Any:
    """What the program for a module gives with another text of it."""
    name = f"{OPS}.{module}_{next(_numbers)}"
    changed = types.ModuleType(name)
    changed.__package__ = name.rpartition(".")[0]
    sys.modules[name] = changed
    try:
        # A name may be registered once only; what runs here does not look it up.
        exec(compile(text.replace("prng.register_prng(", "id("), name, "exec"), changed.__dict__)
        return jax.tree.map(np.asarray, PROGRAMS[module](changed))
    finally:
        del sys.modules[name]


def mutants(text: str, path: Path, project: Project) -> Iterator[tuple[str, Kernel, str]]:
    """The variant, the kernel and the text of each mutant of a file."""
    source = Source(tuple(text.splitlines(keepends=True)))
    for kernel in kernels_of(analyse(project.update(str(path), text), project), text):
        for variant in RESTORING:
            mutant = VARIANTS[variant](source, kernel)
            if mutant is not None:
                yield variant, kernel, mutant.text


@pytest.mark.parametrize("module", PROGRAMS)
def test_fixed_mutants_compute_the_same(module: str) -> None:
    path = path_of(module)
    text = path.read_text(encoding="utf-8")
    project = Project((path.parent,))
    expected = run(module, text)
    compared = 0

    def reported(changed: str) -> bool:
        findings = check(changed, path=str(path), project=project).findings
        return any(finding.code in RULES for finding in findings)

    for variant, kernel, broken in mutants(text, path, project):
        if variant != "in a branch":  # which is never taken, but nobody can know that
            with pytest.raises(ValueError, match=NONE_ERROR):
                run(module, broken)
        if not reported(broken):
            continue  # a miss; how many there are is measured elsewhere
        fixed = fix_all(broken, path=str(path), project=project, unsafe=True).text
        assert not reported(fixed), f"{variant}: {kernel.name}"
        if ast.dump(ast.parse(fixed)) != ast.dump(ast.parse(text)):
            jax.tree.map(np.testing.assert_array_equal, run(module, fixed), expected)
        compared += 1
    assert compared

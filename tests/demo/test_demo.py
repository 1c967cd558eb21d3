"""`make demo` keeps its promises, and says so when it cannot."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
EXAMPLE = ROOT / "examples" / "returning_kernels.py"

pytestmark = pytest.mark.jax


def demo(*arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "server")}
    command = [sys.executable, str(ROOT / "examples" / "demo.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False)


def test_demo_fixes_the_example_without_touching_the_file() -> None:
    before = EXAMPLE.read_bytes()
    outcome = demo()
    assert outcome.stderr == ""
    assert outcome.returncode == 0
    for line in (
        "  +    o_ref[...] = x_ref[...] + y_ref[...]",
        "  +        o_ref[...] = jnp.maximum(x, 0)",
        "  +def gelu_kernel(x_ref, o_ref):",
    ):
        assert line in outcome.stdout.splitlines()
    assert "ValueError: The kernel function in the pallas_call add_kernel at" in outcome.stdout
    assert outcome.stdout.count(" is right: ") == 7
    assert EXAMPLE.read_bytes() == before


def test_demo_fails_when_there_is_nothing_to_show(tmp_path: Path) -> None:
    program = tmp_path / "nothing.py"
    program.write_text("from jax.experimental import pallas\n")
    outcome = demo(str(program))
    assert outcome.returncode == 1
    assert "This is not what was announced: there is nothing to fix" in outcome.stderr


def test_demo_fails_when_jax_is_not_of_the_same_mind(tmp_path: Path) -> None:
    program = tmp_path / "other_error.py"
    program.write_text(EXAMPLE.read_text().replace("import functools\n", "import functools\nraise SystemExit(3)\n"))
    outcome = demo(str(program))
    assert outcome.returncode == 1
    assert "JAX should have refused the file" in outcome.stderr

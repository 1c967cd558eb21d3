"""The example of docs/scale.md: shards, checked by Ray, find together what one run finds."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import pallas_lsp

pytest.importorskip("ray", reason="make test-scale installs it")

EXAMPLE = Path(__file__).parents[2] / "examples" / "check_shards_with_ray.py"
KERNEL = """\
import jax
from jax.experimental import pallas as pl
from lib.kernels{number} import add_kernel


def scale_kernel(x_ref, o_ref):
    return x_ref[...] * {number}


def run(x):
    x = pl.pallas_call(scale_kernel, out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype))(x)
    return pl.pallas_call(add_kernel, out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype))(x)
"""
IMPORTED = "def add_kernel(x_ref, o_ref):\n    return x_ref[...] + {number}\n"
FILES = 6


def execute(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environ = {**os.environ, "PYTHONPATH": str(Path(pallas_lsp.__file__).parents[1]), "RAY_USAGE_STATS_ENABLED": "0"}
    return subprocess.run((sys.executable, *words), cwd=folder, capture_output=True, text=True, env=environ)


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """Two projects, in one of which every file launches a kernel of another one."""
    for number in range(FILES):
        for path, text in ((f"one/run{number}.py", KERNEL), (f"one/lib/kernels{number}.py", IMPORTED)):
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path).write_text(text.format(number=number))
    (tmp_path / "one" / "pyproject.toml").touch()
    (tmp_path / "two").mkdir()
    (tmp_path / "two" / "pyproject.toml").write_text('[tool.pallas-lsp]\nignore = ["PAL001"]\n')
    (tmp_path / "two" / "é ü.py").write_text(KERNEL.format(number=0))
    return tmp_path


def test_shards_find_together_what_one_run_finds(corpus: Path) -> None:
    whole = execute(corpus, "-m", "pallas_lsp", "check", "-q", "--no-cache", "--output-format", "json-lines")
    shards = execute(corpus, str(EXAMPLE), "--shards", "5")
    assert whole.returncode == 1
    assert len({json.loads(line)["filename"] for line in whole.stdout.splitlines()}) == 2 * FILES
    assert (shards.returncode, shards.stdout) == (1, whole.stdout), shards.stderr


def test_what_cannot_be_done_is_told(corpus: Path) -> None:
    (corpus / "two" / "pyproject.toml").write_text("[tool.pallas-lsp]\nselct = []\n")
    options = ("--check-option=--select", "--check-option=PAL001")
    done = execute(corpus, str(EXAMPLE), "--shards", "2", *options, "one")
    assert (done.returncode, len(done.stdout.splitlines())) == (1, 2 * FILES)
    broken = execute(corpus, str(EXAMPLE), "one", "two")
    assert broken.returncode == 2
    assert "`selct`: unknown setting" in broken.stderr

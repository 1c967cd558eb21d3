"""`pallas-lsp kernels`: a map of a code base."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

KERNELS = """\
def scale(x_ref, o_ref, acc_ref):
    o_ref[...] = x_ref[...] * 2
"""
LAUNCHES = """\
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu
from kernels import scale


def launch(x):
    return pl.pallas_call(
        scale,
        grid=(4,),
        in_specs=[pl.BlockSpec((8, 128), lambda i: (i, 0))],
        out_specs=pl.BlockSpec((8, 128), lambda i: (i, 0)),
        out_shape=jax.ShapeDtypeStruct((32, 128), jnp.float32),
        scratch_shapes=[pltpu.VMEM((8, 128), jnp.float32)],
    )(x)


def other(kernel, x):
    return pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((8,), jnp.int32))(x)
"""


def make(folder: Path) -> None:
    (folder / "pyproject.toml").write_text("")
    (folder / "kernels.py").write_text(KERNELS)
    (folder / "launches.py").write_text(LAUNCHES)
    (folder / "nothing.py").write_text("x = 1\n")


def test_as_text(project: Path, cli: Any) -> None:
    make(project)
    done = cli("kernels")
    assert (done.code, done.err) == (0, "")
    assert done.out == (
        "kernels.py:1:5: kernel scale\n"
        "    launches.py:9:12: pallas_call of scale, grid (4,), outputs float32[32,128]\n"
        "        x_ref    input 0 [8,128]\n"
        "        o_ref    output 0 float32[8,128]\n"
        "        acc_ref  scratch 0 float32[8,128] in VMEM\n"
        "launches.py:9:12: pallas_call of scale, grid (4,), outputs float32[32,128], see kernels.py:1:5\n"
        "launches.py:20:12: pallas_call of <unknown>, outputs int32[8], not in view\n"
        "1 kernel, 2 launches in 2 files.\n"
    )


def test_as_json(project: Path, cli: Any) -> None:
    make(project)
    found = cli("kernels", "--output-format", "json").json
    [kernel] = found["kernels"]
    assert (kernel["name"], kernel["path"], kernel["line"], kernel["column"]) == ("scale", "kernels.py", 1, 5)
    [launch] = kernel["launches"]
    assert launch == found["launches"][0] | {"defined": launch["defined"]}
    assert {key: launch[key] for key in ("function", "path", "line", "kernel", "grid", "outputs")} == {
        "function": "pallas_call",
        "path": "launches.py",
        "line": 9,
        "kernel": "scale",
        "grid": "(4,)",
        "outputs": ["float32[32,128]"],
    }
    assert launch["parameters"][2] == {
        "name": "acc_ref",
        "role": "scratch",
        "index": 0,
        "references": 1,
        "dtype": "float32",
        "shape": "(8, 128)",
        "memory-space": "VMEM",
    }
    assert [one["defined"] for one in found["launches"]] == [{"path": "kernels.py", "line": 1, "column": 5}, None]


def test_a_notebook(project: Path, cli: Any) -> None:
    cells = [LAUNCHES.replace("from kernels import scale\n", ""), KERNELS + "\nlaunch(jax.numpy.ones((32, 128)))\n"]
    notebook = {
        "cells": [
            {"cell_type": "code", "source": source, "metadata": {}, "outputs": [], "execution_count": None}
            for source in cells
        ],
        "metadata": {"language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    (project / "nb.ipynb").write_text(json.dumps(notebook))
    out = cli("kernels", "nb.ipynb").out
    assert "nb.ipynb:cell 2:1:5: kernel scale\n    nb.ipynb:cell 1:8:12: pallas_call of scale" in out
    assert cli("kernels", "nb.ipynb", "--output-format", "json").json["kernels"][0]["cell"] == 2


def test_nothing_to_list(project: Path, cli: Any) -> None:
    (project / "a.py").write_text("x = 1\n")
    assert cli("kernels").out == "0 kernels, 0 launches in 0 files.\n"


def test_files_that_cannot_be_read(project: Path, cli: Any) -> None:
    make(project)
    (project / "bad.py").write_bytes(b"# pallas \xff\xfe\x00")
    done = cli("kernels")
    assert done.code == 2
    assert "bad.py: cannot be read: " in done.err
    assert "1 kernel, 2 launches in 2 files." in done.out
    assert cli("kernels", "missing").code == 2

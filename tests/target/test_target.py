"""Which JAX a file is written for, as the files around it say."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pallas_lsp.check import check
from pallas_lsp.config import Settings
from pallas_lsp.semantics.jax_api import NEWEST, as_version
from pallas_lsp.target import target_of

KERNEL = """\
import jax
from jax.experimental import pallas as pl
def kernel(x_ref, o_ref):
    return x_ref[...] + 1
def run(x):
    return pl.pallas_call(kernel, out_shape=x)(x)
"""


@pytest.mark.parametrize(
    ("name", "text", "version"),
    [
        ("uv.lock", '[[package]]\nname = "jax"\nversion = "0.8.1"\n', "0.8.1"),
        (
            "poetry.lock",
            '[[package]]\nname = "jaxlib"\nversion = "1"\n[[package]]\nname = "jax"\nversion = "0.7.2"\n',
            "0.7.2",
        ),
        ("pyproject.toml", '[project]\ndependencies = ["numpy", "jax==0.9.2"]\n', "0.9.2"),
        ("pyproject.toml", "[project]\ndependencies = [\"jax[cuda12] >=0.6,<0.9 ; python_version > '3'\"]\n", "0.8.3"),
        ("pyproject.toml", '[project]\nkeywords = ["jax"]\ndependencies = ["jax>=0.6"]\n', None),
        ("pyproject.toml", '[tool.poetry.dependencies]\njax = "^0.6"\n', "0.6.2"),
        ("pyproject.toml", '[tool.poetry.dependencies]\njax = "0.5.3"\n', "0.5.3"),
        ("requirements.txt", "numpy\njax[tpu]==0.4.38  # pinned\n", "0.4.38"),
        ("requirements.txt", "jaxtyping==1.0\njax<0.7\n", "0.6.2"),
        ("requirements.txt", "jax @ git+https://example.org/jax\n", None),
        (".venv/lib/python3.11/site-packages/jax-0.10.1.dist-info/METADATA", "", "0.10.1"),
    ],
)
def test_a_file_of_the_project_says_it(tmp_path: Path, name: str, text: str, version: str | None) -> None:
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    (tmp_path / ".git").mkdir(exist_ok=True)
    assert target_of(str(tmp_path / "package" / "kernel.py")) == version


def test_a_lock_file_wins_and_the_nearest_folder_before_it(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "uv.lock").write_text('name = "jax"\nversion = "0.8.1"\n', encoding="utf-8")
    (tmp_path / "requirements.txt").write_text("jax==0.7.0\n", encoding="utf-8")
    assert target_of(str(tmp_path / "kernel.py")) == "0.8.1"
    inner = tmp_path / "inner"
    inner.mkdir()
    (inner / "requirements.txt").write_text("jax==0.6.2\n", encoding="utf-8")
    assert target_of(str(inner / "kernel.py")) == "0.6.2"
    (inner / "requirements.txt").write_text("jax==0.6.0\n# changed\n", encoding="utf-8")
    assert target_of(str(inner / "kernel.py")) == "0.6.0"


def test_files_without_a_folder_are_for_the_newest() -> None:
    assert target_of("") is None
    assert target_of("untitled:Untitled-1") is None
    assert as_version(None) == NEWEST
    assert as_version("0.10.2rc1") == (0, 10, 2)


@pytest.mark.parametrize(
    ("version", "message"),
    [
        ("0.4.31", "The kernel function in a pallas_call should return None. Found a PyTree: PyTreeDef(*)."),
        (
            "0.4.35",
            "The kernel function in the pallas_call kernel should return None. It returns a PyTree: PyTreeDef(*).",
        ),
        (None, "The kernel function in the pallas_call kernel should return None. It returns a PyTree: PyTreeDef(*)."),
    ],
)
def test_the_message_is_that_of_the_release(tmp_path: Path, version: str | None, message: str) -> None:
    (finding,) = check(KERNEL, Settings(target_jax=version)).findings
    assert finding.message.startswith(message)
    if version is not None:
        (tmp_path / "requirements.txt").write_text(f"jax=={version}\n", encoding="utf-8")
        (finding,) = check(KERNEL, path=str(tmp_path / "kernel.py")).findings
        assert finding.message.startswith(message)


def test_older_releases_cast_nothing_by_themselves() -> None:
    text = KERNEL.replace("x_ref[...] + 1", "x_ref[...] * 0 + 1").replace("out_shape=x)(x)", "out_shape=OUT)(X)")
    text += "import jax.numpy as jnp\nX = jnp.arange(8)\nOUT = jax.ShapeDtypeStruct((8,), jnp.int8)\n"
    titles = {
        version: [
            fix.edits[-1].new_text
            for finding in check(text, Settings(target_jax=version)).findings
            for fix in finding.fixes()
        ]
        for version in ("0.5.3", "0.9.2")
    }
    assert titles["0.5.3"][0] == ").astype(o_ref.dtype)"
    assert titles["0.9.2"][0] == "o_ref[...] = "


@pytest.mark.parametrize("named", ["env", "env/bin/python"])
def test_what_is_installed_for_the_configured_interpreter(tmp_path: Path, named: str) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".venv/lib/python3.12/site-packages/jax-0.8.0.dist-info").mkdir(parents=True)
    (tmp_path / "env/lib/python3.13/site-packages/jax-0.9.1.dist-info").mkdir(parents=True)
    (tmp_path / "env/lib/python3.13/site-packages/jaxlib-0.1.dist-info").mkdir()
    file = str(tmp_path / "kernel.py")
    assert target_of(file) == "0.8.0"
    assert target_of(file, str(tmp_path / named)) == "0.9.1"
    assert target_of("", str(tmp_path / named)) == "0.9.1"
    (tmp_path / "requirements.txt").write_text("jax==0.7.0\n", encoding="utf-8")
    assert target_of(file, str(tmp_path / named)) == "0.7.0"
    assert target_of(file, str(tmp_path / "nowhere")) == "0.7.0"


def test_an_upgrade_is_seen(tmp_path: Path) -> None:
    packages = tmp_path / "lib/python3.13/site-packages"
    (packages / "jax-0.9.1.dist-info").mkdir(parents=True)
    assert target_of("", str(tmp_path)) == "0.9.1"
    (packages / "jax-0.9.1.dist-info").rename(packages / "jax-0.10.0.dist-info")
    os.utime(packages, ns=(1, 1))
    assert target_of("", str(tmp_path)) == "0.10.0"


@pytest.mark.parametrize("path", ["/" + "a" * 300 + "/k.py", "/" + "d/" * 3000 + "k.py", "/a\0b/k.py", "/\udcff/k.py"])
def test_any_path_will_do(path: str) -> None:
    assert target_of(path) is None
    assert [finding.code for finding in check(KERNEL, path=path).findings] == ["PAL001"]


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="everything may be looked into by this user")
def test_a_folder_that_must_not_be_looked_into(tmp_path: Path) -> None:
    tmp_path.chmod(0)
    try:
        assert target_of(str(tmp_path / "k.py")) is None
    finally:
        tmp_path.chmod(0o700)

"""`pytest --pallas-lsp`, as a process of its own."""

from __future__ import annotations

from importlib.metadata import entry_points
from pathlib import Path

import pytest

from tests.runtime.programs import output_of

IS_INSTALLED = any(entry.value == "pallas_lsp.pytest_plugin" for entry in entry_points(group="pytest11"))
PLUGIN = ("-m", "pytest", "-q", "-p", "no:cacheprovider", *(() if IS_INSTALLED else ("-p", "pallas_lsp.pytest_plugin")))
"""Runs pytest with the plugin: where the package is installed, pytest finds it by itself."""

RETURNS = "from jax.experimental import pallas as pl\n\n\ndef kernel(x_ref, o_ref):\n    return x_ref[...]\n"
STORES = RETURNS.replace("return x_ref[...]", "o_ref[...] = x_ref[...]")
LAUNCH = "\n\ndef run(x):\n    return pl.pallas_call(kernel, out_shape=x)(x)\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with a stand-in for JAX, one tested file with a kernel, and one that no test imports."""
    (tmp_path / "pytest.ini").write_text("[pytest]\npythonpath = .\n", encoding="utf-8")
    (tmp_path / "jax/experimental/pallas").mkdir(parents=True)
    for folder in ("jax", "jax/experimental", "jax/experimental/pallas"):
        (tmp_path / folder / "__init__.py").write_text("", encoding="utf-8")
    (tmp_path / "kernels.py").write_text(RETURNS + LAUNCH, encoding="utf-8")
    (tmp_path / "unused.py").write_text(RETURNS + LAUNCH, encoding="utf-8")
    (tmp_path / "test_kernels.py").write_text("import kernels\n\ndef test():\n    pass\n", encoding="utf-8")
    return tmp_path


FOUND = "kernels.py:5:5: PAL001 The kernel function in the pallas_call kernel should return None."


def test_findings_of_imported_files_fail_the_run(project: Path) -> None:
    output = output_of(project, *PLUGIN, "--pallas-lsp")
    assert FOUND in output
    assert "1 finding in 1 file with kernels; `pallas-lsp check --fix` mends what is safe" in output
    assert "unused.py" not in output
    assert "1 passed" in output
    assert code_of(project, "--pallas-lsp") == 1


def test_without_findings_the_run_is_as_it_was(project: Path) -> None:
    (project / "kernels.py").write_text(STORES + LAUNCH, encoding="utf-8")
    assert "no findings in 1 file with kernels" in output_of(project, *PLUGIN, "--pallas-lsp")
    assert code_of(project, "--pallas-lsp") == 0


def test_without_the_option_there_is_nothing(project: Path) -> None:
    output = output_of(project, *PLUGIN)
    assert "pallas-lsp" not in output
    assert code_of(project) == 0


def test_a_kernel_that_only_a_test_launches(project: Path) -> None:
    (project / "kernels.py").write_text(RETURNS, encoding="utf-8")
    launching = (
        f"from jax.experimental import pallas as pl\nfrom kernels import kernel\n{LAUNCH}\n\ndef test():\n    pass\n"
    )
    (project / "test_kernels.py").write_text(launching, encoding="utf-8")
    assert FOUND in output_of(project, *PLUGIN, "--pallas-lsp")


def test_settings_and_comments_count(project: Path) -> None:
    (project / "pallas-lsp.toml").write_text('ignore = ["PAL001"]\n', encoding="utf-8")
    assert "no findings" in output_of(project, *PLUGIN, "--pallas-lsp")
    (project / "pallas-lsp.toml").write_text("ignored = []\n", encoding="utf-8")
    output = output_of(project, *PLUGIN, "--pallas-lsp")
    assert "pallas-lsp: error:" in output
    assert code_of(project, "--pallas-lsp") == 1


def test_with_xdist_the_workers_tell_what_they_have_imported(project: Path) -> None:
    pytest.importorskip("xdist")
    assert FOUND in output_of(project, *PLUGIN, "--pallas-lsp", "-n", "1")


def test_a_failing_run_still_fails(project: Path) -> None:
    (project / "test_kernels.py").write_text("import kernels\n\ndef test():\n    assert 0\n", encoding="utf-8")
    output = output_of(project, *PLUGIN, "--pallas-lsp")
    assert "1 failed" in output and FOUND in output


def code_of(folder: Path, *options: str) -> int:
    """The exit code of a run."""
    program = f"import pytest; print('code', int(pytest.main({[*PLUGIN[2:], *options]!r})))"
    return int(output_of(folder, "-c", program).rpartition("code ")[2])

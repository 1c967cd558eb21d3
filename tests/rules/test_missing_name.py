"""PAL601: names and keywords that the JAX of a project lacks, and all the code that is none of its business."""

from __future__ import annotations

import importlib
import inspect
import warnings
from pathlib import Path

import pytest

from pallas_lsp.check import check
from pallas_lsp.config import Settings
from pallas_lsp.findings import Finding
from pallas_lsp.semantics.jax_releases import KEYWORDS, NAMES, OLDEST
from pallas_lsp.target import releases_of
from pallas_lsp.text import SourceText

IMPORTS = """\
import jax
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu
"""


def findings(text: str, target: str | None = "0.10.2", path: str = "") -> tuple[Finding, ...]:
    return check(IMPORTS + text, Settings(select=("PAL601",), target_jax=target), path=path).findings


@pytest.mark.parametrize(
    ("target", "text", "says"),
    [
        ("0.10.2", "p = pltpu.TPUCompilerParams()\n", "no attribute 'TPUCompilerParams'"),
        ("0.5.3", "p = pltpu.CompilerParams()\n", "no attribute 'CompilerParams'"),
        ("0.9.0", "def k(x_ref, o_ref):\n    pl.store(o_ref, ..., pl.load(x_ref, ...))\n", "no attribute 'store'"),
        ("0.12.0", "pltpu.semaphore_wait(s)\n", "Use `jax.experimental.pallas.semaphore_wait`"),
        ("0.12.0", "jax.experimental.pallas.dot(a, b)\n", "Use `jax.numpy.dot`"),
        ("0.7.2", "from jax.experimental.pallas.tpu import TPUMemorySpace\n", "cannot import name 'TPUMemorySpace'"),
        ("0.9.2", "f = pl.kernel(k, out_type=o, mesh=m)\n", "unexpected keyword argument 'out_type'"),
        ("0.10.2", "f = pl.pallas_call(k, out_shape=o, backend=b)\n", "unexpected keyword argument 'backend'"),
        ("0.8.3", "@pl.with_scoped(s)\ndef k(x_ref, o_ref): ...\n", "no attribute 'with_scoped'"),
        ("0.9.2", "class C:\n    def run(self):\n        return pltpu.TensorCoreMesh\n", "TensorCoreMesh"),
    ],
)
def test_what_the_release_lacks_is_reported(target: str, text: str, says: str) -> None:
    assert says in findings(text, target)[0].message


@pytest.mark.parametrize(
    ("target", "text"),
    [
        (None, "p = pltpu.TPUCompilerParams()\n"),
        ("0.4.30", "p = pltpu.CompilerParams()\n"),  # older than the table
        ("0.6.2", "p = pltpu.TPUCompilerParams(), pltpu.CompilerParams()\n"),
        ("0.6.1", "p = pltpu.CompilerParams()\n"),  # between two releases that were tried
        ("0.7.0", "p = pltpu.TPUCompilerParams()\n"),
        ("0.10.2", "P = getattr(pltpu, 'CompilerParams', None) or pltpu.TPUCompilerParams\n"),
        ("0.10.2", "P = pltpu.CompilerParams if hasattr(pltpu, 'CompilerParams') else pltpu.TPUCompilerParams\n"),
        ("0.10.2", "try:\n    P = pltpu.CompilerParams\nexcept AttributeError:\n    P = pltpu.TPUCompilerParams\n"),
        ("0.10.2", "from compat import OLD\nif OLD:\n    P = pltpu.TPUCompilerParams\n"),
        (
            "0.10.2",
            "def p():\n    if NEW:\n        return pltpu.CompilerParams()\n    return pltpu.TPUCompilerParams()\n",
        ),
        ("0.10.2", "if not OLD:\n    raise SystemError\nP = pltpu.TPUCompilerParams\n"),
        ("0.10.2", "if jax.__version_info__ < (0, 7):\n    pass\ndef p():\n    return pltpu.TPUCompilerParams()\n"),
        ("0.10.2", "pltpu.TPUCompilerParams = pltpu.CompilerParams\np = pltpu.TPUCompilerParams()\n"),
        (
            "0.10.2",
            "from __future__ import annotations\ndef f(p: pltpu.TPUCompilerParams) -> pltpu.TPUMemorySpace: ...\n",
        ),
        ("0.10.2", "def f(pl):\n    return pl.load(1)\n"),
        ("0.10.2", "from mine import pallas as pl\nx = pl.load(1)\n"),
    ],
)
def test_nothing_else_is(target: str | None, text: str) -> None:
    assert findings(text, target) == ()


@pytest.mark.parametrize(
    ("required", "allowed", "reported"),
    [
        ("jax>=0.9", ("0.9.0", "0.12.0"), True),
        ("jax>=0.4.30", ("0.4.31", "0.12.0"), False),
        ("jax>=0.5,<0.9", ("0.5.0", "0.8.3"), False),
        ("jax==0.10.2", ("0.10.2", "0.10.2"), True),
        ("jax", None, False),
    ],
)
def test_every_release_that_the_project_allows_must_lack_it(
    tmp_path: Path, required: str, allowed: tuple[str, str] | None, reported: bool
) -> None:
    (tmp_path / ".git").mkdir()
    project = f'[project]\nkeywords = ["jax"]\ndependencies = ["{required}"]\n'
    (tmp_path / "pyproject.toml").write_text(project, encoding="utf-8")
    path = str(tmp_path / "kernel.py")
    releases = releases_of(path)
    assert (allowed is None and releases == ()) or (allowed is not None and set(allowed) <= set(releases))
    assert bool(findings("def k(x_ref):\n    pl.load(x_ref, ...)\n", None, path)) == reported


def test_a_pinned_extra_does_not_narrow_what_the_project_allows(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "requirements.txt").write_text("jax==0.10.2\n", encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text('[project]\ndependencies = ["jax>=0.4.35"]\n', encoding="utf-8")
    assert findings("p = pltpu.TPUCompilerParams()\n", None, str(tmp_path / "kernel.py")) == ()


@pytest.mark.parametrize(
    ("target", "text", "fixed"),
    [
        ("0.10.2", "p = pltpu.TPUCompilerParams()\n", "p = pltpu.CompilerParams()\n"),
        ("0.5.3", "p = pltpu.CompilerParams()\n", "p = pltpu.TPUCompilerParams()\n"),
        ("0.12.0", "pltpu.semaphore_wait(s)\n", "pl.semaphore_wait(s)\n"),
        ("0.10.2", "f = pl.kernel(k, out_shape=o)\n", "f = pl.kernel(k, out_type=o)\n"),
    ],
)
def test_the_fix_writes_the_name_of_the_release(target: str, text: str, fixed: str) -> None:
    (found,) = findings(text, target)
    (fix,) = found.fixes()
    assert SourceText(IMPORTS + text).replaced(fix.edits) == IMPORTS + fixed
    assert findings(fixed, target) == ()


@pytest.mark.parametrize("comment", ["# pallas: ignore", "# pallas: ignore[PAL601]", "# noqa: PAL601"])
def test_a_comment_hides_it(comment: str) -> None:
    assert findings(f"p = pltpu.TPUCompilerParams()  {comment}\n") == ()


def test_the_place_is_that_of_the_name() -> None:
    text = IMPORTS + "'ä🐍'; p = pltpu.TPUCompilerParams()\n"
    (found,) = check(text, Settings(select=("PAL601",), target_jax="0.10.2")).findings
    assert SourceText(text).slice(found.range) == "pltpu.TPUCompilerParams"


@pytest.mark.jax
def test_the_table_says_what_the_installed_jax_has() -> None:
    import jax

    release = jax.__version_info__
    if release < OLDEST:
        pytest.skip("older than the table")
    wrong: list[object] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, row in NAMES.items():
            wrong += [name] * ((_found(name) is None) != row.is_missing(release))
        for (name, keyword), row in KEYWORDS.items():
            function = _found(name)
            if function is not None:
                lacking = keyword not in inspect.signature(function).parameters  # type: ignore[arg-type]
                wrong += [(name, keyword)] * (lacking != row.is_missing(release))
    assert wrong == []


def _found(name: str) -> object:
    module, _, attribute = name.rpartition(".")
    return getattr(importlib.import_module(module), attribute, None)

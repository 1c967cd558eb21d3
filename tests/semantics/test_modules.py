"""Kernels, helpers and launches in different files: a finding stands in the kernel's own file."""

from __future__ import annotations

from pathlib import Path

import pytest

from pallas_lsp.check import check
from pallas_lsp.semantics.project import Project
from pallas_lsp.semantics.workspace import ImportLine, imports_in

KERNELS = """\
def add_one(x_ref, o_ref):
    return x_ref[...] + 1
"""

STORING = """\
def add_one(x_ref, o_ref):
    o_ref[...] = x_ref[...] + 1
"""

LAUNCHER = """\
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
OUT = jax.ShapeDtypeStruct((8,), jnp.float32)
def launch(kernel, x):
    return pl.pallas_call(kernel, out_shape=OUT)(x)
"""


def findings(folder: Path, files: dict[str, str]) -> list[str]:
    """`file:line code` of every finding in a small project, each file checked on its own; lines are 1-based."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    project = Project((folder,))
    project.index()
    return [
        f"{name}:{finding.range.start.line + 1} {finding.code}"
        for name, text in files.items()
        for finding in check(text, path=str(folder / name), project=project).findings
    ]


def launch_of(imports: str, kernel: str) -> str:
    return f"{LAUNCHER}{imports}\ndef run(x):\n    return pl.pallas_call({kernel}, out_shape=OUT)(x)\n"


@pytest.mark.parametrize(
    ("imports", "kernel"),
    [
        ("from kernels import add_one", "add_one"),
        ("from kernels import add_one as body", "body"),
        ("import kernels", "kernels.add_one"),
        ("import kernels as k", "k.add_one"),
        ("from kernels import *", "add_one"),
        ("import functools\nfrom kernels import add_one", "functools.partial(add_one)"),
    ],
)
def test_a_kernel_is_reported_in_its_own_file(tmp_path: Path, imports: str, kernel: str) -> None:
    files = {"kernels.py": KERNELS, "use.py": launch_of(imports, kernel)}
    assert findings(tmp_path, files) == ["kernels.py:2 PAL001"]


@pytest.mark.parametrize(
    ("imports", "kernel"),
    [
        ("from .kernels import add_one", "add_one"),
        ("from . import kernels", "kernels.add_one"),
        ("from pkg.kernels import add_one", "add_one"),
        ("import pkg.kernels", "pkg.kernels.add_one"),
        ("import pkg.kernels as k", "k.add_one"),
        ("from .sub.deep import add_one", "add_one"),
        ("from .sub import reexported", "reexported"),
    ],
)
def test_a_kernel_of_a_package(tmp_path: Path, imports: str, kernel: str) -> None:
    files = {
        "pkg/__init__.py": "",
        "pkg/kernels.py": KERNELS,
        "pkg/sub/__init__.py": "from ..kernels import add_one as reexported\n",
        "pkg/sub/deep.py": "from ..kernels import add_one\n",
        "pkg/use.py": launch_of(imports, kernel),
    }
    assert findings(tmp_path, files) == ["pkg/kernels.py:2 PAL001"]


@pytest.mark.parametrize(
    ("imports", "kernel"),
    [("import pkg.inner.kernels", "pkg.inner.kernels.add_one"), ("from pkg.inner import kernels", "kernels.add_one")],
)
def test_packages_without_an_init_file(tmp_path: Path, imports: str, kernel: str) -> None:
    files = {"pkg/inner/kernels.py": KERNELS, "use.py": launch_of(imports, kernel)}
    assert findings(tmp_path, files) == ["pkg/inner/kernels.py:2 PAL001"]


def test_the_launch_in_the_other_file_is_related(tmp_path: Path) -> None:
    (tmp_path / "kernels.py").write_text(KERNELS, encoding="utf-8")
    (tmp_path / "use.py").write_text(launch_of("from kernels import add_one", "add_one"), encoding="utf-8")
    project = Project((tmp_path,))
    project.index()
    (finding,) = check(KERNELS, path=str(tmp_path / "kernels.py"), project=project).findings
    assert [(related.path, related.range.start.line) for related in finding.related] == [(str(tmp_path / "use.py"), 8)]


def test_a_helper_of_another_file_launches(tmp_path: Path) -> None:
    use = "from launcher import launch\n" + KERNELS + "def run(x):\n    return launch(add_one, x)  # pallas\n"
    assert findings(tmp_path, {"launcher.py": LAUNCHER, "use.py": use}) == ["use.py:3 PAL001"]


def test_helpers_of_helpers(tmp_path: Path) -> None:
    files = {
        "launcher.py": LAUNCHER,
        "outer.py": "import launcher\ndef call(body, x):\n    return launcher.launch(body, x)\n",
        "use.py": "import outer\n" + KERNELS + "def run(x):\n    return outer.call(add_one, x)  # pallas\n",
    }
    assert findings(tmp_path, files) == ["use.py:3 PAL001"]


def test_a_factory_of_another_file(tmp_path: Path) -> None:
    factory = "def make(n):\n    def kernel(x_ref, o_ref):\n        return x_ref[...] + n\n    return kernel\n"
    files = {"factory.py": factory, "use.py": launch_of("from factory import make", "make(1)")}
    assert findings(tmp_path, files) == ["factory.py:3 PAL001"]


def test_a_value_helper_of_another_file(tmp_path: Path) -> None:
    files = {
        "math_helpers.py": "def double(v):\n    return v * 2\n\ndef copy(src, dst):\n    dst[...] = src[...]\n",
        "use.py": launch_of("from math_helpers import double", "k")
        + "def k(x_ref, o_ref):\n    return double(x_ref[...])\n",
        "fine.py": launch_of("from math_helpers import copy", "k")
        + "def k(x_ref, o_ref):\n    return copy(x_ref, o_ref)\n",
    }
    assert findings(tmp_path, files) == ["use.py:11 PAL001"]


def test_an_import_cycle_ends(tmp_path: Path) -> None:
    files = {
        "a.py": "from b import launch\n" + KERNELS + "def run(x):\n    return launch(add_one, x)  # pallas\n",
        "b.py": "import a\n" + LAUNCHER,
    }
    assert findings(tmp_path, files) == ["a.py:3 PAL001"]


def test_the_version_in_the_editor_wins_over_the_disk(tmp_path: Path) -> None:
    kernels, use = tmp_path / "kernels.py", tmp_path / "use.py"
    kernels.write_text(STORING, encoding="utf-8")
    text = launch_of("from kernels import add_one", "k") + "def k(x_ref, o_ref):\n    return add_one(x_ref, o_ref)\n"
    project = Project((tmp_path,))
    assert check(text, path=str(use), project=project).findings == ()
    project.update(str(kernels), KERNELS)
    assert [finding.code for finding in check(text, path=str(use), project=project).findings] == ["PAL001"]
    project.close(str(kernels))
    assert check(text, path=str(use), project=project).findings == ()


def test_a_file_that_is_not_there_is_no_error(tmp_path: Path) -> None:
    assert findings(tmp_path, {"use.py": launch_of("from missing import add_one", "add_one")}) == []


def test_imports_are_read_without_parsing() -> None:
    data = b"""import a.b, c as d
from e import (f as g,
    h)  # why
  from ..i import *
from . import j
x = 'import nothing'
"""
    assert list(imports_in(data)) == [
        ImportLine("a.b", 0),
        ImportLine("c", 0),
        ImportLine("e", 0, ("f", "h")),
        ImportLine("i", 2, ("*",)),
        ImportLine("", 1, ("j",)),
    ]


@pytest.mark.parametrize(
    "text",
    [
        f"from kernels import add_one\n{LAUNCHER}out = launch(add_one, 1)\n",
        f"{LAUNCHER}def run():\n    from kernels import add_one\n    return launch(kernel=add_one, x=1)\n",
    ],
)
def test_a_launch_through_a_helper_of_the_file_that_imports_the_kernel(tmp_path: Path, text: str) -> None:
    assert findings(tmp_path, {"kernels.py": KERNELS, "user.py": text}) == ["kernels.py:2 PAL001"]


@pytest.mark.parametrize(
    "imports", ["from helper import launch", "from package.inner import launch", "from helper import *"]
)
def test_a_file_that_only_hands_its_kernel_to_a_helper_of_another_one(tmp_path: Path, imports: str) -> None:
    files = {
        "helper.py": LAUNCHER,
        "package/__init__.py": "",
        "package/inner.py": "from helper import launch\n",
        "kernels.py": f"{imports}\n{KERNELS}\nout = launch(add_one, 1)\n",
    }
    assert findings(tmp_path, files) == ["kernels.py:3 PAL001"]

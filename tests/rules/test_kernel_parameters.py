"""PAL101: a finding at a launch points to the kernel."""

from __future__ import annotations

from pathlib import Path

from pallas_lsp.check import check
from pallas_lsp.semantics.project import Project
from pallas_lsp.text import SourceText
from rules.support import LAUNCH, PRELUDE, findings

KERNEL = "def k(x_ref, y_ref, o_ref):\n    o_ref[...] = x_ref[...] + y_ref[...]\n"


def test_the_kernel_of_the_same_file() -> None:
    (one,) = findings(KERNEL + LAUNCH)
    source = SourceText(PRELUDE + KERNEL + LAUNCH)
    assert (one.code, source.slice(one.range)) == ("PAL101", "k")
    ((place, message, path),) = ((other.range, other.message, other.path) for other in one.related)
    assert (source.slice(place), message, path) == ("def k(x_ref, y_ref, o_ref):", "`k` is defined here.", None)


def test_the_kernel_of_another_file(tmp_path: Path) -> None:
    kernels = tmp_path / "kernels.py"
    kernels.write_text(KERNEL, encoding="utf-8")
    project = Project((tmp_path,))
    project.index()
    text = f"{PRELUDE}from kernels import k\n{LAUNCH}"
    (one,) = check(text, path=str(tmp_path / "launch.py"), project=project).findings
    assert one.code == "PAL101"
    assert [(other.path, other.range.start.line) for other in one.related] == [(str(kernels), 0)]

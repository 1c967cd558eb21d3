"""What the checker says about the Pallas kernels that people ship: findings, and the launches that it cannot resolve.

    python bench/sweep.py                      downloads the packages below and checks them
    python bench/sweep.py qwix tokamax         only these
    python bench/sweep.py --folder PATH ...    checks folders that are here already
    python bench/sweep.py --into PATH          keeps what is downloaded, for the next run

Working code does not return values from kernels, so every finding is either a fault of the checker or worth a look.
Wheels are unpacked and read; nothing in them is run.
"""

from __future__ import annotations

import argparse
import ast
import subprocess
import sys
import tempfile
import time
import zipfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from pallas_lsp.check import check
from pallas_lsp.config import DEFAULT
from pallas_lsp.semantics.analysis import Analysis, analyse
from pallas_lsp.semantics.facts import dotted_name
from pallas_lsp.semantics.jax_api import Signature
from pallas_lsp.semantics.launches import Launch
from pallas_lsp.semantics.project import Project
from pallas_lsp.semantics.values import External, Launched, Unknown, Value

PACKAGES = (
    *("jax", "tokamax", "ejkernel", "easydel", "tpu-inference", "maxtext", "google-tunix", "marin-levanter"),
    *("atomic-ops", "gdn2-pallas", "deltanet-tpu", "flywheel-tpu", "fermix", "deciax", "jax-linear-attention"),
    *("pallas-forge", "tonno", "qwix", "recurrentgemma", "ringattention", "torch-xla", "jax-triton", "haliax"),
)
"""Distributions on PyPI that have kernels of their own, or had."""

PYTHON_VERSION = "3.12"
"""That the wheels are for: the newest packages want no older one."""

LAUNCHES = (Signature.PALLAS_CALL, Signature.MESH_KERNEL, Signature.SCRATCH_ONLY)
"""What counts as a launch; pipelines and loops inside kernels are not counted."""

ENTRY_NAMES = ("pallas_call", "core_map", "mpmd_map")
"""The last parts of names that are surely launches wherever they are called."""


@dataclass
class Sweep:
    """What was seen of one package.

    Args:
      files: that mention Pallas.
      launches: in them.
      resolved: launches of which at least one kernel is known.
      unresolved: the reasons for the others, each with the places.
      findings: as text.
      seconds: for checking, without downloading.
    """

    files: int = 0
    launches: int = 0
    resolved: int = 0
    unresolved: dict[str, list[str]] = field(default_factory=dict)
    findings: list[str] = field(default_factory=list)
    seconds: float = 0.0


def sweep(folder: Path) -> Sweep:
    """Checks every file below a folder, as one project."""
    result = Sweep()
    project = Project((folder,))
    started = time.perf_counter()
    for path in sorted(folder.rglob("*.py")):
        data = path.read_bytes()
        if b"pallas" in data:
            _look_at(path, data.decode("utf-8", "replace"), folder, project, result)
    result.seconds = time.perf_counter() - started
    return result


def _look_at(path: Path, text: str, folder: Path, project: Project, result: Sweep) -> None:
    name = str(path.relative_to(folder))
    result.files += 1
    for finding in check(text, DEFAULT, path=str(path), project=project).findings:
        result.findings.append(f"{name}:{finding.range.start.line + 1}: {finding.code} {finding.message}")
    analysis = analyse(project.update(str(path), text), project)
    sites: dict[tuple[int, int], str] = {}
    for launch in analysis.launches:
        if launch.row.signature in LAUNCHES and launch.path == str(path):
            start = analysis.module.parsed.range_of(launch.chunk, launch.node).start
            place = (start.line + 1, start.character)
            reason = _why_unresolved(launch)
            sites[place] = reason and sites.get(place, reason)
    for place in _calls(text, analysis):
        sites.setdefault(place, "the code around it is not followed")
    for (line, _), reason in sorted(sites.items()):
        result.launches += 1
        if reason:
            result.unresolved.setdefault(reason, []).append(f"{name}:{line}")
        else:
            result.resolved += 1
    project.close(str(path))


def _why_unresolved(launch: Launch) -> str:
    """Why the kernel of a launch is not known, empty when it is: a function, or something that JAX itself made."""
    if any(run.function is not None for run in launch.runs) or any(map(_is_own, launch.kernels)):
        return ""
    if launch.never_runs:
        return "it is in code that never runs"
    reasons = Counter(_what(kernel) for kernel in launch.kernels)
    return reasons.most_common(1)[0][0] if reasons else "it is given no kernel"


def _is_own(kernel: Value) -> bool:
    """Whether a kernel is one of JAX's functions, or a pipeline of JAX around a body, which is checked by itself."""
    return isinstance(kernel, Launched) or (isinstance(kernel, External) and kernel.name.startswith("jax."))


def _what(kernel: Value) -> str:
    match kernel:
        case Unknown(parameter=parameter) if parameter:
            return "the kernel is a parameter, and no call of that function is in view"
        case External(name=name):
            return f"the kernel is a function of another package: {name}"
        case _:
            return f"the kernel is not known ({type(kernel).__name__})"


def _calls(text: str, analysis: Analysis) -> Iterator[tuple[int, int]]:
    """The line, 1-based, and column of each call of JAX's own entry points that the text shows."""
    try:
        tree = ast.parse(text)
    except SyntaxError:  # newer grammar than this Python's; the checker goes on, this count does not
        return
    lines = text.splitlines()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            root, _, last = dotted_name(node.func).rpartition(".")
            if last in ENTRY_NAMES and _is_jax(root.partition(".")[0] or last, analysis):
                line = lines[node.lineno - 1].encode()
                yield node.lineno, len(line[: node.col_offset].decode())


def _is_jax(name: str, analysis: Analysis) -> bool:
    """Whether a name means something of JAX in the module; others have functions of the same names."""
    value = analysis.interpreter.module_name(analysis.module, name)
    return isinstance(value, External) and value.name.startswith("jax.")


def download(package: str, into: Path) -> Path | None:
    """The folder of a package's newest wheel, fetched unless it is there; None when there is no wheel."""
    target = into / package
    if target.is_dir():
        return target
    with tempfile.TemporaryDirectory() as wheels:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
        command += ["--python-version", PYTHON_VERSION, "--dest", wheels, package]
        subprocess.run(command, check=False, stderr=subprocess.DEVNULL)
        found = sorted(Path(wheels).glob("*.whl"))
        if not found:
            return None
        with zipfile.ZipFile(found[0]) as wheel:
            wheel.extractall(target, [member for member in wheel.namelist() if member.endswith((".py", "/METADATA"))])
    return target


def version(folder: Path) -> str:
    """The version of an unpacked wheel, empty for any other folder."""
    for metadata in folder.glob("*.dist-info/METADATA"):
        for line in metadata.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("Version: "):
                return line.removeprefix("Version: ")
    return ""


def main() -> None:
    """Prints a table, the reasons for what is not resolved, and the findings."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("packages", nargs="*", help="distributions on PyPI (default: all that are listed here)")
    parser.add_argument("--folder", action="append", type=Path, default=[], help="check this folder instead")
    parser.add_argument("--into", type=Path, help="where to unpack, and to look first (default: a temporary folder)")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        into = (arguments.into or Path(temporary)).resolve()
        folders = {str(folder): folder.resolve() for folder in arguments.folder}
        for package in arguments.packages or (() if folders else PACKAGES):
            folder = download(package, into)
            if folder is None:
                print(f"{package}: no wheel", file=sys.stderr)
            else:
                folders[f"{package} {version(folder)}".strip()] = folder
        show({name: sweep(folder) for name, folder in folders.items()})


def show(sweeps: dict[str, Sweep]) -> None:
    """Prints what was seen."""
    width = max(map(len, sweeps), default=0) + 2
    print(f"{'package':{width}}{'files':>7}{'launches':>10}{'resolved':>10}{'findings':>10}{'seconds':>9}")
    for name, seen in sweeps.items():
        counts = f"{seen.files:7}{seen.launches:10}{seen.resolved:10}{len(seen.findings):10}{seen.seconds:9.1f}"
        print(f"{name:{width}}{counts}")
    launches = sum(seen.launches for seen in sweeps.values())
    resolved = sum(seen.resolved for seen in sweeps.values())
    print(f"{resolved} of {launches} launches resolved, {resolved / max(launches, 1):.1%}\n")
    reasons: dict[str, list[str]] = {}
    for name, seen in sweeps.items():
        for reason, places in seen.unresolved.items():
            reasons.setdefault(reason, []).extend(f"{name}: {place}" for place in places)
    for reason, places in sorted(reasons.items(), key=lambda item: -len(item[1])):
        print(f"{len(places):4} {reason}")
        print("".join(f"       {place}\n" for place in places), end="")
    print()
    for name, seen in sweeps.items():
        for finding in seen.findings:
            print(f"{name}: {finding}")


if __name__ == "__main__":
    main()

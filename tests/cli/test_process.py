"""The command line as a process of its own."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import pallas_lsp

SERVER = Path(pallas_lsp.__file__).parent.parent
KERNEL = """\
import jax
from jax.experimental import pallas as pl


def add_one(x_ref, o_ref):
    return x_ref[...] + 1


def run(x):
    return pl.pallas_call(add_one, out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype))(x)
"""
FIXED = KERNEL.replace("return x_ref", "o_ref[...] = x_ref")


def environment(**more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in ("FORCE_COLOR", "NO_COLOR")}
    return {**kept, "PYTHONPATH": str(SERVER), **more}


def command(*arguments: str) -> tuple[str, ...]:
    return (sys.executable, "-m", "pallas_lsp", *arguments)


def execute(*arguments: str, **how: Any) -> subprocess.CompletedProcess[str]:
    environ = environment(**how.pop("more", {}))
    return subprocess.run(command(*arguments), capture_output=True, text=True, encoding="utf-8", env=environ, **how)


def test_a_kernel_is_found_shown_and_fixed(project: Path, make: Any) -> None:
    path = make("k.py", KERNEL)
    found = execute("check")
    assert (found.returncode, found.stderr) == (1, "")
    assert found.stdout.startswith("PAL001 [*] The kernel function in the pallas_call add_one should return None.")
    assert " --> k.py:6:5\n" in found.stdout
    assert " --> k.py:10:12\n" in found.stdout
    assert execute("check", "--diff").returncode == 1
    fixed = execute("check", "--fix")
    assert (fixed.returncode, fixed.stdout) == (0, "Found 1 error (1 fixed, 0 remaining).\n")
    assert path.read_text() == FIXED
    assert execute("check").stdout == "All checks passed!\n"


def test_a_notebook_is_found_shown_and_fixed(project: Path, make: Any) -> None:
    imports, kernel, launch = KERNEL.split("\n\n\n")
    cells = [f"%%time\n{imports}", "!ls", kernel, launch]
    before = {
        "cells": [{"cell_type": "code", "outputs": [{"text": "漢"}], "source": cell} for cell in cells],
        "nbformat": 4,
    }
    path = make("nb.ipynb", json.dumps(before, indent=1, ensure_ascii=False))
    found = execute("check")
    assert (found.returncode, found.stderr) == (1, "")
    assert " --> nb.ipynb:cell 3:2:5\n" in found.stdout
    assert " --> nb.ipynb:cell 4:2:12\n" in found.stdout
    fixed = execute("check", "--fix")
    assert (fixed.returncode, fixed.stdout) == (0, "Found 1 error (1 fixed, 0 remaining).\n")
    before["cells"][2]["source"] = kernel.replace("return x_ref", "o_ref[...] = x_ref")
    assert path.read_text(encoding="utf-8") == json.dumps(before, indent=1, ensure_ascii=False)


def test_standard_input_and_output_are_bytes(project: Path) -> None:
    data = KERNEL.replace("\n", "\r\n").encode()
    environ = environment(PYTHONIOENCODING="ascii")
    done = subprocess.run(command("check", "-", "--fix", "-q"), input=data, capture_output=True, env=environ)
    assert (done.returncode, done.stdout) == (0, FIXED.replace("\n", "\r\n").encode())


def test_a_suppressed_kernel(project: Path, make: Any) -> None:
    make("k.py", KERNEL.replace("+ 1", "+ 1  # pallas: ignore[PAL001]"))
    assert execute("check").returncode == 0


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("check", "clean.py"), 0),
        (("check", "k.py"), 1),
        (("check", "no.py"), 2),
        (("check", "--nope"), 2),
        (("rule", "x"), 2),
    ],
)
def test_exit_codes(project: Path, make: Any, arguments: tuple[str, ...], code: int) -> None:
    make("clean.py", FIXED)
    make("k.py", KERNEL)
    done = execute(*arguments)
    assert done.returncode == code
    assert "Traceback" not in done.stderr
    assert done.stderr.count("\n") == (code == 2)


def test_any_output_encoding_will_do(project: Path, make: Any) -> None:
    make("漢.py", KERNEL.replace("return", "é = '漢'; return"))
    done = execute("check", "漢.py", more={"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "1"})
    assert " --> 漢.py:6:14\n" in done.stdout
    missing = execute("check", "é.py", more={"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "1"})
    assert missing.stderr == "pallas-lsp: error: \\xe9.py: no such file or folder\n"


@pytest.mark.skipif(sys.platform != "linux", reason="only here may names be any bytes")
def test_a_name_that_is_no_text(project: Path) -> None:
    Path(os.fsdecode(b"\xff.py")).write_text(KERNEL)
    done = subprocess.run(command("check", "--output-format", "concise"), capture_output=True, env=environment())
    assert done.stdout.startswith(b"\xff.py:6:5: PAL001")
    for name in ("json", "junit", "sarif", "github", "gitlab", "rdjson"):
        done = subprocess.run(command("check", "--output-format", name), capture_output=True, env=environment())
        assert (done.returncode, done.stderr) == (1, b"")


@pytest.mark.skipif(os.name == "nt", reason="no such pipes")
def test_a_reader_that_has_seen_enough(project: Path, make: Any) -> None:
    make("k.py", KERNEL)
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as closed:
        done = subprocess.run(command("check"), stdout=closed, stderr=subprocess.PIPE, env=environment())
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(os.name == "nt", reason="needs a shell")
@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("check k.py >&-", 1),
        ("check no.py 2>&-", 2),
        ("check k.py -q --statistics >&- 2>&-", 1),
        ("check - <&-", 0),
        ("check --files-from - <&-", 0),
        ("version >&-", 0),
        ("rule PAL001 >&-", 0),
        ("server <&-", 0),
        ("server </dev/null 2>&-", 0),
    ],
)
def test_streams_that_are_closed(project: Path, make: Any, line: str, code: int) -> None:
    make("k.py", KERNEL)
    program = shlex.join(command())
    done = subprocess.run(f"{program} {line}", shell=True, capture_output=True, text=True, env=environment())
    assert done.returncode == code
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(os.name == "nt", reason="no such signal")
def test_an_interrupt_while_the_program_is_imported(project: Path) -> None:
    program = (
        "import os, signal, sys; from pallas_lsp.__main__ import start\n"
        "class Finder:\n"
        "    def find_spec(self, name, *_): os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Finder()); sys.argv[1:] = ['check']; start()"
    )
    done = subprocess.run((sys.executable, "-c", program), capture_output=True, text=True, env=environment())
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


@pytest.mark.skipif(os.name == "nt", reason="no such signal")
def test_an_interrupt(project: Path, make: Any) -> None:
    make("k.py", KERNEL)
    program = (
        "import os, signal, sys; from pallas_lsp.cli import contents; from pallas_lsp.cli.main import run; "
        "contents.check = lambda *_, **__: os.kill(os.getpid(), signal.SIGINT); sys.exit(run(['check']))"
    )
    done = subprocess.run((sys.executable, "-c", program), capture_output=True, text=True, env=environment())
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


HEAVY = {"pygls", "lsprotocol", "libcst", "asyncio", "multiprocessing", "jax", "numpy", "pathspec", "argparse"}


@pytest.mark.parametrize(
    ("arguments", "also"),
    [
        (
            ("check", "empty"),
            {"pallas_lsp.check", "pallas_lsp.rules", "tomllib", "tomli", "difflib", "tempfile"},
        ),
        (("check", "k.py"), {"tomllib", "tomli"}),
        (("version",), {"pallas_lsp.check", "pallas_lsp.cli.check"}),
        (("rule", "PAL001"), set[str]()),
    ],
)
def test_what_is_not_imported(project: Path, make: Any, arguments: tuple[str, ...], also: set[str]) -> None:
    make("k.py", KERNEL)
    (project / "empty").mkdir()
    program = (
        "import sys; from pallas_lsp.cli.main import run; run(sys.argv[1:]); "
        "print('modules:', *sorted(sys.modules), file=sys.stderr)"
    )
    done = subprocess.run(
        (sys.executable, "-c", program, *arguments), capture_output=True, text=True, check=True, env=environment()
    )
    modules = set(done.stderr.partition("modules:")[2].split())
    assert "pallas_lsp.cli.main" in modules
    assert not modules & (HEAVY | also)


def test_a_kernel_is_reported_in_its_file_when_another_one_launches_it(project: Path, make: Any) -> None:
    make("pyproject.toml", "")
    make("kernels.py", "def add_one(x_ref, o_ref):\n    return x_ref[...] + 1\n")
    make(
        "use.py",
        "import jax\nfrom jax.experimental import pallas as pl\nimport kernels\n\n"
        "def run(x):\n    return pl.pallas_call(kernels.add_one, out_shape=x)(x)\n",
    )
    make("other.py", "def add_one(x_ref, o_ref):\n    return x_ref[...] + 1\n")
    for paths in ((), ("kernels.py",), ("use.py", "kernels.py")):
        found = execute("check", "--output-format", "concise", *paths)
        assert [line.split(" ")[:2] for line in found.stdout.splitlines() if "PAL" in line] == [
            ["kernels.py:2:5:", "PAL001"]
        ]
    assert execute("check", "--fix").returncode == 0
    assert (project / "kernels.py").read_text().endswith("    o_ref[...] = x_ref[...] + 1\n")


def test_shards_find_together_what_one_run_finds(project: Path, make: Any) -> None:
    make("pyproject.toml", "")
    make(
        "kernels.py",
        KERNEL.partition("def run")[0].replace("import jax\nfrom jax.experimental import pallas as pl\n", ""),
    )
    make("user.py", "from kernels import add_one\n" + KERNEL.replace("def add_one", "def other"))
    make("alone.py", KERNEL)
    names = ["alone.py", "kernels.py", "user.py"]
    flags = ("check", "-q", "--no-cache", "--output-format", "concise")
    shards = []
    for name in names:
        make("shard.txt", f"{name}\n")
        shards.append(execute(*flags, "--files-from", "shard.txt").stdout)
    assert "kernels.py:" in "".join(shards)
    assert "".join(shards) == execute(*flags).stdout


KILLED = """\
import os, signal, sys
left = int(sys.argv[1])
def hook(event, arguments):
    global left
    flags = arguments[2] if event == "open" else 0
    writes = isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR)
    changes = writes or event in ("os.rename", "os.chmod", "os.chown", "os.remove")
    if changes and str(arguments[0]).startswith(os.getcwd()):
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
from pallas_lsp.cli.main import run
from pallas_lsp.cli import checking, writing
sys.addaudithook(hook)
code = run(["check", "--fix", "-q"])
sys.stdout.flush()
os._exit(code)
"""
"""The command line, killed just before it changes the files of the project for the n-th time."""


@pytest.mark.skipif(os.name == "nt", reason="no such signal")
def test_a_run_that_is_killed_at_any_moment_leaves_every_file_whole(project: Path, make: Any) -> None:
    make("pyproject.toml", "")
    names = ("a.py", "b.py")
    seen = set()
    for number in range(1, 100):
        for name in names:
            make(name, KERNEL)
        program = (sys.executable, "-c", KILLED, str(number))
        done = subprocess.run(program, capture_output=True, env=environment())
        seen.add(tuple(Path(name).read_text() == FIXED for name in names))
        assert {Path(name).read_text() for name in names} <= {KERNEL, FIXED}
        if done.returncode != -signal.SIGKILL:
            assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
            break
    assert seen == {(False, False), (True, False), (True, True)}
    assert execute("check").returncode == 0  # What a killed run has left of the cache does no harm.

"""`check --add-ignore`: comments that hide what was found."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from cli.test_process import KERNEL, execute


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("    return x_ref[...] + 1\n", "    return x_ref[...] + 1  # pallas: ignore[PAL001]\n"),
        ("    return x_ref[...] + 1  # note\n", "    return x_ref[...] + 1  # note  # pallas: ignore[PAL001]\n"),
        (
            "    return x_ref[...] + 1  # pallas: ignore[PAL002]\n",
            "    return x_ref[...] + 1  # pallas: ignore[PAL002, PAL001]\n",
        ),
        (
            "    return (\n        x_ref[...]\n    )\n",
            "    return (\n        x_ref[...]\n    )  # pallas: ignore[PAL001]\n",
        ),
        (
            "    return x_ref[...] + \\\n        1\n",
            "    return x_ref[...] + \\\n        1  # pallas: ignore[PAL001]\n",
        ),
        ('    return x_ref[...], """\n    """\n', '    return x_ref[...], """\n    """  # pallas: ignore[PAL001]\n'),
        ("    return x_ref[...] + 1   ", "    return x_ref[...] + 1  # pallas: ignore[PAL001]"),
    ],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_the_comment_stands_where_it_hides(project: Path, make: Any, before: str, after: str, newline: str) -> None:
    head, tail = KERNEL.split("    return x_ref[...] + 1\n")
    if not before.endswith("\n"):  # the last line of the file
        head, tail = head.replace("def add_one", f"{tail.strip()}\n\n\ndef add_one"), ""
    path = make("k.py", "")
    path.write_bytes((head + before + tail).replace("\n", newline).encode())
    done = execute("check", "--add-ignore", "--ignore", "PAL901")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "Added 1 comment.\n")
    assert path.read_bytes().decode() == (head + after + tail).replace("\n", newline)
    assert execute("check", "--ignore", "PAL901").returncode == 0
    compile(path.read_bytes(), "k.py", "exec")


def test_every_finding_of_every_file(project: Path, make: Any) -> None:
    make("a.py", KERNEL + KERNEL.replace("add_one", "add_two").replace("run", "run_two"))
    make("b.py", KERNEL)
    make("clean.py", "x = 1\n")
    assert execute("check", "--select", "PAL001", "--add-ignore").stderr == "Added 3 comments.\n"
    assert execute("check", "--select", "PAL001").returncode == 0
    assert execute("check", "--select", "PAL001", "--add-ignore").stderr == "Added 0 comments.\n"


def test_a_notebook(project: Path, make: Any) -> None:
    imports, kernel, launch = KERNEL.split("\n\n\n")
    cells = [{"cell_type": "code", "outputs": [], "source": cell} for cell in ("!ls", imports, kernel, launch)]
    path = make("nb.ipynb", json.dumps({"cells": cells, "nbformat": 4}))
    assert execute("check", "--add-ignore").returncode == 0
    assert json.loads(path.read_text())["cells"][2]["source"] == f"{kernel}  # pallas: ignore[PAL001]"


@pytest.mark.parametrize("other", ["--fix", "--fix-only", "--diff", "-"])
def test_one_thing_at_a_time(project: Path, other: str) -> None:
    done = execute("check", "--add-ignore", other, stdin=subprocess.DEVNULL)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)

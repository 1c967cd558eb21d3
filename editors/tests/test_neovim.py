"""The configuration for Neovim, in a headless Neovim 0.11."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from programs import BOTH_FIXED, FIRST_FIXED, FIX
from terminal import Terminal

BIN = Path(sys.prefix) / "bin"
HERE = Path(__file__).resolve().parent
ON_PATH = {"PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"}


def steps(file: Path, folder: Path, **environment: str) -> dict[str, Any]:
    """What the script reports, by step."""
    command = [BIN / "nvim", "--clean", "--headless", "-l", HERE / "neovim.lua", file]
    variables = {**os.environ, **ON_PATH, "XDG_STATE_HOME": str(folder), **environment}
    run = subprocess.run(command, env=variables, cwd=folder, capture_output=True, text=True, timeout=120, check=False)
    output = run.stdout + run.stderr
    assert run.returncode == 0, output
    reported = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
    return {each["step"]: each.get("value") for each in reported}


@pytest.mark.parametrize("environment", [{}, {"OLDER": "1"}], ids=["vim.lsp.config", "vim.lsp.start"])
def test_kernels_are_reported_and_fixed(kernels: Path, tmp_path: Path, environment: dict[str, str]) -> None:
    kernels.with_name("pyproject.toml").write_text("")
    reported = steps(kernels, tmp_path, **environment)
    assert reported["root"] == str(kernels.parent)
    assert reported["diagnostics"] == [[5, 4, "PAL001", "pallas-lsp"], [9, 4, "PAL001", "pallas-lsp"]]
    assert reported["quick fixes"][0] == FIX
    assert reported["after the quick fix"] == FIRST_FIXED
    assert reported["hover"].startswith("**kernel** `add_kernel`\n\n`pallas_call` of `add_kernel` at line 14, 1 output")
    assert sorted(reported["inlay hints"]) == ["input", "input", "input", "output", "output"]
    assert reported["after writing"] == BOTH_FIXED
    assert kernels.read_text() == BOTH_FIXED


def test_a_person_chooses_a_quick_fix(kernels: Path) -> None:
    lua = HERE.parent / "neovim" / "init.lua"
    command = [BIN / "nvim", "-u", lua, "-i", "NONE", "-n", "--cmd", f"set rtp^={lua.parent}", kernels]
    terminal = Terminal(kernels.parent, command, {**ON_PATH, "XDG_STATE_HOME": str(kernels.parent / "state")})
    try:
        terminal.see("should return None")
        terminal.press("6", "G", "gra")
        terminal.see(f"1: {FIX}")
        terminal.press("1", "Enter")
        terminal.see("o_ref[...] = x_ref[...] + y_ref[...]")
        terminal.save(":noautocmd w", kernels, FIRST_FIXED)
    finally:
        terminal.stop()

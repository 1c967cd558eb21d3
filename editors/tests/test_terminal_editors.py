"""The snippets for Emacs, Helix and Vim, used as they are. An editor that is not installed is skipped."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from programs import BOTH_FIXED, FIRST_FIXED, FIX
from terminal import Terminal

HERE = Path(__file__).resolve().parent
EDITORS = HERE.parent
ON_PATH = {"PATH": f"{Path(sys.prefix) / 'bin'}{os.pathsep}{os.environ['PATH']}"}


def needs(*programs: str) -> str:
    """The first of these programs that is installed; without any the test is skipped."""
    found = next(filter(None, map(shutil.which, programs)), None)
    if found is None:
        pytest.skip(f"needs {' or '.join(programs)}")
    return found


def test_emacs(kernels: Path, tmp_path: Path) -> None:
    run = subprocess.run(
        [needs("emacs"), "--batch", "-l", HERE / "emacs.el", kernels],
        env={**os.environ, **ON_PATH, "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert "The kernel function in the pallas_call add_kernel should return None." in run.stderr
    assert f"after the quick fix: {FIRST_FIXED}" in run.stderr
    assert kernels.read_text() == BOTH_FIXED


def test_helix(kernels: Path, tmp_path: Path) -> None:
    configuration = tmp_path / "config" / "helix"
    configuration.mkdir(parents=True)
    shutil.copy(EDITORS / "helix" / "languages.toml", configuration)
    variables = {**ON_PATH, "XDG_CONFIG_HOME": str(tmp_path / "config"), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    terminal = Terminal(tmp_path, [needs("hx", "helix"), kernels], variables)
    try:
        terminal.see("should return None")
        terminal.press("]", "d")
        terminal.press("Space", "a")
        terminal.see(FIX)
        terminal.press("Enter")
        terminal.see("o_ref[...] = x_ref[...] + y_ref[...]")
        terminal.save(":w", kernels, FIRST_FIXED)
    finally:
        terminal.stop()


def test_vim_with_ale(kernels: Path, tmp_path: Path) -> None:
    vim = needs("vim")
    if not Path("/usr/share/vim/vimfiles/pack/dist-bundle/opt/ale").exists():
        pytest.skip("needs ALE")
    vimrc = tmp_path / "vimrc"
    snippet = EDITORS / "vim" / "pallas_lsp.vim"
    vimrc.write_text(
        "set nocompatible noswapfile viminfo= nomore signcolumn=yes\nfiletype plugin on\n"
        "let g:ale_linters = {'python': ['pallas_lsp']}\nlet g:ale_linters_explicit = 1\npackadd! ale\n"
        f"source {snippet}\n"
    )
    terminal = Terminal(tmp_path, [vim, "-u", vimrc, kernels], ON_PATH)
    try:
        terminal.see(">>")
        terminal.press("6", "G")
        terminal.see("should return None")
        terminal.press(":ALECodeAction", "Enter")
        terminal.see(FIX)
        terminal.press("1", "Enter")
        terminal.see("o_ref[...] = x_ref[...] + y_ref[...]")
        terminal.save(":w", kernels, FIRST_FIXED)
    finally:
        terminal.stop()

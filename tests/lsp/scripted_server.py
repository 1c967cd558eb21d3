"""The server with another checker: one that finds what comments ask for, so that tests of the protocol say all.

A line like `return x  # PAL001 safe unsafe group=k` is a finding from `return` up to the comment. The words after the
code:

    safe, unsafe, none   a fix of that kind; `safe` turns `return ` into `o[...] = `, which is not a finding
    group=NAME           the kernel that it belongs to
    tag=NAME             a rendering hint
    related              a related place: the first line of the text
    related=PATH         a related place: the first word of another file's second line
    crash                the check raises
    crash-fix            making the fixes raises
    print                something is printed, and written to file descriptor 1
    wait=PATH            the check waits until somebody has written to the named pipe
    crash-rule           a rule raises

Looking through the workspace, it reports each ten files, and waits at a file `wait.py` for the named pipe in it.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pallas_lsp.check
import pallas_lsp.fixing
from pallas_lsp.config import Settings
from pallas_lsp.findings import (
    Applicability,
    Crash,
    Edit,
    Finding,
    Fix,
    Position,
    Range,
    Related,
    Report,
    Severity,
    Tag,
)
from pallas_lsp.fixing import Fixed
from pallas_lsp.lsp import serve
from pallas_lsp.semantics import workspace
from pallas_lsp.text import SourceText

_FINDING = re.compile(r"^( *)(return .*?) *# (PAL\d+)(.*)$")


def check(text: str, settings: Settings, *, path: str, project: object) -> Report:
    """The scripted check."""
    source = SourceText(text)
    findings: list[Finding] = []
    crashes: tuple[Crash, ...] = ()
    for line in range(source.line_count):
        if found := _FINDING.match(source.line(line)):
            finding = _finding(line, *found.groups())
            if "crash-rule" in found[4]:
                crashes += (_crash(finding),)
            elif settings.enables(finding.code, default=True, path=path):
                findings.append(finding)
    return Report(tuple(findings), crashes=crashes)


def _crash(finding: Finding) -> Crash:
    try:
        raise RuntimeError("the scripted rule crashed")
    except RuntimeError as error:
        return Crash(finding.code, finding.name, error)


def _finding(line: int, indent: str, code: str, rule: str, rest: str) -> Finding:
    words = dict(word.partition("=")[::2] for word in rest.split())
    if "wait" in words:
        Path(words["wait"]).read_bytes()
    if "print" in words:
        print("a stray print")
        os.write(1, b"a stray write\n")
    if "crash" in words:
        raise RuntimeError("the scripted check crashed")
    start, end = Position(line, len(indent)), Position(line, len(indent + code))
    keyword = Range(start, Position(line, len(indent) + len("return ")))
    whole = Range(start, end)
    known = {
        "safe": Fix("Store the value", (Edit(keyword, "o[...] = "),), Applicability.SAFE),
        "unsafe": Fix(
            "Cast the value",
            (Edit(keyword, "o[...] = cast("), Edit(Range(end, end), ")")),
            Applicability.UNSAFE,
            "look at the dtype",
        ),
        "none": Fix("Add an output", (), Applicability.NONE, "there is no launch"),
    }

    def make_fixes() -> tuple[Fix, ...]:
        if "crash-fix" in words:
            raise RuntimeError("the scripted fix crashed")
        return tuple(known[word] for word in words if word in known)

    first_line = Range(Position(0, 0), Position(0, 1))
    related = ()
    if words.get("related"):
        related = (Related(Range(Position(1, 0), Position(1, 2)), "over there", words["related"]),)
    elif "related" in words:
        related = (Related(first_line, "launched here"),)
    return Finding(
        code=rule,
        name="scripted-rule",
        message=f"found `{code}`",
        severity=Severity.ERROR,
        range=whole,
        related=related,
        tags=(Tag(words["tag"]),) if "tag" in words else (),
        group=words.get("group", ""),
        make_fixes=make_fixes,
    )


def fix_all(
    text: str,
    settings: Settings,
    *,
    path: str,
    project: object,
    unsafe: bool = False,
    codes: frozenset[str] | None = None,
    group: str | None = None,
) -> Fixed:
    """Applies the first fix that may be applied of every finding that is meant."""
    allowed = {Applicability.SAFE, Applicability.UNSAFE} if unsafe else {Applicability.SAFE}
    applied = []
    for finding in check(text, settings, path=path, project=project).findings:
        if (codes is None or finding.code in codes) and (group is None or finding.group == group):
            applied += [(finding, fix) for fix in finding.fixes() if fix.applicability in allowed][:1]
    return Fixed(SourceText(text).replaced([edit for _, fix in applied for edit in fix.edits]), tuple(applied))


def scanned(path: str, status: os.stat_result) -> workspace.ScannedFile:
    """Looks at a file of the workspace; one named `wait.py` names a pipe to wait for."""
    if path.endswith("wait.py"):
        Path(Path(path).read_text()).read_bytes()
    return look_at(path, status)


if __name__ == "__main__":
    workspace.OBSERVED = 10
    look_at, workspace._scanned = workspace._scanned, scanned
    pallas_lsp.check.check = check
    pallas_lsp.fixing.fix_all = fix_all
    sys.exit(serve())

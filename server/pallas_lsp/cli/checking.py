"""From the text of a file to what is said about it: pure, whatever the text was read from."""

from __future__ import annotations

from pathlib import Path

from pallas_lsp.check import check
from pallas_lsp.cli.results import Result, Violation
from pallas_lsp.config import Settings
from pallas_lsp.findings import Applicability, Finding
from pallas_lsp.fixing import fix_all, preferred
from pallas_lsp.semantics.project import Project
from pallas_lsp.text import SourceText


class Checking:
    """Checks one file after another; what they import is read once.

    Args:
      roots: the folders of the program, in which launches of the files' kernels are looked for.
    """

    def __init__(self, roots: tuple[Path, ...]) -> None:
        self._project = Project(roots)
        self._project.index()

    def is_reached(self, path: str) -> bool:
        """Whether a file that mentions Pallas imports this one."""
        return self._project.is_reached(path)

    def examine(self, text: str, settings: Settings, *, path: str, shown: str) -> Result:
        """Checks the text of the file that is `path` for programs, and `shown` for people."""
        report = check(text, settings, path=path, project=self._project)
        violations = tuple(_violation(finding, settings.unsafe_fixes) for finding in report.findings)
        self._project.close(path)
        return Result(path, shown, text, SourceText(text), violations, report.notices)

    def mend_and_examine(self, text: str, settings: Settings, *, path: str, shown: str) -> Result:
        """Mends what may be mended, and checks what came out."""
        fixed = fix_all(text, settings, path=path, project=self._project, unsafe=settings.unsafe_fixes)
        result = self.examine(fixed.text, settings, path=path, shown=shown)
        return result._replace(original=text, fixed=fixed.applied)


def _violation(finding: Finding, unsafe: bool) -> Violation:
    fix = preferred(finding, unsafe)
    if fix is not None:
        return Violation(finding, fix, fixable=True, obstacle="")
    hidden = preferred(finding, unsafe=True)
    obstacles = () if hidden else (fix.reason for fix in finding.fixes() if fix.applicability is Applicability.NONE)
    return Violation(finding, hidden, fixable=False, obstacle=next(iter(obstacles), ""))

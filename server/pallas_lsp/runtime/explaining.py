"""From an error of JAX to the finding that explains it, its place and its fix."""

from __future__ import annotations

import difflib
import linecache
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from pallas_lsp.check import check
from pallas_lsp.config import DEFAULT, ConfigError, Settings, settings_for
from pallas_lsp.findings import Applicability, Finding, Fix, Range, Related
from pallas_lsp.fixing import preferred
from pallas_lsp.rules.base import Rule
from pallas_lsp.rules.pages import page_url, summary_of
from pallas_lsp.rules.registry import RULES
from pallas_lsp.runtime.messages import codes_for, place_in
from pallas_lsp.runtime.tracebacks import Frame, Raised, raised_in
from pallas_lsp.semantics.project import Project
from pallas_lsp.semantics.workspace import files_among
from pallas_lsp.text import SourceText

_LIBRARY = re.compile(
    r"[/\\](?:site|dist)-packages[/\\](?:jax|jaxlib|_pytest|pluggy|IPython)[/\\]|[/\\]lib[/\\]python3\.\d+[/\\](?!site-)"
)
"""Files that are not the user's: of JAX, pytest and IPython, and Python's own."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why JAX raised an error, as far as the checker knows.

    Args:
      raised: the error.
      rule: the rule that looks for the mistake.
      path: the file of the finding; empty without one.
      finding: the mistake in the program; None when it is not seen there.
      fix: the fix of the finding; None when there is none.
      text: of the file.
    """

    raised: Raised
    rule: type[Rule]
    path: str = ""
    finding: Finding | None = None
    fix: Fix | None = None
    text: str = ""


class _Candidate(NamedTuple):
    """A finding that may be the mistake: the better the higher its rank."""

    rank: tuple[int, int, int]
    path: str
    text: str
    finding: Finding


def explain_traceback(text: str) -> Explanation | None:
    """Explains the last error in a text that a rule knows; one whose mistake is found in the program if there is any.

    Args:
      text: the output of a program, with one or more tracebacks in it.

    Returns:
      What to say; None when there is no error that a rule knows.
    """
    explained = [one for raised in reversed(raised_in(text)) if (one := explain(raised)) is not None]
    return next((one for one in explained if one.finding is not None), explained[0] if explained else None)


def explain(raised: Raised, text_of: Callable[[str], str] | None = None) -> Explanation | None:
    """Explains one error.

    Args:
      raised: the error, and where it passed.
      text_of: gives the text of a file, empty when there is none; by default that on disk, or of a notebook's cell.

    Returns:
      What to say; None when no rule knows the error.
    """
    codes = codes_for(raised.text)
    rules = {rule.code: rule for rule in RULES}
    if not codes:
        return None
    candidates = list(_candidates(raised, codes, text_of or _text_of))
    if not candidates:
        return Explanation(raised, rules[codes[0]])
    best = max(candidates, key=lambda one: one.rank)
    return Explanation(
        raised, rules[best.finding.code], best.path, best.finding, preferred(best.finding, unsafe=True), best.text
    )


def _candidates(raised: Raised, codes: tuple[str, ...], text_of: Callable[[str], str]) -> Iterator[_Candidate]:
    """The findings of some rules in the files of a traceback, as far as they have to do with its lines."""
    spoken_of = place_in(raised.text)
    frames = [*raised.frames, *([Frame(*spoken_of[:2])] if spoken_of is not None else [])]
    lines: dict[str, list[int]] = {}
    for frame in reversed(frames):
        if not _LIBRARY.search(frame.path):
            lines.setdefault(_absolute(frame.path), []).append(frame.line)
    project = Project()
    project.index({"": files_among(path for path in lines if Path(path).is_file())})
    for nearness, path in enumerate(lines):
        text = text_of(path)
        findings = check(text, _settings(path, codes), path=path, project=project).findings if text else ()
        for finding in findings:
            touched = _touched(finding, path, lines, spoken_of[2] if spoken_of is not None else "")
            if touched or len(findings) == 1:
                rank = (touched, -codes.index(finding.code), -nearness)
                yield _Candidate(rank, path, text, finding)


def _settings(path: str, codes: tuple[str, ...]) -> Settings:
    """Some rules alone, for the JAX release of the project that a file belongs to."""
    try:
        own = settings_for(path) if Path(path).is_absolute() else DEFAULT
    except ConfigError:
        own = DEFAULT
    return Settings(select=codes, target_jax=own.target_jax, python=own.python)


def _absolute(path: str) -> str:
    """A path of a traceback as an absolute one; what is no file, such as a cell of a notebook, as it is."""
    place = Path(path).expanduser()
    return str(place.absolute()) if place.is_file() else path


def _touched(finding: Finding, path: str, lines: dict[str, list[int]], kernel: str) -> int:
    """How surely a finding has to do with the lines of a traceback: it is on one, or its launch is."""
    own = _holds(finding.range, lines[path])
    launch = any(_holds(related.range, lines.get(related.path or path, ())) for related in finding.related)
    named = bool(kernel) and finding.group.startswith(f"{kernel}:")
    return 2 * own + launch + 4 * named


def _holds(place: Range, rows: Iterable[int]) -> bool:
    return any(place.start.line < row <= place.end.line + 1 for row in rows)


def _text_of(path: str) -> str:
    linecache.checkcache(path)
    return "".join(linecache.getlines(path))


# -- words -------------------------------------------------------------------------------------------------------------


def as_text(explanation: Explanation, shown: Callable[[str], str] = str) -> str:
    """An explanation for people to read: what, where, why, and the fix as a diff.

    Args:
      explanation: what to say.
      shown: how a path is written.
    """
    rule, finding = explanation.rule, explanation.finding
    if finding is None:
        return (
            f"{rule.code} {rule.name}: {summary_of(rule)}\n"
            "The mistake is not seen in the files of the traceback.\n"
            f"See {page_url(rule.name)}\n"
        )
    path = shown(explanation.path)
    rows = [f"{_place(path, finding.range)}: {rule.code} {rule.name}", finding.message]
    rows += [_related(related, path, shown) for related in finding.related]
    return "\n".join([*rows, *_fix(explanation, path)]) + "\n"


def _place(path: str, place: Range) -> str:
    return f"{path}:{place.start.line + 1}:{place.start.character + 1}"


def _related(related: Related, path: str, shown: Callable[[str], str]) -> str:
    return f"{_place(path if related.path is None else shown(related.path), related.range)}: {related.message}"


def _fix(explanation: Explanation, path: str) -> Iterator[str]:
    fix, finding = explanation.fix, explanation.finding
    if fix is None:
        reasons = [one.reason for one in (finding.fixes() if finding is not None else ()) if one.reason]
        yield from (f"There is no fix: {reason}" for reason in reasons[:1])
        return
    warning = "" if fix.applicability is Applicability.SAFE else f" Look at it afterwards: {fix.reason}"
    yield f"\nFix: {fix.title}.{warning}"
    yield diff_of(explanation.text, fix, path).rstrip("\n")


def diff_of(text: str, fix: Fix, path: str) -> str:
    """What a fix changes, as a unified diff."""
    after = SourceText(text).replaced(fix.edits)
    rows = difflib.unified_diff(_lines(text), _lines(after), path, path)
    return "".join(row if row.endswith(("\n", "\r")) else f"{row}\n\\ No newline at end of file\n" for row in rows)


def _lines(text: str) -> list[str]:
    """Lines end as in Python: a form feed does not end one."""
    return re.findall(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+", text)

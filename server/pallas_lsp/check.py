"""The one entry that both fronts share: text in, report out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from pallas_lsp.config import DEFAULT, PerFileIgnore, Settings
from pallas_lsp.files import MAX_BYTES
from pallas_lsp.findings import Crash, Finding, Notice, Position, Range, Report, in_text_order
from pallas_lsp.rules.base import Rule
from pallas_lsp.rules.registry import RULES
from pallas_lsp.rules.unused_ignore import UnusedIgnore, unused_ignores
from pallas_lsp.semantics.analysis import Analysis, analyse
from pallas_lsp.semantics.jax_api import Version, as_version
from pallas_lsp.semantics.kernels import number_of_kernels, ways_out
from pallas_lsp.semantics.project import Module, Project
from pallas_lsp.suppressions import Suppressions
from pallas_lsp.target import target_of


def check(text: str, settings: Settings = DEFAULT, *, path: str = "", project: Project | None = None) -> Report:
    """Checks one version of one file.

    Args:
      text: the whole file; any text at all.
      settings: which rules, and how.
      path: the file; imports are looked up from there, and rules may be switched off for it.
      project: the other modules, and what was kept of the file's last version; made anew when None.

    Returns:
      What there is to say. Never raises.
    """
    if len(text) > MAX_BYTES:
        reason = f"Not analysed: the text is longer than {MAX_BYTES // 1024 // 1024} MiB."
        return Report((), (Notice(Range(Position(0, 0), Position(0, 0)), reason, skipped=True),))
    project = project if project is not None else Project()
    module = project.update(path, text)
    notices = tuple(Notice(place, problem.message, problem.skipped) for place, problem in module.parsed.problems())
    rules = _rules_for(settings.select, settings.extend_select, settings.ignore, settings.per_file_ignores, path)
    if not rules or not module.may_hold_kernels:
        return Report((), notices)
    try:
        analysis = analysis_of(module, project, settings)
    except RecursionError:
        whole = Range(Position(0, 0), module.parsed.source.position(len(text)))
        return Report((), (*notices, Notice(whole, "Not analysed: the code is nested too deeply.", skipped=True)))
    suppressions = Suppressions.of(text)
    judges_comments = UnusedIgnore in rules and bool(suppressions.directives)
    questions = _Questions.of(rules, judges_comments, analysis.target)
    questioned = analysis.questioned(questions)
    found: dict[type[Rule], list[Finding]] = {}
    crashes: list[Crash] = []
    for rule in questions.rules:
        try:
            found[rule] = list(rule().check(questioned, settings))
        except Exception as error:  # A mistake in one rule must not cost what the others find.
            crashes.append(Crash(rule.code, rule.name, error))
    if not crashes:
        ways_out(questioned)  # rules ask for these of pieces that they have other questions about
        questioned.settle(questions)
    asked = (finding for rule in rules for finding in found.get(rule, ()))
    shown = [finding for finding in asked if not suppressions.hides(finding)]
    if judges_comments and not crashes:
        every = [finding for findings in found.values() for finding in findings]
        shown += unused_ignores(module.parsed.source, suppressions, every, [rule.code for rule in found])
    return Report(in_text_order(_graded(shown, settings)), notices, number_of_kernels(analysis), tuple(crashes))


def analysis_of(module: Module, project: Project, settings: Settings) -> Analysis:
    """What is known of a module, for the JAX release that the settings or the project name.

    Raises:
      RecursionError: the code is nested too deeply.
    """
    target = as_version(settings.target_jax or target_of(module.path, settings.python))
    return analyse(module, project, target)


@lru_cache(maxsize=1024)
def _rules_for(
    select: tuple[str, ...] | None,
    extend_select: tuple[str, ...],
    ignore: tuple[str, ...],
    per_file_ignores: tuple[PerFileIgnore, ...],
    path: str,
) -> tuple[type[Rule], ...]:
    """The rules that settings switch on for a file; the settings say nothing else about that."""
    settings = Settings(select, extend_select, ignore, per_file_ignores=per_file_ignores)
    return tuple(rule for rule in RULES if settings.enables(rule.code, rule.default, path))


@dataclass(frozen=True, slots=True)
class _Questions:
    """What the pieces of a module are asked. Compared by identity: there is one object for the same questions.

    Args:
      rules: that are put to them.
      target: the JAX release that some of the rules ask for.
    """

    rules: tuple[type[Rule], ...]
    target: Version

    @staticmethod
    @lru_cache(maxsize=64)
    def of(rules: tuple[type[Rule], ...], judges_comments: bool, target: Version) -> _Questions:
        """The questions of some rules, and of all that are on by default where unused comments are looked for."""
        asked = (rule for rule in RULES if rule.default or rule in rules)
        return _Questions(tuple(asked) if judges_comments else rules, target)


def _graded(findings: Iterable[Finding], settings: Settings) -> Iterator[Finding]:
    """The findings with the severity that the settings give their rules."""
    for finding in findings:
        severity = settings.severity.get(finding.code)
        yield finding if severity is None else replace(finding, severity=severity)

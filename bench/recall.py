"""Recall of every rule: makes mistakes in working programs, and asks the checker and JAX about each.

    python -m bench.recall                       the programs of tests/oracle and of the rule pages, judged by JAX
    python -m bench.recall --each 100            more of them for each mistake
    python -m bench.recall FOLDER ...            all programs below these folders, which are only read

With JAX as the judge, a mistake counts only where JAX says what the rule says that it does. Where JAX runs the changed
program and the line that a rule reports, that is a false alarm. Without JAX, a mistake counts wherever it can be made.
"""

from __future__ import annotations

import argparse
import ast
import functools
import itertools
import re
import sys
import tempfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

from bench.mistakes import MISTAKES, Mistake, Program, program_of
from pallas_lsp.check import check
from pallas_lsp.config import Settings
from pallas_lsp.findings import Finding, Severity
from pallas_lsp.semantics.project import Project
from tests.oracle.harness import Case, Outcome, difference, execute, programs
from tests.oracle.test_kernel_bodies import bodies, has_nan

ROOT = Path(__file__).parent.parent
TraceFunction = Callable[[FrameType, str, object], object]
SILENT = frozenset(mistake.code for mistake in MISTAKES if not mistake.says)
"""The rules about mistakes that JAX says nothing about."""
HARMLESS = frozenset({"PAL308", "PAL310", "PAL403", "PAL502"})
"""Those of them whose mistakes may change nothing, by chance or in interpret mode, and are mistakes all the same."""


_COMPOUND = (ast.FunctionDef, ast.ClassDef, ast.If, ast.For, ast.While, ast.With, ast.Try, ast.Match)
TRIED = 5
"""How many programs are changed for each mistake that is wanted: in some, JAX says something else."""


@dataclass(frozen=True)
class Sample:
    """A working program by the name of where it is from."""

    name: str
    program: Program


@dataclass
class Row:
    """What was counted for a mistake.

    Args:
      made: programs in which the mistake is one.
      reported: those that its rule reports.
      otherwise: those that only another rule reports.
      misses: where the others are.
      false_alarms: what was reported although JAX runs the changed program.
    """

    mistake: Mistake
    made: int = 0
    reported: int = 0
    otherwise: int = 0
    misses: list[str] = field(default_factory=list)
    false_alarms: list[str] = field(default_factory=list)


def working_programs() -> list[Sample]:
    """The programs that JAX runs and no rule reports: those of the oracle, and the fixed ones of the rule pages."""
    texts = {
        f"{kind}/{case.path.name}": case.text
        for kind in ("cases", "fixed")
        for case in programs(kind)
        if _works(kind, case)
    }
    texts |= {f"{body.rule} {body.title}": body.text for body in bodies() if "works" in body.expected}
    for page in sorted((ROOT / "docs" / "rules").glob("*.md")):
        section = page.read_text(encoding="utf-8").partition("## Fixed\n")[2]
        found = re.search(r"^```python\n(.*?)^```$", section, re.DOTALL | re.MULTILINE)
        if found:
            texts[page.name] = found[1]
    # Threads that wait for a copy that was not started would wait for ever, and a mock raises nothing.
    usual = {name: text for name, text in texts.items() if "InterpretParams" not in text and "mock" not in text}
    made = ((name, program_of(text)) for name, text in usual.items())
    return [Sample(name, program) for name, program in made if program is not None]


def _works(kind: str, case: Case) -> bool:
    return kind == "fixed" or (case.expect, case.sibling, case.lint) == ("ok", "", "silent")


def mutants(mistake: Mistake, samples: Iterable[Sample]) -> Iterator[tuple[Sample, str]]:
    """The changed programs, one for each sample, always in the same order for the same mistake."""

    def order(sample: Sample) -> int:
        return zlib.crc32(f"{mistake.title} {sample.name}".encode())

    for sample in sorted(samples, key=order):
        changes = next(filter(None, mistake.make(sample.program)), None)
        if changes is not None:
            yield sample, sample.program.changed(changes)


class Judge:
    """JAX, in this process, one program after the other."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._number = itertools.count()
        self._works = functools.cache(self._original)

    def outcome(self, text: str) -> Outcome:
        """What a program does."""
        return execute(self._written(text))

    def lines_run(self, text: str) -> frozenset[int]:
        """The 0-based lines of a program that run, all of a statement where one of them does."""
        path, lines = self._written(text), set[int]()

        def trace(frame: FrameType, event: str, argument: object) -> TraceFunction | None:
            if frame.f_code.co_filename != str(path):
                return None
            lines.add(frame.f_lineno)
            return trace

        sys.settrace(trace)
        try:
            execute(path)
        finally:
            sys.settrace(None)
        statements = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.stmt)]
        plain = [node for node in statements if not isinstance(node, _COMPOUND)]
        spans = [range(node.lineno, (node.end_lineno or node.lineno) + 1) for node in plain]
        run = [span for span in spans if not lines.isdisjoint(span)]
        return frozenset(line - 1 for line in lines.union(*run))

    def _written(self, text: str) -> Path:
        path = self._folder / f"program_{next(self._number)}.py"
        path.write_text(text, encoding="utf-8")
        return path

    def original(self, sample: Sample) -> Outcome | None:
        """What the program did before it was changed; None if that is no measure."""
        return self._works(sample.program.text)

    def _original(self, text: str) -> Outcome | None:
        outcome = self.outcome(text)
        return None if outcome.exception is not None or _is_unwritten(outcome.value) else outcome


def _is_unwritten(value: Any) -> bool:
    try:
        return has_nan(value)
    except (TypeError, ValueError):
        return False


def _differs(value: Any, expected: Any) -> bool:
    try:
        return bool(difference(value, expected))
    except (TypeError, ValueError):
        return False


def judged(mistake: Mistake, samples: Iterable[Sample], judge: Judge, each: int) -> Row:
    """Makes a mistake in some programs, and counts what the checker says against what JAX does."""
    row = Row(mistake)
    settings = Settings(extend_select=(mistake.code,))
    for sample, text in itertools.islice(mutants(mistake, samples), TRIED * each):
        if row.made == each:
            break
        original = judge.original(sample)
        if original is None or check(sample.program.text, settings).findings:
            continue
        outcome, findings = judge.outcome(text), check(text, settings).findings
        if outcome.exception is None:
            alarms = list(_false_alarms(mistake, findings, outcome, original))
            lines = judge.lines_run(text) if alarms else frozenset[int]()
            said = (f"{one.code} {one.message}" for one in alarms if one.range.start.line in lines)
            row.false_alarms += [f"{sample.name}: {one}" for one in said]
        if _is_mistake(mistake, outcome, original):
            _count(row, sample.name, findings)
    return row


def _is_mistake(mistake: Mistake, outcome: Outcome, original: Outcome) -> bool:
    if mistake.says:
        return outcome.exception is not None and re.search(mistake.says, outcome.message) is not None
    if mistake.code in HARMLESS:
        return outcome.exception is None
    return outcome.exception is None and (_is_unwritten(outcome.value) or _differs(outcome.value, original.value))


def _false_alarms(
    mistake: Mistake, findings: Iterable[Finding], outcome: Outcome, original: Outcome
) -> Iterator[Finding]:
    """What is said wrongly of a program that JAX runs: that it does not, or that what comes out is wrong."""
    same = not _differs(outcome.value, original.value) and not _is_unwritten(outcome.value)
    for finding in findings:
        silent = finding.code in SILENT if not same else not mistake.says and finding.code == mistake.code
        if not silent and (finding.severity is Severity.ERROR or finding.code == "PAL303"):
            yield finding


def _count(row: Row, name: str, findings: Iterable[Finding]) -> None:
    codes = {finding.code for finding in findings}
    row.made += 1
    if row.mistake.code in codes:
        row.reported += 1
    elif codes:
        row.otherwise += 1
    else:
        row.misses.append(name)


def read_only(mistake: Mistake, folder: Path, each: int) -> Row:
    """Makes a mistake in the programs below a folder, and counts what the checker says."""
    row = Row(mistake)
    settings = Settings(extend_select=(mistake.code,))
    for sample in _programs_below(folder):
        project = Project((folder,))
        before = Counter(
            f.code for f in check(sample.program.text, settings, path=sample.name, project=project).findings
        )
        for changes in itertools.islice(filter(None, mistake.make(sample.program)), each):
            text = sample.program.changed(changes)
            findings = check(text, settings, path=sample.name, project=project).findings
            left = Counter(before)
            new = [f for f in findings if left[f.code] <= 0 or left.subtract({f.code: 1})]
            _count(row, f"{sample.name}:{changes[0][0].lineno}", new)
    return row


@functools.cache
def _programs_below(folder: Path) -> list[Sample]:
    texts = ((path, path.read_bytes()) for path in sorted(folder.rglob("*.py")))
    made = ((str(path), program_of(text.decode("utf-8", "replace"))) for path, text in texts if b"pallas" in text)
    return [Sample(name, program) for name, program in made if program is not None and program.launches]


def show(rows: Iterable[Row], verbose: bool) -> list[Row]:
    """Prints the table as Markdown, each row once it is counted, and what was missed."""
    print("| rule | mistake | made | reported | by another rule | missed |\n|---|---|--:|--:|--:|--:|")
    shown = []
    for row in rows:
        print(f"| {row.mistake.code} | {row.mistake.title} | {_numbers(row)} |", flush=True)
        shown.append(row)
    print(f"| **all** | | {_numbers(*shown)} |")
    for row in shown:
        for name in row.misses if verbose else ():
            print(f"missed: {row.mistake.code} {row.mistake.title}: {name}")
        for alarm in row.false_alarms:
            print(f"FALSE ALARM: {row.mistake.code} {row.mistake.title}: {alarm}")
    return shown


def _numbers(*rows: Row) -> str:
    columns = ((row.made, row.reported, row.otherwise, len(row.misses)) for row in rows)
    return " | ".join(str(sum(column)) for column in zip(*columns, strict=True))


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("folders", nargs="*", type=Path, help="where programs are that are only read")
    parser.add_argument("--each", type=int, default=20, help="how many programs to change for each mistake")
    parser.add_argument("--rule", action="append", help="only the mistakes of this rule")
    parser.add_argument("--misses", action="store_true", help="list what is missed")
    arguments = parser.parse_args()
    mistakes = [mistake for mistake in MISTAKES if not arguments.rule or mistake.code in arguments.rule]
    if arguments.folders:
        folders = [folder.resolve() for folder in arguments.folders]
        read = (read_only(mistake, folder, arguments.each) for mistake in mistakes for folder in folders)
        show(read, arguments.misses)
        return
    samples = working_programs()
    with tempfile.TemporaryDirectory() as folder:
        judge = Judge(Path(folder))
        rows = show((judged(one, samples, judge, arguments.each) for one in mistakes), arguments.misses)
    sys.exit(any(row.false_alarms for row in rows))


if __name__ == "__main__":
    main()

"""Real kernel files while they are typed: every prefix, every token deleted. A part in `make test`, more in nightly."""

from __future__ import annotations

import io
import random
import tokenize
from pathlib import Path

import pytest

from pallas_lsp.check import check
from pallas_lsp.findings import Report
from pallas_lsp.semantics.project import Project
from tests.examples import number_of
from tests.oracle.harness import programs

KERNELS = [case.path for case in programs("cases")]
CHANCE = random.Random(7)
FILES = CHANCE.sample(KERNELS, min(len(KERNELS), number_of(12)))


def said(report: Report) -> list[object]:
    assert report.crashes == ()
    return [(finding, [str(fix) for fix in finding.fixes()]) for finding in report.findings] + list(report.notices)


@pytest.mark.timeout(600)
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_version_is_checked_as_if_it_were_the_first(path: Path) -> None:
    text = path.read_text("utf-8")
    project = Project()
    ends = sorted({*CHANCE.sample(range(len(text) + 1), min(len(text), number_of(20))), len(text)})
    versions = [text[:end] for end in ends]
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    tokens = [
        (starts[token.start[0] - 1] + token.start[1], starts[token.end[0] - 1] + token.end[1])
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.string.strip()
    ]
    for start, end in CHANCE.sample(tokens, min(len(tokens), number_of(20))):
        versions += [text[:start] + text[end:], text]
    for version in versions:
        assert said(check(version, path="k.py", project=project)) == said(check(version, path="k.py")), version


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_findings_above_what_is_typed_stay(path: Path) -> None:
    text = path.read_text("utf-8").rstrip("\n") + "\n"
    expected = [finding for finding in check(text, path="k.py").findings if finding.code.startswith("PAL0")]
    for typed in ("def f(x", "x = (", "if x:\n    ", "class A(", "f'{", "@", "return", "y = [1,\n", "    z = 1\n"):
        found = check(text + "\n\n" + typed, path="k.py").findings
        assert [finding for finding in found if finding.code.startswith("PAL0")] == expected, typed


def test_what_is_kept_does_not_grow_with_typing() -> None:
    """After thousands of edits a project holds what it held after a few."""
    text = KERNELS[0].read_text("utf-8")
    project = Project()

    def held(edits: int) -> int:
        for number in range(edits):
            check(text + f"\nx{number % 50} = {number}\n", path="k.py", project=project)
        check(text, path="k.py", project=project)
        seen = set[int]()
        stack: list[object] = [project]
        while stack:
            item = stack.pop()
            if id(item) in seen:
                continue
            seen.add(id(item))
            if isinstance(item, dict):
                stack += [*item.keys(), *item.values()]
            elif isinstance(item, (list, tuple, set, frozenset)):
                stack += item
            else:
                stack += vars(item).values() if hasattr(item, "__dict__") else ()
                slots = {name for kind in type(item).__mro__ for name in getattr(kind, "__slots__", ())}
                stack += [getattr(item, name) for name in slots if isinstance(name, str) and hasattr(item, name)]
        return len(seen)

    few = held(600)
    assert held(number_of(600)) < few * 1.2

"""What a rule is."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import ClassVar

from pallas_lsp.config import Settings
from pallas_lsp.findings import Finding, Position, Range, Related, Severity
from pallas_lsp.semantics.analysis import Analysis
from pallas_lsp.semantics.launches import Launch
from pallas_lsp.semantics.project import Module
from pallas_lsp.semantics.values import Function
from pallas_lsp.syntax import Chunk


class Rule:
    """A kind of mistake.

    The docstring of each rule is its page, under four headings: *What it does*, *What JAX says*, *Example* and *Fixed*.
    The examples are run by the tests.
    """

    code: ClassVar[str]
    name: ClassVar[str]
    severity: ClassVar[Severity]
    default: ClassVar[bool] = True

    def check(self, analysis: Analysis, settings: Settings) -> Iterable[Finding]:
        """The findings of this rule in the analysed module, in any order."""
        raise NotImplementedError


def range_in(analysis: Analysis, chunk: Chunk, node: ast.AST) -> Range:
    """Where a node of the analysed module stands."""
    return analysis.module.parsed.range_of(chunk, node)


def module_of(analysis: Analysis, launch: Launch) -> Module:
    """The module that a launch stands in, in the version that was analysed."""
    own = launch.path == analysis.module.path
    return analysis.module if own else analysis.interpreter.module(launch.path)


def group_of(analysis: Analysis, chunk: Chunk, function: ast.AST) -> str:
    """What the findings in one function, such as a kernel, have in common."""
    start = range_in(analysis, chunk, function).start
    return f"{getattr(function, 'name', '<lambda>')}:{start.line}:{start.character}"


def related_kernel(analysis: Analysis, kernel: Function) -> Related:
    """The first line of a kernel, as related information of a finding about its launch."""
    own = kernel.frame.path == analysis.module.path
    module = analysis.module if own else analysis.interpreter.module(kernel.frame.path)
    start = module.parsed.range_of(kernel.chunk, kernel.node).start
    end = Position(start.line, len(module.parsed.source.line(start.line)))
    return Related(Range(start, end), f"`{kernel.name}` is defined here.", None if own else module.path)


def related_launches(analysis: Analysis, launches: Iterable[Launch], message: str) -> tuple[Related, ...]:
    """The places of launches, each once, as related information of a finding."""
    places: dict[tuple[str | None, Range], Related] = {}
    for launch in launches:
        module = module_of(analysis, launch)
        place = module.parsed.range_of(launch.chunk, launch.node)
        path = None if module is analysis.module else module.path
        places.setdefault((path, place), Related(place, message.format(entry=launch.row.short_name), path))
    return tuple(places.values())

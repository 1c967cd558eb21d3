"""Conversions: rewrites of code that nothing is wrong with, which keep what it does."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from pallas_lsp.check import analysis_of
from pallas_lsp.config import DEFAULT, Settings
from pallas_lsp.findings import Range
from pallas_lsp.rewrite import FunctionSource, Rewrite, lambda_as_def
from pallas_lsp.rules.plans import statement_of
from pallas_lsp.semantics.launches import OWN_STORES
from pallas_lsp.semantics.project import Project


@dataclass(frozen=True, slots=True)
class Conversion:
    """A rewrite that a user may choose.

    Args:
      title: what it does.
      range: of the function that it is about.
      rewrite: the edits, or why there are none.
    """

    title: str
    range: Range
    rewrite: Rewrite


def conversions(
    text: str, place: Range, settings: Settings = DEFAULT, *, path: str = "", project: Project | None = None
) -> tuple[Conversion, ...]:
    """The conversions of the functions that a place is inside of: a lambda that is launched becomes a `def`.

    Args:
      text: the whole file; any text at all.
      place: in the file.
      settings: for the JAX release.
      path: the file; imports are looked up from there.
      project: the other modules; made anew when None.

    Returns:
      One for each function, the innermost last. Never raises.
    """
    project = project if project is not None else Project()
    module = project.update(path, text)
    if not module.may_hold_kernels:
        return ()
    try:
        analysis = analysis_of(module, project, settings)
    except RecursionError:
        return ()
    found: dict[ast.AST, Conversion] = {}
    for launch in analysis.launches:
        if launch.row.signature not in OWN_STORES or launch.never_runs:
            continue
        for run in launch.runs:
            function = run.function
            if function is None or not isinstance(function.node, ast.Lambda) or function.frame.path != module.path:
                continue
            whole = module.parsed.range_of(function.chunk, function.node)
            statement = statement_of(function)
            if statement is not None and whole.start <= place.start and place.end <= whole.end:
                source = FunctionSource(module.parsed.source, module.parsed.line_of(function.chunk), function.node)
                rewrite = lambda_as_def(source, *statement)
                found[function.node] = Conversion("Turn this lambda into a def", whole, rewrite)
    return tuple(sorted(found.values(), key=lambda conversion: conversion.range))

"""The one entry that both fronts share: text in, report out."""

from __future__ import annotations

import ast

from pallas_lsp.config import DEFAULT, Settings
from pallas_lsp.findings import Applicability, Edit, Finding, Fix, Position, Range, Report, Severity


# DEVELOPMENT STUB: the real analysis replaces this file; its signature stays.
def check(text: str, settings: Settings = DEFAULT, *, path: str = "", project: object | None = None) -> Report:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return Report()
    kernels = {
        call.args[0].id
        for call in ast.walk(tree)
        if isinstance(call, ast.Call) and ast.unparse(call.func).endswith("pallas_call") and call.args
        and isinstance(call.args[0], ast.Name)
    }
    lines = text.split("\n")
    def char(line: int, column: int) -> int:
        return len(lines[line].encode()[:column].decode())
    findings = []
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef) and function.name in kernels:
            for node in ast.walk(function):
                if isinstance(node, ast.Return) and node.value is not None:
                    line = node.lineno - 1
                    start = Position(line, char(line, node.col_offset))
                    value = Position(node.value.lineno - 1, char(node.value.lineno - 1, node.value.col_offset))
                    end = Position(node.end_lineno - 1, char(node.end_lineno - 1, node.end_col_offset))
                    output = function.args.args[-1].arg
                    fix = Fix(f"Store the result in `{output}`", (Edit(Range(start, value), f"{output}[...] = "),), Applicability.SAFE)
                    cast = Fix(f"Store the result in `{output}`, cast to its dtype", (Edit(Range(start, value), f"{output}[...] = ("), Edit(Range(end, end), f").astype({output}.dtype)")), Applicability.UNSAFE, "the cast may lose precision")
                    findings.append(Finding("PAL001", "returning-kernel", "The kernel function `k` should return None. It returns a PyTree: PyTreeDef(*).", Severity.ERROR, Range(start, end), group=f"{function.name}:{function.lineno}", make_fixes=lambda fix=fix, cast=cast: (fix, cast)))
    return Report(tuple(findings))

"""The operations write what was written by hand for the oracle's programs.

Each pair of a program and its golden rewrite says by itself what to do: at the place of a `return` the golden has a
store, a statement, or nothing, and its signature and annotation are the ones to make. A golden that stores something
else than what was returned, with a wrap or without, is no model for this layer, and is left out.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from pallas_lsp.rewrite import (
    FunctionSource,
    Part,
    Rewrite,
    Target,
    TargetTree,
    add_parameters,
    combine,
    drop,
    none_annotation,
    read_refs,
    store,
    store_lambda,
    store_parts,
)
from pallas_lsp.rewrite.blocks import Step
from pallas_lsp.rewrite.placement import path
from pallas_lsp.text import SourceText
from tests.rewrite.support import applied, returns_of

ORACLE = Path(__file__).parents[1] / "oracle"
GOLDENS = sorted([*ORACLE.glob("fixed/*.py"), *ORACLE.glob("more/fixed/*.py")])

NOT_MECHANICAL = {
    "065_return_list_of_stores": "the value is a store itself",
    "199_plgpu_kernel_returns_dropped": "the launch is changed too",
    "576_plgpu_kernel_decorator_returns": "the launch is changed too",
}


def read(path: Path) -> str:
    """A program without its first line, which states what JAX does with it; line breaks as they are."""
    return path.read_bytes().decode("utf-8").partition("\n")[2]


class Otherwise(Exception):
    """The golden is written in a way that no operation is for."""


def functions(text: str) -> list[FunctionSource]:
    source = SourceText(text)
    found = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef | ast.Lambda)]
    return [FunctionSource(source, 0, node) for node in found]


def as_in(function: FunctionSource, golden: FunctionSource) -> list[Rewrite]:
    """The operations that the golden asks for."""
    node, wanted = function.node, golden.node
    known = [argument.arg for argument in node.args.args]
    added = [argument.arg for argument in wanted.args.args if argument.arg not in known]
    rewrites: list[Rewrite] = []
    if added:
        rewrites.append(add_parameters(function, added, [a.arg for a in wanted.args.args].index(added[0])))
    if isinstance(node, ast.Lambda) and isinstance(wanted, ast.Lambda):
        call = wanted.body
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "__setitem__":
            reference, value = ast.unparse(call.func.value), call.args[-1]
            before, after = wrap(segment(function, node.body), segment(golden, value))
            rewrites.append(store_lambda(function, reference, before=before, after=after))
        return rewrites
    assert isinstance(node, ast.FunctionDef) and isinstance(wanted, ast.FunctionDef)
    if node.returns is not None and wanted.returns is not None:
        rewrites.append(none_annotation(function))
    for statement in returns_of(function):
        rewrites += at(function, statement, counterpart(path(node, statement), wanted), golden)
    return rewrites


def counterpart(steps: list[Step], golden: ast.AST) -> list[ast.AST]:
    """The statements from the same place of the golden on, to the end of their block."""
    found, rest = golden, []
    for step in steps:
        index = getattr(step.parent, step.field).index(step.child)
        rest = getattr(found, step.field)[index:]
        if not rest:
            break
        found = rest[0]
    return rest


def at(function: FunctionSource, statement: ast.Return, rest: list[ast.AST], goldens: FunctionSource) -> list[Rewrite]:
    """What to do with one `return`, given what the golden has from its place on."""
    assert statement.value is not None
    golden = rest[0] if rest else None
    if isinstance(golden, ast.Expr):
        return [drop(function, statement, keep_value=True)]
    if not isinstance(golden, ast.Assign):
        return [] if isinstance(golden, ast.Return) and golden.value else [drop(function, statement, keep_value=False)]
    if isinstance(golden.targets[0], ast.Name):
        return [store_parts(function, statement, parts_of(rest[1], goldens))]
    value, wanted = statement.value, golden.value
    left = golden.targets[0]
    if isinstance(value, ast.Name) and isinstance(left, ast.Tuple) and isinstance(wanted, ast.Tuple):
        keys = [part.slice for part in wanted.elts if isinstance(part, ast.Subscript)]
        named = [key.value for key in keys if isinstance(key, ast.Constant)]
        tree: TargetTree = dict(zip(named, targets_of_each(wanted.elts, left, goldens), strict=True))
    else:
        tree = targets_of(value, left, goldens)
    if isinstance(tree, Target):
        tree = Target(tree.text, *wrap(segment(function, value), segment(goldens, wanted)))
        if tree.after == "[...]":
            return [read_refs(function, [ast.unparse(value)]), store(function, statement, Target(tree.text))]
    return [store(function, statement, tree)]


def parts_of(store: ast.AST, goldens: FunctionSource) -> list[Part]:
    """What a golden picks out of the value that it gave a name."""
    assert isinstance(store, ast.Assign)
    left, right = store.targets[0], store.value
    assert isinstance(left, ast.Tuple) and isinstance(right, ast.Tuple)
    selectors = [segment(goldens, part).removeprefix("result") for part in right.elts]
    return [Part(segment(goldens, target), picked) for target, picked in zip(left.elts, selectors, strict=True)]


def targets_of(value: ast.expr, left: ast.expr, goldens: FunctionSource) -> TargetTree:
    """The targets on the left side of a golden's store, as deep as the value is written; a mapping for a dict."""
    if isinstance(value, ast.Dict):
        keys = [key.value for key in value.keys if isinstance(key, ast.Constant)]
        return dict(zip(keys, targets_of_each(value.values, left, goldens), strict=True))
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "dict":
        values = [keyword.value for keyword in value.keywords]
        keys = [keyword.arg for keyword in value.keywords]
        return dict(zip(keys, targets_of_each(values, left, goldens), strict=True))
    if isinstance(left, ast.Tuple):
        values = value.elts if isinstance(value, ast.Tuple | ast.List) else [value] * len(left.elts)
        if len(values) != len(left.elts):
            raise Otherwise
        return tuple(targets_of(part, target, goldens) for part, target in zip(values, left.elts, strict=True))
    return Target(segment(goldens, left))


def targets_of_each(values: list[ast.expr], left: ast.expr, goldens: FunctionSource) -> list[TargetTree]:
    lefts = left.elts if isinstance(left, ast.Tuple) and len(values) > 1 else [left]
    if len(values) != len(lefts):
        raise Otherwise
    return [targets_of(value, target, goldens) for value, target in zip(values, lefts, strict=True)]


def segment(function: FunctionSource, node: ast.expr) -> str:
    return function.text[function.start(node) : function.end(node)]


def wrap(value: str, wanted: str) -> tuple[str, str]:
    """What the golden has around a value, without the parentheses that are the operation's business."""
    before, found, after = wanted.partition(value)
    if not found:
        raise Otherwise
    if before.endswith("(") and after.startswith(")."):
        return before[:-1], after[1:]
    return before, after


def without_bare_returns(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.strip() != "return"]


def without_tail_returns(text: str) -> ast.Module:
    """The tree without the bare returns that have nothing behind them."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            strip(node.body)
    return tree


def strip(block: list[ast.stmt]) -> None:
    last = block[-1] if block else None
    if isinstance(last, ast.Return) and last.value is None:
        block.pop()
    elif isinstance(last, ast.Match):
        for case in last.cases:
            strip(case.body)
    elif isinstance(last, ast.If):
        strip(last.body)
        strip(last.orelse)
    elif isinstance(last, ast.With):
        strip(last.body)
    elif isinstance(last, ast.For | ast.While):
        strip(last.orelse)
    elif isinstance(last, ast.Try) and not last.finalbody:
        strip(last.orelse or last.body)
        for handler in last.handlers:
            strip(handler.body)


def planned(golden: Path) -> list[Rewrite]:
    """What the golden asks for; none if it is no model."""
    before, after = functions(read(golden.parents[1] / "cases" / golden.name)), functions(read(golden))
    changed = [
        pair for pair in zip(before, after, strict=False) if ast.unparse(pair[0].node) != ast.unparse(pair[1].node)
    ]
    try:
        return [rewrite for function, wanted in changed for rewrite in as_in(function, wanted)]
    except Otherwise:
        return []


MECHANICAL = [golden for golden in GOLDENS if golden.stem not in NOT_MECHANICAL]


@pytest.mark.parametrize("golden", MECHANICAL, ids=[golden.stem for golden in MECHANICAL])
def test_golden(golden: Path) -> None:
    rewrites = planned(golden)
    if not rewrites:
        pytest.skip("no model: stores something else than what was returned")
    before, after = read(golden.parents[1] / "cases" / golden.name), read(golden)
    result = applied(before, combine(*rewrites))
    # Those of `more/` are not all laid out as this layer does it: they keep a block on its header's line.
    assert without_bare_returns(result) == without_bare_returns(after) or "more" in golden.parts
    assert ast.dump(without_tail_returns(result)) == ast.dump(without_tail_returns(after))


def test_most_goldens_are_models() -> None:
    assert sum(map(bool, map(planned, MECHANICAL))) > 0.9 * len(GOLDENS) > 100

"""What is known of a name once a condition holds, or does not, and once its value was stored in a Ref."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING

from pallas_lsp.semantics.frames import Frame
from pallas_lsp.semantics.values import (
    Array,
    Never,
    OneOf,
    Unknown,
    Value,
    alternatives,
    is_none,
    join,
    truth,
)

if TYPE_CHECKING:
    from pallas_lsp.semantics.interpreter import Interpreter


def narrow(interpreter: Interpreter, test: ast.expr, outcome: bool, frame: Frame) -> bool:
    """Drops the alternatives of a name that a condition excludes; says whether the branch can be reached."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            return narrow(interpreter, inner, not outcome, frame)
        case ast.Name(id=name):
            return _keep(interpreter, name, lambda value: truth(value) in (outcome, None), frame)
        case ast.NamedExpr(target=ast.Name(id=name)):
            return _keep(interpreter, name, lambda value: truth(value) in (outcome, None), frame)
        case ast.Compare(
            left=ast.Name(id=name), ops=[ast.Is() | ast.IsNot() as op], comparators=[ast.Constant(value=None)]
        ):
            wants_none = isinstance(op, ast.Is) is outcome
            return _keep(
                interpreter, name, lambda value: is_none(value) is wants_none or isinstance(value, Unknown), frame
            )
        case ast.BoolOp(op=ast.And() | ast.Or() as op, values=tests) if isinstance(op, ast.And) is outcome:
            return all(narrow(interpreter, inner, outcome, frame) for inner in tests)
    return True


def narrow_stored(node: ast.Name, value: Value, frame: Frame) -> Value:
    """What the value of a name can only be where it is stored in a Ref: JAX takes one array there, and never None."""
    stored = [
        Array(origin=node) if isinstance(one, Unknown) else one for one in alternatives(value) if not is_none(one)
    ]
    if not stored or frame.names.get(node.id) is not value:
        return value
    frame.names[node.id] = join(stored)
    return frame.names[node.id]


def _keep(interpreter: Interpreter, name: str, wanted: Callable[[Value], bool], frame: Frame) -> bool:
    value = frame.names.get(name)
    if not isinstance(value, OneOf):
        return True
    frame.names[name] = join(one for one in value.alternatives if wanted(one))
    return not isinstance(frame.names[name], Never)

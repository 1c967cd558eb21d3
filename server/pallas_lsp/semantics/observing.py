"""Sees, while code is followed, what may be a mistake, and records it as an event."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from pallas_lsp.semantics.events import RefUsed, Use, as_ref
from pallas_lsp.semantics.jax_api import (
    ARRAY_FUNCTIONS,
    ARRAY_MEMBERS,
    COMPARING_BUILTINS,
    ITERATING_BUILTINS,
)
from pallas_lsp.semantics.values import Constant, External, Instance, NotJax, Sequence, Value, is_none

if TYPE_CHECKING:
    from pallas_lsp.semantics.frames import Frame
    from pallas_lsp.semantics.interpreter import Interpreter

OPERATORS: dict[type[ast.AST], str] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Div: "truediv",
    ast.FloorDiv: "floordiv",
    ast.Mod: "mod",
    ast.Pow: "pow",
    ast.MatMult: "matmul",
    ast.LShift: "lshift",
    ast.RShift: "rshift",
    ast.BitAnd: "and",
    ast.BitOr: "or",
    ast.BitXor: "xor",
    ast.USub: "neg",
    ast.UAdd: "pos",
    ast.Invert: "invert",
    ast.Eq: "eq",
    ast.NotEq: "ne",
    ast.Lt: "lt",
    ast.LtE: "le",
    ast.Gt: "gt",
    ast.GtE: "ge",
}
"""The operators that need arrays, with the names of their methods."""


def operands(
    interpreter: Interpreter, operator: ast.AST, operands: tuple[tuple[ast.expr, Value], ...], frame: Frame
) -> None:
    """Sees Refs among the operands of an operator."""
    name = OPERATORS.get(type(operator))
    values = [value for _, value in operands]
    if name is None or any(_takes_anything(value) for value in values):
        return
    for node, value in operands:
        use_of_ref(interpreter, node, value, Use.OPERAND, name, frame)


def _takes_anything(value: Value) -> bool:
    """Whether an operand may deal with a Ref in its own way: a text to be filled, None, or an object of the project."""
    text = isinstance(value, Constant) and isinstance(value.value, (str, bytes))
    return text or is_none(value) or isinstance(value, (NotJax, Instance))


def use_of_ref(interpreter: Interpreter, node: ast.AST, value: Value, use: Use, name: str, frame: Frame) -> None:
    """Sees a value that is used like an array, when it is a Ref."""
    ref = as_ref(value)
    if ref is not None:
        interpreter.record(RefUsed(ref, use, name), node, frame)


def member(interpreter: Interpreter, node: ast.Attribute, owner: Value, frame: Frame) -> None:
    """Sees `ref.astype` and its like."""
    if node.attr in ARRAY_MEMBERS:
        use_of_ref(interpreter, node.value, owner, Use.MEMBER, node.attr, frame)


def call(interpreter: Interpreter, node: ast.Call, function: Value, values: list[Value], frame: Frame) -> None:
    """Sees the arguments of a call of an external function.

    Args:
      interpreter: that follows the call.
      node: the call.
      function: what is called.
      values: of `node.args`, one each; that of a star is what is spread.
      frame: whose code it is.
    """
    if not isinstance(function, External):
        return
    name = function.name
    for argument, value in zip(node.args, values, strict=True):
        if isinstance(argument, ast.Starred):
            continue
        if name in ARRAY_FUNCTIONS:
            _array_argument(interpreter, argument, value, name, frame)
        elif name in ITERATING_BUILTINS:
            use_of_ref(interpreter, argument, value, Use.ITERATION, name, frame)
        elif name in COMPARING_BUILTINS:
            use_of_ref(interpreter, argument, value, Use.OPERAND, COMPARING_BUILTINS[name], frame)


def _array_argument(interpreter: Interpreter, node: ast.expr, value: Value, name: str, frame: Frame) -> None:
    use_of_ref(interpreter, node, value, Use.ARGUMENT, name, frame)
    if isinstance(node, (ast.Tuple, ast.List)) and isinstance(value, Sequence) and len(value.items) == len(node.elts):
        for inner, item in zip(node.elts, value.items, strict=True):
            use_of_ref(interpreter, inner, item, Use.ARGUMENT, name, frame)

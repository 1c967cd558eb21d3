"""Sees, while code is followed, what may be a mistake, and records it as an event."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from pallas_lsp.semantics.events import (
    Captured,
    CarryChanged,
    CopyMade,
    Demand,
    Demanded,
    GridAsked,
    Misuse,
    Misused,
    Rebound,
    RefUsed,
    Stored,
    Updated,
    Use,
    as_ref,
    ref_of,
)
from pallas_lsp.semantics.functions import is_array_parameter
from pallas_lsp.semantics.jax_api import (
    ARRAY_FUNCTIONS,
    ARRAY_MEMBERS,
    COMPARING_BUILTINS,
    ITERATING_BUILTINS,
    PALLAS,
)
from pallas_lsp.semantics.members import is_whole_index
from pallas_lsp.semantics.values import (
    UNKNOWN,
    Array,
    Constant,
    Constructed,
    Decorator,
    External,
    Function,
    Instance,
    Mapping,
    NotJax,
    Ref,
    Role,
    Sequence,
    Unknown,
    Value,
    is_none,
    pytree,
)

if TYPE_CHECKING:
    from pallas_lsp.semantics.frames import Frame
    from pallas_lsp.semantics.interpreter import Interpreter

UPDATES = frozenset({"set", "add", "subtract", "multiply", "mul", "divide", "power", "min", "max", "apply"})
"""What `array.at[index]` can make a changed array with."""

CONVERSIONS = {
    **dict.fromkeys(("builtins.int", "builtins.float", "builtins.complex"), Demand.NUMBER),
    **dict.fromkeys(("builtins.bool", "builtins.min", "builtins.max"), Demand.TRUTH),
    "builtins.range": Demand.INDEX,
}
"""Builtins that must know their arguments."""

REDUCTIONS = frozenset(
    {"sum", "mean", "max", "min", "prod", "any", "all", "std", "var", "argmax", "argmin", "cumsum", "dot"}
)
"""Methods of arrays that compute something."""

WHEN, LOOP = f"{PALLAS}.when", f"{PALLAS}.loop"

GRID_QUESTIONS = frozenset({f"{PALLAS}.program_id", f"{PALLAS}.num_programs"})
"""Functions that are about the grid of the running kernel."""

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
    staged = any(isinstance(value, Array) and value.staged for value in values)
    for node, value in operands:
        use_of_ref(interpreter, node, value, Use.OPERAND, name, frame)
        capture(interpreter, node, value, frame, by_jax=staged)


def _takes_anything(value: Value) -> bool:
    """Whether an operand may deal with the other one in its own way: a text to be filled, None, a tuple, an object."""
    text = isinstance(value, Constant) and isinstance(value.value, (str, bytes))
    return text or is_none(value) or isinstance(value, (NotJax, Instance, Sequence))


def decorated(interpreter: Interpreter, node: ast.AST, decorator: Value, function: Value, frame: Frame) -> None:
    """Sees `@pl.when` without a condition."""
    if isinstance(decorator, External) and decorator.name == WHEN and isinstance(function, Function):
        interpreter.record(Misused("when", Misuse.NO_CONDITION), node, frame)


def use_of_ref(interpreter: Interpreter, node: ast.AST, value: Value, use: Use, name: str, frame: Frame) -> None:
    """Sees a value that is used like an array, when it is a Ref."""
    ref = as_ref(value)
    if ref is not None:
        interpreter.record(RefUsed(ref, use, name), node, frame)


def capture(interpreter: Interpreter, node: ast.AST, value: Value, frame: Frame, *, by_jax: bool) -> None:
    """Sees an array from outside the running kernel that the kernel computes with.

    Args:
      interpreter: that follows the kernel.
      node: the expression.
      value: its value.
      frame: whose code it is.
      by_jax: whether JAX computes, so that an array of NumPy is captured, too.
    """
    if not interpreter.running:
        return
    if isinstance(value, Array):
        host = by_jax and value.host and bool(value.shape)
        if value.outside or host:
            interpreter.record(Captured(value), node, frame)
    elif (
        isinstance(value, Unknown)
        and is_array_parameter(value)
        and not any(value.owner is one for one in interpreter.calls_of_kernel())
    ):
        interpreter.record(Captured(value), node, frame)


def computed(interpreter: Interpreter, value: Value) -> Value:
    """What an operation gives: inside a kernel it is no array from outside any more."""
    return (
        replace(value, outside=False) if interpreter.running and isinstance(value, Array) and value.outside else value
    )


def member(interpreter: Interpreter, node: ast.Attribute, owner: Value, frame: Frame) -> None:
    """Sees `ref.astype` and its like."""
    if node.attr in ARRAY_MEMBERS:
        use_of_ref(interpreter, node.value, owner, Use.MEMBER, node.attr, frame)
    if node.attr in REDUCTIONS:
        capture(interpreter, node.value, owner, frame, by_jax=False)


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
    if name == WHEN and values and not any(isinstance(argument, ast.Starred) for argument in node.args):
        if len(values) > 1:
            interpreter.record(Misused("when", Misuse.TWO_ARGUMENTS), node, frame)
        else:
            decorated(interpreter, node, function, values[0], frame)
    if name in GRID_QUESTIONS:
        axis = next((keyword.value for keyword in node.keywords if keyword.arg == "axis"), None)
        asked = values[0] if values else UNKNOWN if axis is None else interpreter.evaluate(axis, frame)
        interpreter.record(GridAsked(name.rpartition(".")[2], asked), node, frame)
    for argument, value in zip(node.args, values, strict=True):
        if isinstance(argument, ast.Starred):
            continue
        if name in ARRAY_FUNCTIONS:
            _array_argument(interpreter, argument, value, name, frame)
        elif name in ITERATING_BUILTINS:
            use_of_ref(interpreter, argument, value, Use.ITERATION, name, frame)
        elif name in CONVERSIONS:
            needed = CONVERSIONS[name]
            if needed is not Demand.TRUTH or len(node.args) > 1 or name == "builtins.bool":
                demand(interpreter, argument, value, needed, name.removeprefix("builtins."), frame)
        elif name.startswith("math."):
            demand(interpreter, argument, value, Demand.NUMBER, name, frame)
        elif name in COMPARING_BUILTINS:
            use_of_ref(interpreter, argument, value, Use.OPERAND, COMPARING_BUILTINS[name], frame)


def _array_argument(interpreter: Interpreter, node: ast.expr, value: Value, name: str, frame: Frame) -> None:
    use_of_ref(interpreter, node, value, Use.ARGUMENT, name, frame)
    capture(interpreter, node, value, frame, by_jax=True)
    if isinstance(node, (ast.Tuple, ast.List)) and isinstance(value, Sequence) and len(value.items) == len(node.elts):
        for inner, item in zip(node.elts, value.items, strict=True):
            use_of_ref(interpreter, inner, item, Use.ARGUMENT, name, frame)
            capture(interpreter, inner, item, frame, by_jax=True)


def demand(interpreter: Interpreter, node: ast.AST, value: Value, needed: Demand, by: str, frame: Frame) -> None:
    """Sees a value that Python needs to know, when it is known only as the kernel runs."""
    if needed is Demand.TRUTH:
        misuse(interpreter, node, value, Misuse.CONDITION, frame)
    if isinstance(value, Array) and value.staged:
        interpreter.record(Demanded(value, needed, by), node, frame)


def misuse(interpreter: Interpreter, node: ast.AST, value: Value, how: Misuse, frame: Frame) -> None:
    """Sees what `pl.when(condition)` or `pl.loop(lower, upper)` gives, used as something else than a decorator."""
    if isinstance(value, Decorator) and value.name in (WHEN, LOOP):
        interpreter.record(Misused(value.name.rpartition(".")[2], how), node, frame)


def carry_returned(
    interpreter: Interpreter, node: ast.AST, loop: str, trees: tuple[Value, Value], frame: Frame
) -> None:
    """Sees the first carry of a loop, and what its body returns."""
    carry, returned = map(pytree, trees)
    if interpreter.running and carry is not None and returned is not None and carry != returned:
        interpreter.record(CarryChanged(loop, carry, returned), node, frame)


def item_read(interpreter: Interpreter, node: ast.Subscript, owner: Value, index: Value, frame: Frame) -> None:
    """Sees `owner[index]`."""
    if isinstance(owner, Array) and not is_whole_index(index):
        capture(interpreter, node.value, owner, frame, by_jax=False)
    if isinstance(owner, (Sequence, Mapping)):
        demand(interpreter, node.slice, index, Demand.INDEX, "[]", frame)
    elif as_ref(owner) is not None:
        capture(interpreter, node.slice, index, frame, by_jax=True)
        several = isinstance(node.slice, ast.Tuple) and isinstance(index, Sequence)
        parts = zip(node.slice.elts, index.items, strict=False) if several else ((node.slice, index),)  # type: ignore[attr-defined]
        for part, value in parts:
            _slice_read(interpreter, part, value, frame)


def _slice_read(interpreter: Interpreter, node: ast.expr, value: Value, frame: Frame) -> None:
    """Sees `start:stop` in the index of a Ref: the bounds must be known."""
    if isinstance(node, ast.Slice) and isinstance(value, Constructed):
        unknown = [bound for _, bound in value.arguments if isinstance(bound, Array) and bound.staged]
        if unknown:
            interpreter.record(Demanded(unknown[0], Demand.INDEX, "slice"), node, frame)


def item_assigned(
    interpreter: Interpreter, target: ast.Subscript, node: ast.AST, stored: tuple[Value, Value, Value], frame: Frame
) -> None:
    """Sees `owner[index] = value`, given these three values."""
    owner, index, value = stored
    if as_ref(owner) is not None:
        item_read(interpreter, target, owner, index, frame)
    whole = isinstance(node, ast.Assign) and target in node.targets
    source = node.value if isinstance(node, ast.Assign) and whole else None
    interpreter.record(Stored(owner, index, value, target, source), target, frame)
    if source is not None and as_ref(owner) is not None:
        capture(interpreter, source, value, frame, by_jax=True)


def item_stored(interpreter: Interpreter, node: ast.AST, stored: tuple[Value, Value, Value], frame: Frame) -> None:
    """Sees a call that stores: owner, index and value."""
    interpreter.record(Stored(*stored, None, None), node, frame)


def unpacked(interpreter: Interpreter, node: ast.AST, value: Value, frame: Frame) -> None:
    """Sees `a, b = value`."""
    if isinstance(node, ast.Assign):
        use_of_ref(interpreter, node.value, value, Use.ITERATION, "=", frame)


def names_assigned(interpreter: Interpreter, node: ast.Assign, value: Value, frame: Frame) -> None:
    """Sees `o_ref = value`, where nothing has been stored into the output and no other name holds it."""
    if len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
        copy_made(interpreter, node, value, node.targets[0].id, frame)
    number = isinstance(value, Constant) and isinstance(value.value, (int, float))
    if not number and not isinstance(value, Array):
        return
    for target in node.targets:
        if isinstance(target, ast.Name):
            held = frame.names.get(target.id)
            if not isinstance(held, Ref) or held.role is not Role.OUTPUT or held in interpreter.stores:
                continue
            if not any(one == held and name != target.id for name, one in frame.names.items()):
                interpreter.record(Rebound(target.id, held, value), node, frame)


def copy_made(interpreter: Interpreter, node: ast.AST, value: Value, name: str, frame: Frame) -> None:
    """Sees a new descriptor of a copy that gets a name, or is dropped."""
    if (
        isinstance(value, Constructed)
        and value.name == "AsyncCopyDescriptor"
        and value.node is getattr(node, "value", 0)
    ):
        made_by, semaphores = value.get("made_by"), value.get("semaphores")
        if isinstance(made_by, Constant) and isinstance(semaphores, Sequence):
            refs = [as_ref(semaphore) for semaphore in semaphores.items]
            own = bool(refs) and all(ref is not None and ref_of(ref).role is Role.SCRATCH for ref in refs)
            interpreter.record(CopyMade(made_by.value, name, own), node, frame)


def result_dropped(interpreter: Interpreter, node: ast.Expr, value: Value, frame: Frame) -> None:
    """Sees a statement that drops a value: a changed array, a decorator without a body, a copy that was not started."""
    misuse(interpreter, node, value, Misuse.DROPPED, frame)
    copy_made(interpreter, node, value, "", frame)
    call = node.value
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.func.attr not in UPDATES:
        return
    view = call.func.value
    is_update = isinstance(view, ast.Subscript) and isinstance(view.value, ast.Attribute) and view.value.attr == "at"
    if is_update and isinstance(value, Array) and value.staged and value.origin is call:
        interpreter.record(Updated(call.func.attr), node, frame)

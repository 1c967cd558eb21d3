"""Classes of the project: what an attribute of one, or of its objects, is."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from pallas_lsp.semantics.arguments import Arguments
from pallas_lsp.semantics.bindings import scope_bindings
from pallas_lsp.semantics.facts import facts_of
from pallas_lsp.semantics.frames import Frame, Scope
from pallas_lsp.semantics.values import (
    UNKNOWN,
    Bound,
    Class,
    Constant,
    Constructed,
    Decorator,
    External,
    Function,
    Instance,
    Nothing,
    Partial,
    Value,
)
from pallas_lsp.syntax import Chunk, walk

if TYPE_CHECKING:
    from pallas_lsp.semantics.interpreter import Interpreter


_BUILTIN_TYPES = {f"builtins.{kind.__name__}": kind for kind in (bool, int, float, complex, str, bytes)}
"""The classes that a literal may be of."""

MAX_ANCESTORS = 16
"""Classes of one hierarchy that are looked at."""


def instance_attribute(interpreter: Interpreter, owner: Instance, name: str) -> Value:
    """What `owner.name` is: a field that the class sets, else a member of the class."""
    field_value = _field(interpreter, owner, name)
    if field_value is not None:
        return field_value
    value = class_attribute(interpreter, owner.cls, name, owner)
    return UNKNOWN if value is None else value


def _field(interpreter: Interpreter, owner: Instance, name: str) -> Value | None:
    """What `interpreter.name = ...` in the class gives an attribute; None when nothing does."""
    interpreter.uses.members.add(name)
    assignments = [found for cls in ancestry(interpreter, owner.cls) for found in _field_assignments(cls, name)]
    if not assignments:
        return _dataclass_field(interpreter, owner, name)
    expression, method, chunk = assignments[0]
    if len(assignments) > 1 or method.name != "__init__" or interpreter.is_running(method):
        return UNKNOWN
    frame = replace(owner.cls.frame, chunk=chunk)
    function = Function(method, chunk, frame, owner.cls)
    constructed = Arguments(owner.arguments or (), owner.keywords, owner.arguments is not None)
    inner = interpreter.function_frame(
        function, Arguments((owner, *constructed.positional), constructed.keywords, constructed.complete)
    )
    interpreter.calls.append(method)
    try:
        return interpreter.evaluate(expression, inner)
    finally:
        interpreter.calls.pop()


def fields_of(instance: Instance) -> tuple[tuple[str, Value], ...] | None:
    """The fields that a dataclass was made with, None when they are not all in view."""
    if instance.arguments is None or not instance.cls.node.decorator_list:
        return None
    given = Arguments(instance.arguments, instance.keywords)
    found = [(name, given.get(name, index)) for index, name in enumerate(_annotated_names(instance.cls))]
    known = tuple((name, value) for name, value in found if value is not None)
    return known if known and len(known) == len(found) else None


def changed_instance(instance: Instance, keywords: tuple[tuple[str, Value], ...]) -> Value:
    """A dataclass with some fields replaced; Unknown for an object of another class."""
    if not instance.cls.node.decorator_list or instance.arguments is None:
        return UNKNOWN
    given = dict(zip(_annotated_names(instance.cls), instance.arguments, strict=False))
    return Instance(instance.cls, (), tuple({**given, **dict(instance.keywords), **dict(keywords)}.items()))


def _annotated_names(cls: Class) -> list[str]:
    return [
        item.target.id
        for item in cls.node.body
        if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name)
    ]


def _dataclass_field(interpreter: Interpreter, owner: Instance, name: str) -> Value | None:
    names = _annotated_names(owner.cls)
    if name not in names or not owner.cls.node.decorator_list:
        return None
    if owner.arguments is None:
        return UNKNOWN
    given = Arguments(owner.arguments, owner.keywords).get(name, names.index(name))
    return given if given is not None else None


def ancestry(interpreter: Interpreter, cls: Class) -> list[Class]:
    """A class and those of its bases that are in the project, nearest first."""
    found: list[Class] = []
    stack: list[Value] = [cls]
    while stack and len(found) < MAX_ANCESTORS:
        current = stack.pop(0)
        if isinstance(current, Class) and current not in found:
            found.append(current)
            stack.extend(current.bases)
    return found


def class_attribute(interpreter: Interpreter, cls: Class, name: str, receiver: Value) -> Value | None:
    """What a class gives `receiver.name`, with methods bound to it; None when no class in view has it."""
    interpreter.uses.members.add(name)
    return _first_attribute(interpreter, ancestry(interpreter, cls), name, receiver)


def inherited_attribute(interpreter: Interpreter, proxy: Constructed, name: str) -> Value:
    """What `super().name` is: a member of the next class that has it, bound to the receiver."""
    cls, receiver = proxy.get("type"), proxy.get("object")
    match cls, receiver:
        case Class(), Instance(cls=own) if cls in (found := ancestry(interpreter, own)):
            after = found[found.index(cls) + 1 :]
        case _:
            return UNKNOWN
    interpreter.uses.members.add(name)
    value = _first_attribute(interpreter, after, name, receiver)
    return UNKNOWN if value is None else value


def _first_attribute(interpreter: Interpreter, classes: list[Class], name: str, receiver: Value) -> Value | None:
    """A member of the first of some classes that has it."""
    for owner in classes:
        statements = class_members(owner).get(name)
        if statements and name in interpreter.module(owner.frame.path).attribute_writes:
            return UNKNOWN
        if statements:
            chunk, statement = statements[-1]
            return _member(interpreter, owner, chunk, statement, name, receiver)
    return None


def _member(
    interpreter: Interpreter, owner: Class, chunk: Chunk, statement: ast.stmt, name: str, receiver: Value
) -> Value:
    frame = Frame(Scope.CLASS, owner.frame.path, chunk, owner.frame)
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
        kind = method_kind(statement)
        if kind == "property":
            function = Function(statement, chunk, frame, owner)
            return interpreter.call(Bound(function, receiver), Arguments(), statement, frame)
        value = interpreter.define(statement, frame, owner)
        if kind == "staticmethod":
            return value
        if kind == "classmethod":
            return Bound(value, owner)
        return Bound(value, receiver) if isinstance(receiver, Instance) else value
    for earlier in _functions_before(owner, chunk, statement):
        frame.names[earlier.name] = Function(earlier, chunk, frame, owner)
    interpreter.execute((statement,), frame)
    value = frame.names.get(name, UNKNOWN)
    if isinstance(statement, ast.Assign) and any(_is_enum(base) for base in owner.bases):
        return Constructed("enum member", (("class", owner), ("name", Constant(name)), ("value", value)), statement)
    if isinstance(receiver, Instance):
        match value:
            case Function():
                return Bound(value, receiver)
            case Decorator(name="functools.partialmethod", arguments=((_, method), *rest)):
                return Bound(_partial_of(method, rest), receiver)
    return value


def _is_enum(base: Value) -> bool:
    return isinstance(base, External) and base.name.startswith("enum.")


def _functions_before(owner: Class, chunk: Chunk, statement: ast.stmt) -> list[ast.FunctionDef]:
    """The functions of a class body that a statement of it can name."""
    members = [pair for pairs in class_members(owner).values() for pair in pairs]
    return [
        earlier
        for other_chunk, earlier in members
        if other_chunk is chunk and earlier.lineno < statement.lineno and isinstance(earlier, ast.FunctionDef)
    ]


def class_members(cls: Class) -> dict[str, list[tuple[Chunk, ast.stmt]]]:
    """For each name that a class body binds, the statements that do, in order, with their chunks."""
    key = ("members", cls.node)
    known = cls.chunk.memo.get(key)
    if known is None:
        known = {}
        pieces = [(cls.chunk, cls.node.body)] if not cls.chunk.members else _member_pieces(cls.chunk)
        for chunk, statements in pieces:
            for name, statement in _bound_in(chunk, statements):
                known.setdefault(name, []).append((chunk, statement))
        cls.chunk.memo[key] = known
    assert isinstance(known, dict)
    return known


def _bound_in(chunk: Chunk, statements: list[ast.stmt]) -> list[tuple[str, ast.stmt]]:
    """The names that statements of a class body bind, each with its statement; kept with the chunk they stand in."""
    key = ("bound", statements[0] if statements else None)
    known = chunk.memo.get(key)
    if known is None:
        pairs = ((name, statement) for statement in statements for name in scope_bindings((statement,), chunk))
        known = chunk.memo[key] = list(pairs)
    assert isinstance(known, list)
    return known


def _member_pieces(chunk: Chunk) -> list[tuple[Chunk, list[ast.stmt]]]:
    return [(member, list(member.statements)) for member in chunk.members]


def _field_assignments(cls: Class, name: str) -> list[tuple[ast.expr, ast.FunctionDef, Chunk]]:
    """Every `self.name = expression` in the methods of a class; a tuple target gives no expression that fits."""
    pieces = [(cls.chunk, cls.node.body)] if not cls.chunk.members else _member_pieces(cls.chunk)
    return [
        (expression, method, chunk)
        for chunk, statements in pieces
        if name in facts_of(chunk).self_writes | facts_of(chunk).attribute_writes
        for method in statements
        if isinstance(method, ast.FunctionDef) and method.args.args
        for assigned, expression in _assigned_fields(method, chunk)
        if assigned == name
    ]


def _assigned_fields(method: ast.FunctionDef, chunk: Chunk) -> list[tuple[str, ast.expr]]:
    key = ("fields", method)
    known = chunk.memo.get(key)
    if known is None:
        receiver = method.args.args[0].arg
        known = chunk.memo[key] = [
            (node.attr, _assigned_value(method, node))
            for node in walk(method)
            if isinstance(node, ast.Attribute)
            and not isinstance(node.ctx, ast.Load)
            and isinstance(node.value, ast.Name)
            and node.value.id == receiver
        ]
    assert isinstance(known, list)
    return known


def _assigned_value(method: ast.FunctionDef, target: ast.Attribute) -> ast.expr:
    for node in method.body:
        if isinstance(node, ast.Assign) and target in node.targets:
            return node.value
        if isinstance(node, ast.AnnAssign) and node.target is target and node.value is not None:
            return node.value
    return ast.Await(value=ast.Constant(value=None))  # evaluates to Unknown


def method_kind(node: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    """How a function in a class body is called: `staticmethod`, `classmethod`, `property`, empty for a plain method."""
    for decorator in node.decorator_list:
        name = decorator.id if isinstance(decorator, ast.Name) else getattr(decorator, "attr", "")
        if name in _METHOD_KINDS:
            return _METHOD_KINDS[name]
    return ""


_METHOD_KINDS = {
    "staticmethod": "staticmethod",
    "classmethod": "classmethod",
    "property": "property",
    "cached_property": "property",
}


def _partial_of(function: Value, rest: list[tuple[str, Value]]) -> Value:
    """The partial that `functools.partialmethod` makes on access."""
    return Partial(
        function,
        tuple(value for key, value in rest if key.isdigit()),
        tuple((key, value) for key, value in rest if not key.isdigit()),
    )


def is_instance(interpreter: Interpreter, subject: Value, cls: Value) -> bool | None:
    """What `isinstance` says; None when that is not known."""
    match subject, cls:
        case Instance(cls=own), Class():
            known = ancestry(interpreter, own)
            if cls in known:
                return True
            return False if all(isinstance(base, Class) for one in known for base in one.bases) else None
        case Constant(value=value), External(name=name) if name in _BUILTIN_TYPES:
            return isinstance(value, _BUILTIN_TYPES[name])
        case ((Constant() | Nothing()), Class()):
            return False
        case _:
            return None

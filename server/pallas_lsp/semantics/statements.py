"""How each kind of statement is followed; a handler says whether what stands after it is reached."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from pallas_lsp.semantics import arithmetic, library, members, observing, patterns
from pallas_lsp.semantics.bindings import scope_bindings
from pallas_lsp.semantics.events import Demand, Misuse, Use
from pallas_lsp.semantics.expressions import changed_in_place
from pallas_lsp.semantics.frames import Frame, Loop, Returned
from pallas_lsp.semantics.narrowing import narrow, narrow_stored
from pallas_lsp.semantics.project import Module, package_folder
from pallas_lsp.semantics.values import (
    NEVER,
    NONE,
    SOMETHING,
    UNKNOWN,
    Class,
    External,
    Iterator,
    NamedTupleClass,
    Never,
    ProjectModule,
    Ref,
    Unknown,
    Value,
    View,
    join,
    truth,
)

if TYPE_CHECKING:
    from pallas_lsp.semantics.interpreter import Interpreter


def _execute_if(interpreter: Interpreter, node: ast.If, frame: Frame) -> bool:
    condition = interpreter.evaluate(node.test, frame)
    observing.demand(interpreter, node.test, condition, Demand.TRUTH, "if", frame)
    decided = None if _is_type_checking(node.test) else truth(condition)
    if decided is not None:
        return interpreter.execute(node.body if decided else node.orelse, frame)
    return interpreter.branch(
        frame,
        (
            lambda: narrow(interpreter, node.test, True, frame) and interpreter.execute(node.body, frame),
            lambda: narrow(interpreter, node.test, False, frame) and interpreter.execute(node.orelse, frame),
        ),
        node.test,
    )


def _loop(
    interpreter: Interpreter,
    frame: Frame,
    body: list[ast.stmt],
    orelse: list[ast.stmt],
    enter: Callable[[], object],
    endless: bool,
) -> bool:
    """Follows a loop once, from a state in which all that it changes is unknown."""
    changed = scope_bindings(body, frame.chunk) | changed_in_place(body, frame)
    loop = Loop()
    frame.loops.append(loop)

    def iterate() -> bool:
        frame.names.update(dict.fromkeys(changed & frame.names.keys(), UNKNOWN))
        enter()
        return interpreter.execute(body, frame)

    ended = interpreter.branch(frame, (lambda: not endless, iterate))
    frame.loops.pop()
    goes_on = ended and not endless and interpreter.execute(orelse, frame)
    for names in loop.left:
        frame.names = interpreter.join_names(frame, frame.names, names) if goes_on else names
        goes_on = True
    return goes_on


def _execute_for(interpreter: Interpreter, node: ast.For | ast.AsyncFor, frame: Frame) -> bool:
    looped = interpreter.evaluate(node.iter, frame)
    observing.use_of_ref(interpreter, node.iter, looped, Use.ITERATION, "for", frame)
    observing.misuse(interpreter, node.iter, looped, Misuse.ITERATED, frame)
    items = members.items_of(looped)
    item = UNKNOWN if items is None else join(items)
    if isinstance(looped, Iterator) and isinstance(node.iter, ast.Name) and node.iter.id in frame.names:
        frame.names[node.iter.id] = Iterator(None)  # the loop uses it up
    goes_on = _loop(
        interpreter,
        frame,
        node.body,
        node.orelse,
        lambda: interpreter.assign(node.target, item, frame, node),
        endless=False,
    )
    runs_to_the_end = items and goes_on and not _leaves_early(node.body)
    if (
        items
        and runs_to_the_end
        and not scope_bindings([node.target], frame.chunk) & scope_bindings(node.body, frame.chunk)
    ):
        interpreter.assign(node.target, items[-1], frame, node)
    return goes_on


def _execute_while(interpreter: Interpreter, node: ast.While, frame: Frame) -> bool:
    endless = isinstance(node.test, ast.Constant) and bool(node.test.value)

    def enter() -> None:
        condition = interpreter.evaluate(node.test, frame)
        observing.demand(interpreter, node.test, condition, Demand.TRUTH, "while", frame)

    enter()  # the first time, with what stands before the loop
    return _loop(interpreter, frame, node.body, node.orelse, enter, endless)


def _execute_break(interpreter: Interpreter, node: ast.AST, frame: Frame) -> bool:
    if frame.loops:
        frame.loops[-1].left.append(frame.names)
    return False


def _execute_jump(interpreter: Interpreter, node: ast.AST, frame: Frame) -> bool:
    for child in ast.iter_child_nodes(node):
        interpreter.evaluate(child, frame)
    return False


def _execute_try(interpreter: Interpreter, node: ast.Try, frame: Frame) -> bool:
    changed = scope_bindings(node.body, frame.chunk)
    only_imports = all(isinstance(statement, (ast.Import, ast.ImportFrom)) for statement in node.body)
    before = frame.names
    first_return = len(frame.returns)

    def attempt() -> bool:
        return interpreter.execute(node.body, frame) and interpreter.execute(node.orelse, frame)

    def handle(handler: ast.ExceptHandler) -> bool:
        if not only_imports:  # a failed import binds nothing
            frame.names.update(dict.fromkeys(changed, UNKNOWN))
        if handler.name:
            interpreter.bind(handler.name, SOMETHING, frame)
        return interpreter.execute(handler.body, frame)

    handlers = ((lambda handler=handler: handle(handler)) for handler in node.handlers)
    ends = interpreter.branch(frame, (attempt, *handlers), node if node.handlers else None)
    if not node.finalbody:
        return ends
    if not ends:
        frame.names = dict(before)
    if interpreter.execute(node.finalbody, frame):
        return ends
    if any(isinstance(statement, ast.Return) for statement in node.finalbody):
        # A `return` in `finally` takes the place of every other way out.
        last = frame.returns[-1]
        del frame.returns[first_return:]
        frame.returns.append(last)
    return False


def _execute_with(interpreter: Interpreter, node: ast.With | ast.AsyncWith, frame: Frame) -> bool:
    for item in node.items:
        context = interpreter.evaluate(item.context_expr, frame)
        observing.misuse(interpreter, item.context_expr, context, Misuse.CONTEXT, frame)
        if item.optional_vars is not None:
            interpreter.assign(item.optional_vars, UNKNOWN, frame, node)
    return interpreter.execute(node.body, frame)


def _execute_match(interpreter: Interpreter, node: ast.Match, frame: Frame) -> bool:
    subject = interpreter.evaluate(node.subject, frame)
    ways: list[Callable[[], bool]] = []
    for case in node.cases:
        matches = _matches(interpreter, case, subject, frame)
        if matches is False:
            continue
        ways.append(partial(_execute_case, interpreter, case, subject, frame))
        if matches:
            return interpreter.branch(frame, ways, node.subject)
    return interpreter.branch(frame, (*ways, lambda: True), node.subject)


def _execute_case(interpreter: Interpreter, case: ast.match_case, subject: Value, frame: Frame) -> bool:
    for name in scope_bindings([case.pattern], frame.chunk):
        interpreter.bind(name, UNKNOWN, frame)
    patterns.bind(interpreter, case.pattern, subject, frame)
    if case.guard is not None:
        condition = interpreter.evaluate(case.guard, frame)
        observing.demand(interpreter, case.guard, condition, Demand.TRUTH, "if", frame)
        if truth(condition) is False:
            return True
    return interpreter.execute(case.body, frame)


def _matches(interpreter: Interpreter, case: ast.match_case, subject: Value, frame: Frame) -> bool | None:
    """Whether a case is taken; None when that is not known."""
    matches = patterns.matches(interpreter, case.pattern, subject, frame)
    return None if matches and case.guard is not None else matches


def _execute_assert(interpreter: Interpreter, node: ast.Assert, frame: Frame) -> bool:
    condition = interpreter.evaluate(node.test, frame)
    observing.demand(interpreter, node.test, condition, Demand.TRUTH, "assert", frame)
    holds = truth(condition)
    if node.msg is not None:
        interpreter.evaluate(node.msg, frame)
    return holds is not False and narrow(interpreter, node.test, True, frame)


def _execute_return(interpreter: Interpreter, node: ast.Return, frame: Frame) -> bool:
    value = NONE if node.value is None else interpreter.evaluate(node.value, frame)
    invoked = None if node.value is None else interpreter.invocations.get(node.value)
    frame.returns.append(Returned(node, value, dict(frame.names), dict(interpreter.stores), invoked))
    return False


def _execute_expression(interpreter: Interpreter, node: ast.Expr, frame: Frame) -> bool:
    observing.result_dropped(interpreter, node, interpreter.evaluate(node.value, frame), frame)
    return True


def _execute_assign(interpreter: Interpreter, node: ast.Assign, frame: Frame) -> bool:
    value = interpreter.evaluate(node.value, frame)
    observing.names_assigned(interpreter, node, value, frame)
    if isinstance(node.value, ast.Name) and any(_is_place_in_ref(target, frame) for target in node.targets):
        value = narrow_stored(node.value, value, frame)
    for target in node.targets:
        interpreter.assign(target, value, frame, node)
    return True


def _is_place_in_ref(target: ast.expr, frame: Frame) -> bool:
    """Whether a target is `ref[...]`, for a name that is surely a Ref."""
    return (
        isinstance(target, ast.Subscript)
        and isinstance(target.value, ast.Name)
        and isinstance(frame.names.get(target.value.id), (Ref, View))
    )


def _execute_annotated(interpreter: Interpreter, node: ast.AnnAssign, frame: Frame) -> bool:
    if node.value is not None:
        interpreter.assign(node.target, interpreter.evaluate(node.value, frame), frame, node)
    return True


def _execute_augmented(interpreter: Interpreter, node: ast.AugAssign, frame: Frame) -> bool:
    target = node.target
    load = _as_load(target)
    left, right = interpreter.evaluate(load, frame), interpreter.evaluate(node.value, frame)
    observing.operands(interpreter, node.op, ((target, left), (node.value, right)), frame)
    value = observing.computed(interpreter, arithmetic.binary(node.op, left, right, node))
    interpreter.assign(target, value, frame, node)
    return True


def _execute_definition(interpreter: Interpreter, node: ast.FunctionDef | ast.AsyncFunctionDef, frame: Frame) -> bool:
    interpreter.bind(node.name, interpreter.define(node, frame), frame)
    return True


def _execute_class(interpreter: Interpreter, node: ast.ClassDef, frame: Frame) -> bool:
    bases = tuple(interpreter.evaluate(base, frame) for base in node.bases)
    value: Value = Class(node, frame.chunk, frame, bases)
    if any(isinstance(base, External) and base.name == "typing.NamedTuple" for base in bases):
        fields = tuple(
            item.target.id
            for item in node.body
            if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name)
        )
        defaults = tuple(
            (item.target.id, interpreter.evaluate(item.value, frame))
            for item in node.body
            if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name) and item.value is not None
        )
        value = NamedTupleClass(node.name, fields, defaults)
    interpreter.bind(node.name, value, frame)
    return True


def _execute_import(interpreter: Interpreter, node: ast.Import, frame: Frame) -> bool:
    for alias in node.names:
        whole = _module_value(interpreter, interpreter.module(frame.path).resolve_module(alias.name, 0))
        if alias.asname:
            interpreter.bind(alias.asname, whole, frame)
        else:
            root, *inner = alias.name.split(".")
            package = _module_value(interpreter, interpreter.module(frame.path).resolve_module(root, 0))
            if isinstance(package, External) and isinstance(whole, ProjectModule):
                package = ProjectModule(package_folder(whole.path, len(inner)))
            interpreter.bind(root, package, frame)
    return True


def _execute_import_from(interpreter: Interpreter, node: ast.ImportFrom, frame: Frame) -> bool:
    resolved = interpreter.module(frame.path).resolve_module(node.module or "", node.level)
    for alias in node.names:
        if alias.name != "*":
            interpreter.bind(
                alias.asname or alias.name, _imported(interpreter, resolved, node, alias.name, frame), frame
            )
    return True


def _imported(interpreter: Interpreter, resolved: str | Module, node: ast.ImportFrom, name: str, frame: Frame) -> Value:
    if isinstance(resolved, Module):
        value = NEVER if resolved.path == frame.path else interpreter.module_name(resolved, name)
        if not isinstance(value, (Never, Unknown)) or name in resolved.binding_chunks:
            return value
    submodule = f"{node.module}.{name}" if node.module else name
    inner = interpreter.module(frame.path).resolve_module(submodule, node.level)
    if isinstance(inner, Module):
        return ProjectModule(inner.path)
    return UNKNOWN if isinstance(resolved, Module) else library.external(f"{resolved}.{name}")


def _module_value(interpreter: Interpreter, resolved: str | Module) -> Value:
    return ProjectModule(resolved.path) if isinstance(resolved, Module) else library.external(resolved)


def _execute_scope_declaration(interpreter: Interpreter, node: ast.Global | ast.Nonlocal, frame: Frame) -> bool:
    return True


def _execute_delete(interpreter: Interpreter, node: ast.Delete, frame: Frame) -> bool:
    for target in node.targets:
        if isinstance(target, ast.Name):
            frame.names.pop(target.id, None)
        else:
            interpreter.assign(target, UNKNOWN, frame, node)
    return True


def _is_type_checking(test: ast.expr) -> bool:
    return getattr(test, "id", getattr(test, "attr", "")) == "TYPE_CHECKING"


def _as_load(target: ast.expr) -> ast.expr:
    """The target of `+=` as the expression that it reads."""
    match target:
        case ast.Name(id=name):
            return ast.Name(id=name, ctx=ast.Load())
        case ast.Attribute(value=owner, attr=attribute):
            return ast.Attribute(value=owner, attr=attribute, ctx=ast.Load())
        case ast.Subscript(value=owner, slice=index):
            return ast.Subscript(value=owner, slice=index, ctx=ast.Load())
        case _:
            return target


def _leaves_early(body: list[ast.stmt]) -> bool:
    """Whether a loop may be left by `break`."""
    return any(isinstance(node, ast.Break) for statement in body for node in ast.walk(statement))


STATEMENTS: dict[type[ast.AST], Callable[[Interpreter, Any, Frame], bool]] = {
    ast.If: _execute_if,
    ast.For: _execute_for,
    ast.AsyncFor: _execute_for,
    ast.While: _execute_while,
    ast.Break: _execute_break,
    ast.Continue: _execute_jump,
    ast.Raise: _execute_jump,
    ast.Try: _execute_try,
    ast.With: _execute_with,
    ast.AsyncWith: _execute_with,
    ast.Match: _execute_match,
    ast.Assert: _execute_assert,
    ast.Return: _execute_return,
    ast.Expr: _execute_expression,
    ast.Assign: _execute_assign,
    ast.AnnAssign: _execute_annotated,
    ast.AugAssign: _execute_augmented,
    ast.FunctionDef: _execute_definition,
    ast.AsyncFunctionDef: _execute_definition,
    ast.ClassDef: _execute_class,
    ast.Import: _execute_import,
    ast.ImportFrom: _execute_import_from,
    ast.Delete: _execute_delete,
}
if hasattr(ast, "TryStar"):
    STATEMENTS[ast.TryStar] = _execute_try

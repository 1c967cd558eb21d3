"""The value of each kind of expression."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pallas_lsp.semantics import arithmetic, members, observing
from pallas_lsp.semantics.arguments import Arguments
from pallas_lsp.semantics.bindings import scope_bindings
from pallas_lsp.semantics.events import Demand, Use, is_called_ref
from pallas_lsp.semantics.frames import Frame, Scope
from pallas_lsp.semantics.narrowing import narrow
from pallas_lsp.semantics.values import (
    NONE,
    SOMETHING,
    UNKNOWN,
    Array,
    Bound,
    Class,
    Constant,
    External,
    Function,
    Instance,
    Iterator,
    Mapping,
    Never,
    Nothing,
    NotJax,
    OneOf,
    Partial,
    Ref,
    Scoped,
    Sequence,
    Unknown,
    Value,
    alternatives,
    is_none,
    join,
    truth,
)

if TYPE_CHECKING:
    from pallas_lsp.semantics.interpreter import Interpreter


MAX_UNROLLED = 16
"""Iterations of a comprehension over known items that are followed one by one."""

FOLLOWED = (Function, Partial, Bound, Scoped, Instance)
"""Callables that end in a function of the project."""


def arguments_of(interpreter: Interpreter, node: ast.Call, frame: Frame, function: Value = UNKNOWN) -> Arguments:
    """The arguments of a call of `function`, stars spread where that is possible."""
    positional: list[Value] = []
    keywords: list[tuple[str, Value]] = []
    given: list[Value] = []
    complete = True
    for argument in node.args:
        if isinstance(argument, ast.Starred):
            spread = interpreter.evaluate(argument.value, frame)
            given.append(spread)
            observing.use_of_ref(interpreter, argument.value, spread, Use.ITERATION, "*", frame)
            items = members.items_of(spread)
            complete = complete and items is not None
            positional.extend(items or () if complete else ())
        else:
            value = interpreter.evaluate(argument, frame)
            given.append(value)
            if complete:
                positional.append(value)
    observing.call(interpreter, node, function, given, frame)
    for keyword in node.keywords:
        value = interpreter.evaluate(keyword.value, frame)
        if keyword.arg is not None:
            keywords.append((keyword.arg, value))
        elif isinstance(value, Mapping) and all(isinstance(key, str) for key, _ in value.items):
            keywords.extend(value.items)
        else:
            complete = False
    return Arguments(tuple(positional), tuple(keywords), complete)


def _evaluate_constant(interpreter: Interpreter, node: ast.Constant, frame: Frame) -> Value:
    return NONE if node.value is None else Constant(node.value)


def _evaluate_name(interpreter: Interpreter, node: ast.Name, frame: Frame) -> Value:
    value = interpreter.lookup(node.id, frame)
    return UNKNOWN if isinstance(value, Never) else value


def _evaluate_attribute(interpreter: Interpreter, node: ast.Attribute, frame: Frame) -> Value:
    owner = interpreter.evaluate(node.value, frame)
    observing.member(interpreter, node, owner, frame)
    if not isinstance(owner, (OneOf, Nothing)):
        return interpreter.attribute(owner, node.attr)
    return join(interpreter.attribute(one, node.attr) for one in alternatives(owner) if not is_none(one))


def _evaluate_subscript(interpreter: Interpreter, node: ast.Subscript, frame: Frame) -> Value:
    owner = interpreter.evaluate(node.value, frame)
    index = interpreter.evaluate(node.slice, frame)
    observing.item_read(interpreter, node, owner, index, frame)
    value = join(members.item(one, index, node) for one in alternatives(owner) if not is_none(one))
    if isinstance(value, Array) and isinstance(owner, Ref) and is_called_ref(node.value):
        return replace(value, staged=True)
    return value if members.is_whole_index(index) else observing.computed(interpreter, value)


def _evaluate_slice(interpreter: Interpreter, node: ast.Slice, frame: Frame) -> Value:
    parts = (node.lower, node.upper, node.step)
    values = [NONE if part is None else interpreter.evaluate(part, frame) for part in parts]
    return members.slice_value(values)


def _evaluate_binary(interpreter: Interpreter, node: ast.BinOp, frame: Frame) -> Value:
    left, right = interpreter.evaluate(node.left, frame), interpreter.evaluate(node.right, frame)
    observing.operands(interpreter, node.op, ((node.left, left), (node.right, right)), frame)
    return observing.computed(interpreter, arithmetic.binary(node.op, left, right, node))


def _evaluate_unary(interpreter: Interpreter, node: ast.UnaryOp, frame: Frame) -> Value:
    operand = interpreter.evaluate(node.operand, frame)
    if isinstance(node.op, ast.Not):
        observing.demand(interpreter, node.operand, operand, Demand.TRUTH, "not", frame)
        known = truth(operand)
        return Array((), "bool", traced=False) if known is None else Constant(not known)
    observing.operands(interpreter, node.op, ((node.operand, operand),), frame)
    return observing.computed(interpreter, arithmetic.unary(node.op, operand, node))


def _evaluate_boolean(interpreter: Interpreter, node: ast.BoolOp, frame: Frame) -> Value:
    stops_at = isinstance(node.op, ast.Or)
    results: list[Value] = []
    doubts = interpreter.doubts
    for position, operand in enumerate(node.values):
        value = interpreter.evaluate(operand, frame)
        if position == len(node.values) - 1:
            results.append(value)
            break
        observing.demand(interpreter, operand, value, Demand.TRUTH, "or" if stops_at else "and", frame)
        results += [one for one in alternatives(value) if truth(one) in (stops_at, None)]
        if truth(value) is stops_at:
            break
        if truth(value) is None:
            interpreter.doubts = (*interpreter.doubts, operand)
    interpreter.doubts = doubts
    return join(results)


def _evaluate_comparison(interpreter: Interpreter, node: ast.Compare, frame: Frame) -> Value:
    nodes = (node.left, *node.comparators)
    values = [_compared(interpreter, operand, frame) for operand in nodes]
    for position, operation in enumerate(node.ops):
        pair = slice(position, position + 2)
        observing.operands(interpreter, operation, tuple(zip(nodes[pair], values[pair], strict=True)), frame)
    results = [
        arithmetic.compare(operation, left, right, node)
        for operation, left, right in zip(node.ops, values, values[1:], strict=False)
    ]
    for result in results[:-1]:
        observing.demand(interpreter, node, result, Demand.TRUTH, "chained comparison", frame)
    return observing.computed(interpreter, results[0] if len(results) == 1 else _conjunction(results))


def _compared(interpreter: Interpreter, node: ast.expr, frame: Frame) -> Value:
    """An operand of a comparison; a set display is searched as a tuple would be."""
    if isinstance(node, ast.Set):
        items = _items(interpreter, node.elts, frame)
        return NotJax("set") if items is None else Sequence(items)
    return interpreter.evaluate(node, frame)


def _evaluate_conditional(interpreter: Interpreter, node: ast.IfExp, frame: Frame) -> Value:
    condition = interpreter.evaluate(node.test, frame)
    observing.demand(interpreter, node.test, condition, Demand.TRUTH, "if", frame)
    decided = truth(condition)
    if decided is not None:
        return interpreter.evaluate(node.body if decided else node.orelse, frame)
    results: list[Value] = []

    def way(expression: ast.expr, outcome: bool) -> bool:
        if narrow(interpreter, node.test, outcome, frame):
            results.append(interpreter.evaluate(expression, frame))
        return True

    interpreter.branch(frame, (lambda: way(node.body, True), lambda: way(node.orelse, False)), node.test)
    return join(results)


def _evaluate_lambda(interpreter: Interpreter, node: ast.Lambda, frame: Frame) -> Value:
    return Function(node, frame.chunk, frame)


def _evaluate_tuple(interpreter: Interpreter, node: ast.Tuple | ast.List, frame: Frame) -> Value:
    items = _items(interpreter, node.elts, frame)
    is_list = isinstance(node, ast.List)
    return SOMETHING if items is None else Sequence(items, is_list)


def _items(interpreter: Interpreter, nodes: Iterable[ast.expr], frame: Frame) -> tuple[Value, ...] | None:
    """The values of a display with its stars spread; None when a star hides how many there are."""
    found: list[Value] | None = []
    for node in nodes:
        if isinstance(node, ast.Starred):
            spread = members.items_of(interpreter.evaluate(node.value, frame))
            found = None if spread is None or found is None else [*found, *spread]
        else:
            value = interpreter.evaluate(node, frame)
            if found is not None:
                found.append(value)
    return None if found is None else tuple(found)


def _evaluate_dict(interpreter: Interpreter, node: ast.Dict, frame: Frame) -> Value:
    pairs: list[tuple[object, Value]] | None = []
    for key_node, value_node in zip(node.keys, node.values, strict=True):
        value = interpreter.evaluate(value_node, frame)
        key = None if key_node is None else interpreter.evaluate(key_node, frame)
        if key_node is None and isinstance(value, Mapping) and pairs is not None:
            pairs.extend(value.items)
        elif isinstance(key, Constant) and pairs is not None:
            pairs = [pair for pair in pairs if pair[0] != key.value] + [(key.value, value)]
        else:
            pairs = None
    return SOMETHING if pairs is None else Mapping(tuple(pairs))


def _evaluate_set(interpreter: Interpreter, node: ast.Set | ast.SetComp, frame: Frame) -> Value:
    return NotJax("set")


def _evaluate_text(interpreter: Interpreter, node: ast.JoinedStr, frame: Frame) -> Value:
    for part in node.values:
        if isinstance(part, ast.FormattedValue):
            interpreter.evaluate(part.value, frame)
    return NotJax("str")


def _evaluate_walrus(interpreter: Interpreter, node: ast.NamedExpr, frame: Frame) -> Value:
    value = interpreter.evaluate(node.value, frame)
    interpreter.assign(node.target, value, frame, node)
    return value


def _evaluate_yield(interpreter: Interpreter, node: ast.Yield | ast.YieldFrom | ast.Await, frame: Frame) -> Value:
    if node.value is not None:
        interpreter.evaluate(node.value, frame)
    return UNKNOWN


def _evaluate_comprehension(interpreter: Interpreter, node: ast.ListComp | ast.GeneratorExp, frame: Frame) -> Value:
    items = _comprehension_items(interpreter, [node.elt], node.generators, frame)
    if isinstance(node, ast.GeneratorExp):
        return Iterator(None if items is None else tuple(item[0] for item in items))
    return SOMETHING if items is None else Sequence(tuple(item[0] for item in items), is_list=True)


def _evaluate_dict_comprehension(interpreter: Interpreter, node: ast.DictComp, frame: Frame) -> Value:
    items = _comprehension_items(interpreter, [node.key, node.value], node.generators, frame)
    if items is None or not all(isinstance(key, Constant) for key, _ in items):
        return SOMETHING
    return Mapping(tuple((key.value, value) for key, value in items if isinstance(key, Constant)))


def _comprehension_items(
    interpreter: Interpreter, results: list[ast.expr], generators: list[ast.comprehension], frame: Frame
) -> list[list[Value]] | None:
    """The results for each iteration where these are known; they are evaluated once in any case."""
    inner = Frame(
        Scope.FUNCTION,
        frame.path,
        frame.chunk,
        frame,
        local=scope_bindings((generator.target for generator in generators), frame.chunk),
        redirected=frame.redirected,
    )
    looped = interpreter.evaluate(generators[0].iter, frame)
    observing.use_of_ref(interpreter, generators[0].iter, looped, Use.ITERATION, "for", frame)
    first = members.items_of(looped)
    simple = len(generators) == 1 and not generators[0].ifs
    if first is not None and simple and len(first) <= MAX_UNROLLED:
        found = []
        for item in first:
            interpreter.assign(generators[0].target, item, inner, generators[0].target)
            found.append([interpreter.evaluate(result, inner) for result in results])
        return found
    for position, generator in enumerate(generators):
        source = None if position == 0 else interpreter.evaluate(generator.iter, inner)
        items = first if source is None else members.items_of(source)
        interpreter.assign(generator.target, UNKNOWN if items is None else join(items), inner, generator.target)
        for condition in generator.ifs:
            observing.demand(interpreter, condition, interpreter.evaluate(condition, inner), Demand.TRUTH, "if", inner)
    for result in results:
        interpreter.evaluate(result, inner)
    return None


def changed_in_place(statements: Iterable[ast.stmt], frame: Frame) -> frozenset[str]:
    """The lists, dicts and iterators of a frame that some statements change without binding their names."""
    if not any(map(members.is_changeable, frame.names.values())):
        return frozenset()
    nodes = (node for statement in statements for node in ast.walk(statement))
    names = frozenset(name for node in nodes if (name := _changed_by(node)))
    return frozenset(name for name in names & frame.names.keys() if members.is_changeable(frame.names[name]))


def _changed_by(node: ast.AST) -> str:
    """The name of what `items.append(value)`, `next(items)` or `items[key] = value` changes; empty for other nodes."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=method)) if method in members.CHANGES:
            return name
        case ast.Call(func=ast.Name(id="next"), args=[ast.Name(id=name), *_]):
            return name
        case ast.Subscript(value=ast.Name(id=name), ctx=ast.Store() | ast.Del()):
            return name
        case _:
            return ""


def _change_in_place(
    interpreter: Interpreter, node: ast.Call, function: Value, arguments: Arguments, frame: Frame
) -> Value | None:
    """Follows a call that changes a list, a dict or an iterator; gives its result, None for any other call."""
    if isinstance(function, (Function, Class, Unknown)):
        return None
    if _is_next(function) and arguments.positional and arguments.complete:
        value, *default = arguments.positional
        if not isinstance(value, Iterator):
            return None
        owner = node.args[0]
        changes: list[tuple[Value, Value, Value]] = [(value, *members.next_of(value, default))]
    else:
        bound = [one for one in alternatives(function) if isinstance(one, Bound) and _is_change(one.function)]
        if not bound or not isinstance(node.func, ast.Attribute):
            return None
        given = arguments.positional if arguments.complete else None
        owner = node.func.value
        changes = [(one.receiver, *members.changed(one.receiver, node.func.attr, given)) for one in bound]
    results = []
    for value, result, after in changes:
        # Precisely followed is a list of which the name is in view; whatever else holds it knows it no longer.
        own = isinstance(owner, ast.Name) and len(changes) == 1 and frame.names.get(owner.id) is value
        interpreter.forget(value, frame)
        if own and isinstance(owner, ast.Name):
            frame.names[owner.id] = after
        results.append(result if own or result == NONE else UNKNOWN)
    return join(results)


def _is_next(function: Value) -> bool:
    return isinstance(function, External) and function.name == "builtins.next"


def _is_change(function: Value) -> bool:
    return isinstance(function, External) and function.name in members.CHANGING_METHODS


def _evaluate_call(interpreter: Interpreter, node: ast.Call, frame: Frame) -> Value:
    interpreter.invocations.pop(node, None)
    function = interpreter.evaluate(node.func, frame)
    arguments = arguments_of(interpreter, node, frame, function)
    changed = _change_in_place(interpreter, node, function, arguments, frame)
    if changed is not None:
        return changed
    if isinstance(function, FOLLOWED):
        invocation = interpreter.invoke(function, arguments, node, frame)
        interpreter.invocations[node] = invocation
        return invocation.value
    return interpreter.call(function, arguments, node, frame)


def _conjunction(results: list[Value]) -> Value:
    answers = [truth(result) for result in results]
    if False in answers:
        return Constant(False)
    return Constant(True) if all(answers) else join(result for result in results if truth(result) is None)


EXPRESSIONS: dict[type[ast.AST], Callable[[Interpreter, Any, Frame], Value]] = {
    ast.Constant: _evaluate_constant,
    ast.Name: _evaluate_name,
    ast.Attribute: _evaluate_attribute,
    ast.Subscript: _evaluate_subscript,
    ast.Slice: _evaluate_slice,
    ast.BinOp: _evaluate_binary,
    ast.UnaryOp: _evaluate_unary,
    ast.BoolOp: _evaluate_boolean,
    ast.Compare: _evaluate_comparison,
    ast.IfExp: _evaluate_conditional,
    ast.Lambda: _evaluate_lambda,
    ast.Tuple: _evaluate_tuple,
    ast.List: _evaluate_tuple,
    ast.Dict: _evaluate_dict,
    ast.Set: _evaluate_set,
    ast.SetComp: _evaluate_set,
    ast.JoinedStr: _evaluate_text,
    ast.NamedExpr: _evaluate_walrus,
    ast.Yield: _evaluate_yield,
    ast.YieldFrom: _evaluate_yield,
    ast.Await: _evaluate_yield,
    ast.ListComp: _evaluate_comprehension,
    ast.GeneratorExp: _evaluate_comprehension,
    ast.DictComp: _evaluate_dict_comprehension,
    ast.Call: _evaluate_call,
}

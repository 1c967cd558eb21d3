"""What else a kernel is used for than being launched, as far as its module shows: a store would change that."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from pallas_lsp.semantics.analysis import Analysis
from pallas_lsp.semantics.bindings import scope_bindings
from pallas_lsp.semantics.facts import dotted_name, facts_of
from pallas_lsp.semantics.frames import Scope
from pallas_lsp.semantics.jax_api import ENTRY_POINTS, PASSES_THROUGH, PASSES_THROUGH_FACTORIES
from pallas_lsp.semantics.values import External, Function, Value, alternatives
from pallas_lsp.syntax import Chunk, walk

WRAPPERS = PASSES_THROUGH | {"functools.partial"}
"""Functions whose result, when called, calls the function that they are given first."""

CALLS = "called by its own name"
DECORATES = "put around another function"

MAX_ROUNDS = 3
"""Assignments from variable to variable that are followed."""


@dataclass(frozen=True, slots=True)
class Uses:
    """What a function is used for besides launches.

    Args:
      calls: the 0-based lines of calls by its own name whose result is used.
      others: a sentence for each other kind of use.
    """

    calls: tuple[int, ...]
    others: tuple[str, ...]


def uses_of(analysis: Analysis, function: Function) -> Uses:
    """Searches the module of a function for its uses."""
    parsed = analysis.module.parsed
    search = _search(analysis, function)
    words = search.words
    found: dict[str, list[int]] = {}
    for chunk in _flat(parsed.chunks):
        if chunk is function.chunk or facts_of(chunk).mentions_any(words):
            for what, node in search.uses(chunk):
                found.setdefault(what, []).append(parsed.line_of(chunk) + node.lineno)
    calls = sorted(line - 1 for line in found.pop(CALLS, ()))
    if len(found.get(DECORATES, ())) == 1:
        del found[DECORATES]  # the kernel that it was found through
    others = (f"`{function.name}` is also {what} on line {lines[-1]}." for what, lines in found.items())
    return Uses(tuple(calls), tuple(others))


@dataclass(frozen=True, slots=True)
class _Search:
    """How expressions are told that are the function.

    Args:
      analysis: of the module.
      function: what is looked for.
      shared: variables that hold it in the whole module.
      makers: functions that return it, and classes whose objects call it.
    """

    analysis: Analysis
    function: Function
    shared: frozenset[str] = frozenset()
    makers: frozenset[str] = frozenset()

    @property
    def words(self) -> frozenset[str]:
        """What another piece of the module mentions if it uses the function."""
        return self.shared | self.makers | ({self.function.name} if self.function.owner is not None else set())

    @property
    def has_name(self) -> bool:
        """Whether the function's name means it: no decorator has made something else of it, and no later assignment."""
        node = self.function.node
        if isinstance(node, ast.Lambda) or self.function.owner is not None:
            return False
        if self.function.frame.scope is Scope.MODULE:
            values = alternatives(self.analysis.interpreter.module_name(self.analysis.module, node.name))
            if not any(isinstance(value, Function) and value.node is node for value in values):
                return False
        marks = [mark.func if isinstance(mark, ast.Call) else mark for mark in node.decorator_list]
        return all(self._external(mark) in PASSES_THROUGH | PASSES_THROUGH_FACTORIES for mark in marks)

    def uses(self, chunk: Chunk) -> Iterator[tuple[str, ast.expr]]:
        """The uses in a piece of the module."""
        nodes = _visible(chunk, self.function.name if self.shared else "")
        names = self.variables(nodes, self.names_in(chunk))
        unused = {node.value for node in nodes if isinstance(node, ast.Expr)}
        inside = set(walk(self.function.node))
        for node in nodes:
            if isinstance(node, ast.Call) and node not in inside:
                if self.is_it(node.func, names) and node in unused:
                    yield "called as a statement, where it would then store,", node
                elif self.is_it(node.func, names):
                    yield CALLS if self._is_own_name(node.func) else "called as a function", node
                elif any(self.is_it(argument, names) for argument in _arguments(node)):
                    yield from ((what, node) for what in self._given_to(node, names))
        marks = [mark for node in nodes if isinstance(node, ast.FunctionDef) for mark in node.decorator_list]
        yield from ((DECORATES, mark) for mark in marks if self._is_maker(mark))

    def is_it(self, node: ast.expr, names: frozenset[str]) -> bool:
        """Whether an expression is the function, or calls it when it is called."""
        match node:
            case ast.Name(id=name):
                return name in names
            case ast.Lambda():
                return node is self.function.node
            case ast.Attribute(attr=name):
                return self.function.owner is not None and name == self.function.name
            case ast.Call(func=callee, args=[first, *_]) if self._external(callee) in WRAPPERS:
                return self.is_it(first, names)
            case ast.Call(func=callee):
                return self._is_maker(callee)
            case _:
                return False

    def _is_own_name(self, callee: ast.expr) -> bool:
        own = callee.attr if isinstance(callee, ast.Attribute) else getattr(callee, "id", "")
        return own == self.function.name

    def names_in(self, chunk: Chunk) -> frozenset[str]:
        """The names of the function in a piece of the module, as far as definitions give them."""
        own = chunk is self.function.chunk and self.has_name
        return self.shared | ({self.function.name} if own else set())

    def variables(self, nodes: Iterable[ast.AST], names: frozenset[str]) -> frozenset[str]:
        """These names and the variables that are given the function, without those that are given anything else."""
        assigned = [
            (node.targets[0].id, node.value)
            for node in nodes
            if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name)
        ]
        names |= {
            node.name
            for node in nodes
            if isinstance(node, ast.FunctionDef) and any(map(self._is_maker, node.decorator_list))
        }
        for _ in range(MAX_ROUNDS):
            names |= {name for name, value in assigned if self.is_it(value, names)}
        return names - {name for name, value in assigned if not self.is_it(value, names)}

    def _is_maker(self, node: ast.expr) -> bool:
        callee = node.func if isinstance(node, ast.Call) else node
        return isinstance(callee, ast.Name) and callee.id in self.makers

    def _given_to(self, call: ast.Call, names: frozenset[str]) -> Iterator[str]:
        """How a call uses the function that it is given; nothing when it launches or wraps it, or is not known."""
        path = self._external(call.func)
        if path and path not in ENTRY_POINTS and path not in WRAPPERS and path != "functools.wraps":
            yield f"given to `{dotted_name(call.func)}`"
        callee = self._value(call.func)
        if isinstance(callee, Function) and isinstance(callee.node, ast.FunctionDef):
            parameters = [*callee.node.args.posonlyargs, *callee.node.args.args]
            given = {
                parameter.arg
                for parameter, argument in zip(parameters, call.args, strict=False)
                if self.is_it(argument, names)
            }
            given |= {keyword.arg for keyword in call.keywords if keyword.arg and self.is_it(keyword.value, names)}
            calls = (node.func for node in walk(callee.node) if isinstance(node, ast.Call))
            if any(isinstance(called, ast.Name) and called.id in given for called in calls):
                yield f"called by `{callee.name}`, which is given it"

    def _external(self, node: ast.expr) -> str:
        """The import path of an external function, empty for anything else."""
        value = self._value(node)
        return value.name if isinstance(value, External) else ""

    def _value(self, node: ast.expr) -> Value | None:
        """What a dotted name means at module level."""
        interpreter = self.analysis.interpreter
        if isinstance(node, ast.Name):
            values = alternatives(interpreter.module_name(self.analysis.module, node.id))
            return values[0] if len(values) == 1 else None
        if isinstance(node, ast.Attribute):
            owner = self._value(node.value)
            return None if owner is None else interpreter.attribute(owner, node.attr)
        return None


def _search(analysis: Analysis, function: Function) -> _Search:
    """The search for a function: by its name where it has one, and through what returns it."""
    if function.owner is not None:
        called = function.name == "__call__"
        return _Search(analysis, function, makers=frozenset({function.owner.node.name} if called else ()))
    at_module = function.frame.scope is Scope.MODULE
    own = frozenset({function.name} if at_module and _Search(analysis, function).has_name else ())
    search = _Search(analysis, function, own)
    local = search.names_in(function.chunk)
    outer = (node for statement in function.chunk.statements for node in walk(statement))
    makers = {node.name for node in outer if isinstance(node, ast.FunctionDef) and _returns(node, search, local)}
    search = replace(search, makers=frozenset(makers))
    names = own
    while not (shared := search.variables(_top_level(search, names), own)) <= names:
        names |= shared
    return replace(search, shared=shared)


def _top_level(search: _Search, names: frozenset[str]) -> list[ast.AST]:
    """The statements of the module that may give these names, or be given the function."""
    words = names | search.makers
    return [
        statement
        for chunk in search.analysis.module.parsed.chunks
        if chunk is search.function.chunk or facts_of(chunk).mentions_any(words)
        for statement in chunk.statements
    ]


def _returns(outer: ast.FunctionDef, search: _Search, names: frozenset[str]) -> bool:
    values = (node.value for node in walk(outer) if isinstance(node, ast.Return) and node.value is not None)
    return any(search.is_it(value, names) for value in values)


def _arguments(call: ast.Call) -> list[ast.expr]:
    return [*call.args, *(keyword.value for keyword in call.keywords)]


def _flat(chunks: Iterable[Chunk]) -> Iterator[Chunk]:
    for chunk in chunks:
        yield chunk
        yield from _flat(chunk.members)


def _visible(chunk: Chunk, name: str) -> list[ast.AST]:
    """The nodes of a chunk, without the functions in which `name` is another object."""
    found: list[ast.AST] = []
    stack: list[ast.AST] = list(chunk.statements)
    while stack:
        node = stack.pop()
        found.append(node)
        if not (isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and _binds(node, name, chunk)):
            stack += ast.iter_child_nodes(node)
    return found


def _binds(node: ast.FunctionDef | ast.AsyncFunctionDef, name: str, chunk: Chunk) -> bool:
    parameters = {part.arg for part in ast.walk(node.args) if isinstance(part, ast.arg)}
    return bool(name) and (name in parameters or name in scope_bindings(node.body, chunk))

"""Follows code without running it: every expression gets a `Value`, every call of a project function is followed.

The interpreter is sound where it matters: what it cannot follow is `Unknown`. It keeps the paths of a function apart
only until they meet, looks into loops once with everything unknown that they change, and stops at fixed depths.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from pallas_lsp.semantics import arithmetic, library, members
from pallas_lsp.semantics.frames import Frame, Invocation, Loop, Returned, Scope, Store, scope_bindings
from pallas_lsp.semantics.launches import Launch
from pallas_lsp.semantics.project import Module, Project
from pallas_lsp.semantics.values import (
    NEVER,
    NONE,
    SOMETHING,
    UNKNOWN,
    Array,
    Bound,
    Class,
    Constant,
    Decorator,
    External,
    Function,
    Instance,
    Iterator,
    Launched,
    Mapping,
    NamedTuple,
    NamedTupleClass,
    Never,
    NotJax,
    OneOf,
    Partial,
    ProjectModule,
    Ref,
    Scoped,
    Sequence,
    Unknown,
    Value,
    View,
    alternatives,
    is_none,
    join,
    truth,
)
from pallas_lsp.syntax import Chunk

MAX_DEPTH = 110
"""Nested expressions, statements and calls that are followed; a level costs at most four Python frames."""

MAX_STEPS = 200_000
"""Expressions that are evaluated for one module before the rest is Unknown."""

MAX_UNROLLED = 16
"""Iterations of a comprehension over known items that are followed one by one."""


@dataclass(frozen=True, slots=True)
class Arguments:
    """The arguments of a call; `complete` is False when a star hides how many there are or what they are called."""

    positional: tuple[Value, ...] = ()
    keywords: tuple[tuple[str, Value], ...] = ()
    complete: bool = True

    def get(self, name: str, position: int | None = None) -> Value | None:
        """The argument given as the keyword `name` or at `position`, None when it was not given."""
        for key, value in self.keywords:
            if key == name:
                return value
        if position is not None and position < len(self.positional):
            return self.positional[position]
        return None

    def values(self) -> Iterable[Value]:
        """All arguments."""
        yield from self.positional
        for _, value in self.keywords:
            yield value


_FOLLOWED = (Function, Partial, Bound, Scoped, Instance)

Names = dict[str, Value]
Stores = dict[Value, Store]


@dataclass(eq=False)
class Interpreter:
    """One analysis: what was found so far, and where it stands.

    Args:
      project: the modules that imports lead to.
      launches: every launch that was met, in order; the same call met twice with other values is there twice.
      entered: the functions that were followed.
      stores: what the Refs of the running kernel have been given on the path so far.
    """

    project: Project
    launches: list[Launch] = field(default_factory=list)
    entered: set[ast.AST] = field(default_factory=set)
    stores: Stores = field(default_factory=dict)
    _depth: int = 0
    _steps: int = 0
    _calls: list[ast.AST] = field(default_factory=list)
    _module_frames: dict[tuple[Module, int], Frame | None] = field(default_factory=dict)
    _decorated: dict[Function, Value] = field(default_factory=dict)
    _invocations: dict[ast.AST, Invocation] = field(default_factory=dict)

    # -- modules -------------------------------------------------------------------------------------------------

    def module_frame(self, module: Module, index: int) -> Frame | None:
        """The frame in which a chunk of a module ran, None while it is running."""
        key = (module, index)
        if key not in self._module_frames:
            self._module_frames[key] = None
            chunk = module.parsed.chunks[index]
            frame = Frame(Scope.MODULE, module, chunk, index=index)
            stores, self.stores = self.stores, {}
            self.execute(chunk.statements, frame)
            self.stores = stores
            self._module_frames[key] = frame
        return self._module_frames[key]

    def module_name(self, module: Module, name: str, before: int | None = None) -> Value:
        """What `name` is in a module once its chunks up to `before` (all of them by default) have run."""
        value = self._own_module_name(module, name, before)
        if isinstance(value, Never):
            value = self._star_imported_name(module, name)
        if isinstance(value, Never):
            value = library.builtin(name)
        return join((value, UNKNOWN)) if name in module.global_writes else value

    def _own_module_name(self, module: Module, name: str, before: int | None) -> Value:
        for index in reversed(module.binding_chunks.get(name, ())):
            if before is not None and index >= before:
                continue
            frame = self.module_frame(module, index)
            if frame is None:
                return UNKNOWN
            value = frame.names.get(name, NEVER)
            if not isinstance(value, Never):
                return value
        return NEVER

    def _star_imported_name(self, module: Module, name: str) -> Value:
        for target, level in module.star_imports:
            resolved = module.resolve_module(target, level)
            if isinstance(resolved, Module):
                value = self._own_module_name(resolved, name, None)
                if not isinstance(value, Never):
                    return value
            elif library.exports(resolved, name):
                return library.external(f"{resolved}.{name}")
        return UNKNOWN if module.star_imports else NEVER

    # -- names ---------------------------------------------------------------------------------------------------

    def lookup(self, name: str, frame: Frame) -> Value:
        """What a name means to code that runs in `frame`."""
        current: Frame | None = frame
        while current is not None:
            if current.scope is Scope.MODULE:
                if current is frame:
                    own = frame.names.get(name, NEVER)
                    if not isinstance(own, Never):
                        return own
                    return self.module_name(frame.module, name, frame.index)
                break
            if current.scope is Scope.FUNCTION or current is frame:
                value = current.names.get(name)
                if value is not None:
                    return value
                if name in current.redirected:
                    return UNKNOWN
                if name in current.local and current.scope is Scope.FUNCTION:
                    return UNKNOWN
            current = current.parent
        return self.module_name(frame.module, name)

    def bind(self, name: str, value: Value, frame: Frame) -> None:
        """Gives a name a value where the code of `frame` would bind it."""
        if name in frame.redirected:
            owner = frame.parent
            while owner is not None:
                if owner.scope is Scope.FUNCTION and name in owner.local:
                    owner.names[name] = UNKNOWN
                owner = owner.parent
        else:
            frame.names[name] = value

    def assign(self, target: ast.expr, value: Value, frame: Frame, node: ast.AST) -> None:
        """Follows the assignment of a value to any kind of target."""
        match target:
            case ast.Name(id=name):
                self.bind(name, value, frame)
            case ast.Starred(value=inner):
                self.assign(inner, value, frame, node)
            case ast.Tuple(elts=targets) | ast.List(elts=targets):
                for inner, item in zip(targets, _unpack(value, targets), strict=True):
                    self.assign(inner, item, frame, node)
            case ast.Subscript(value=owner, slice=index):
                self.store_item(self.evaluate(owner, frame), self.evaluate(index, frame), value, node)
                self._forget_changed(owner, frame)
            case ast.Attribute(value=owner):
                self.evaluate(owner, frame)

    def store_item(self, owner: Value, index: Value, value: Value, node: ast.AST) -> None:
        """Follows `owner[index] = value`."""
        for target in alternatives(owner):
            match target:
                case Ref():
                    whole = members.is_whole_index(index) and not isinstance(owner, OneOf)
                    self.stores[target] = Store(whole, value if whole else UNKNOWN, node)
                case View(ref=ref):
                    self.stores[ref] = Store(False, UNKNOWN, node)

    def _forget_changed(self, owner: ast.expr, frame: Frame) -> None:
        """A list or dict that is changed in place is not followed any further."""
        if isinstance(owner, ast.Name) and isinstance(frame.names.get(owner.id), (Sequence, Mapping, OneOf)):
            value = frame.names[owner.id]
            if any(isinstance(one, (Mapping, Sequence)) for one in alternatives(value)):
                frame.names[owner.id] = SOMETHING

    def escape(self, values: Iterable[Value], node: ast.AST) -> None:
        """Values given to code that is not followed: the Refs in them may be stored to."""
        stack = list(values)
        while stack:
            value = stack.pop()
            match value:
                case Ref():
                    self.stores.setdefault(value, Store(False, UNKNOWN, node))
                case View(ref=ref):
                    self.stores.setdefault(ref, Store(False, UNKNOWN, node))
                case Sequence(items=items) | NamedTuple(items=items):
                    stack.extend(items)
                case Mapping(items=pairs):
                    stack.extend(item for _, item in pairs)
                case OneOf(alternatives=values_of_one):
                    stack.extend(values_of_one)
                case Partial(arguments=arguments, keywords=keywords, function=function):
                    stack.extend((function, *arguments, *(item for _, item in keywords)))
                case Function():
                    self._follow_escaped(value, node)

    def _follow_escaped(self, function: Function, node: ast.AST) -> None:
        """A function given to unknown code may be called: what it stores to is stored perhaps."""
        if function.node not in self._calls:
            self.perhaps(lambda: self.invoke(function, Arguments(complete=False), node))

    # -- statements ----------------------------------------------------------------------------------------------

    def execute(self, statements: Iterable[ast.stmt], frame: Frame) -> bool:
        """Follows statements; says whether what stands after them is reached."""
        for statement in statements:
            handler = _STATEMENTS.get(type(statement))
            if handler is not None and not self._guarded(handler, statement, frame):
                return False
        return True

    def _guarded(self, handler: Callable[[Interpreter, Any, Frame], bool], statement: ast.stmt, frame: Frame) -> bool:
        if self._depth >= MAX_DEPTH:
            return True
        self._depth += 1
        try:
            return handler(self, statement, frame)
        finally:
            self._depth -= 1

    def perhaps(self, follow: Callable[[], object]) -> None:
        """Follows code that may or may not run."""
        before = dict(self.stores)
        follow()
        self.stores = _join_stores(before, self.stores)

    def _branch(self, frame: Frame, ways: Iterable[Callable[[], bool]]) -> bool:
        """Follows alternatives from the same state; their states meet behind those that are not left."""
        names, stores = frame.names, self.stores
        ends: list[tuple[Names, Stores]] = []
        for way in ways:
            frame.names, self.stores = dict(names), dict(stores)
            if way():
                ends.append((frame.names, self.stores))
        if not ends:
            return False
        frame.names, self.stores = ends[0]
        for other_names, other_stores in ends[1:]:
            frame.names = self._join_names(frame, frame.names, other_names)
            self.stores = _join_stores(self.stores, other_stores)
        return True

    def _join_names(self, frame: Frame, one: Names, other: Names) -> Names:
        if one == other:
            return one
        joined: Names = {}
        for name in one.keys() | other.keys():
            left, right = one.get(name), other.get(name)
            if left is right and left is not None:
                joined[name] = left
            else:
                missing = self._value_before(frame, name) if left is None or right is None else NEVER
                joined[name] = join((left or missing, right or missing))
        return joined

    def _value_before(self, frame: Frame, name: str) -> Value:
        """What a name is on a path of a module that does not bind it; a function leaves it unbound."""
        if frame.scope is not Scope.MODULE:
            return NEVER
        return self._own_module_name(frame.module, name, frame.index)

    def _execute_if(self, node: ast.If, frame: Frame) -> bool:
        condition = self.evaluate(node.test, frame)
        decided = None if _is_type_checking(node.test) else truth(condition)
        if decided is not None:
            return self.execute(node.body if decided else node.orelse, frame)
        return self._branch(
            frame,
            (
                lambda: self._narrow(node.test, True, frame) and self.execute(node.body, frame),
                lambda: self._narrow(node.test, False, frame) and self.execute(node.orelse, frame),
            ),
        )

    def _narrow(self, test: ast.expr, outcome: bool, frame: Frame) -> bool:
        """Drops the alternatives of a name that a condition excludes; says whether the branch can be reached."""
        match test:
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                return self._narrow(inner, not outcome, frame)
            case ast.Name(id=name):
                return self._keep(name, lambda value: truth(value) in (outcome, None), frame)
            case ast.NamedExpr(target=ast.Name(id=name)):
                return self._keep(name, lambda value: truth(value) in (outcome, None), frame)
            case ast.Compare(
                left=ast.Name(id=name), ops=[ast.Is() | ast.IsNot() as op], comparators=[ast.Constant(value=None)]
            ):
                wants_none = isinstance(op, ast.Is) is outcome
                return self._keep(name, lambda value: is_none(value) is wants_none or isinstance(value, Unknown), frame)
            case ast.BoolOp(op=ast.And() | ast.Or() as op, values=tests) if isinstance(op, ast.And) is outcome:
                return all(self._narrow(inner, outcome, frame) for inner in tests)
        return True

    def _keep(self, name: str, wanted: Callable[[Value], bool], frame: Frame) -> bool:
        value = frame.names.get(name)
        if not isinstance(value, OneOf):
            return True
        frame.names[name] = join(one for one in value.alternatives if wanted(one))
        return not isinstance(frame.names[name], Never)

    def _loop(
        self, frame: Frame, body: list[ast.stmt], orelse: list[ast.stmt], enter: Callable[[], object], endless: bool
    ) -> bool:
        """Follows a loop once, from a state in which all that it changes is unknown."""
        changed = scope_bindings(body)
        loop = Loop()
        frame.loops.append(loop)

        def run() -> bool:
            frame.names.update(dict.fromkeys(changed & frame.names.keys(), UNKNOWN))
            enter()
            return self.execute(body, frame)

        ended = self._branch(frame, (lambda: not endless, run))
        frame.loops.pop()
        goes_on = ended and not endless and self.execute(orelse, frame)
        for names in loop.left:
            frame.names = self._join_names(frame, frame.names, names) if goes_on else names
            goes_on = True
        return goes_on

    def _execute_for(self, node: ast.For | ast.AsyncFor, frame: Frame) -> bool:
        items = members.items_of(self.evaluate(node.iter, frame))
        item = UNKNOWN if items is None else join(items)
        goes_on = self._loop(
            frame, node.body, node.orelse, lambda: self.assign(node.target, item, frame, node), endless=False
        )
        runs_to_the_end = items and goes_on and not _leaves_early(node.body)
        if items and runs_to_the_end and not scope_bindings([node.target]) & scope_bindings(node.body):
            self.assign(node.target, items[-1], frame, node)
        return goes_on

    def _execute_while(self, node: ast.While, frame: Frame) -> bool:
        endless = isinstance(node.test, ast.Constant) and bool(node.test.value)
        return self._loop(frame, node.body, node.orelse, lambda: self.evaluate(node.test, frame), endless)

    def _execute_break(self, node: ast.AST, frame: Frame) -> bool:
        if frame.loops:
            frame.loops[-1].left.append(frame.names)
        return False

    def _execute_jump(self, node: ast.AST, frame: Frame) -> bool:
        for child in ast.iter_child_nodes(node):
            self.evaluate(child, frame)
        return False

    def _execute_try(self, node: ast.Try, frame: Frame) -> bool:
        changed = scope_bindings(node.body)
        only_imports = all(isinstance(statement, (ast.Import, ast.ImportFrom)) for statement in node.body)
        before = frame.names
        first_return = len(frame.returns)

        def run() -> bool:
            return self.execute(node.body, frame) and self.execute(node.orelse, frame)

        def handle(handler: ast.ExceptHandler) -> bool:
            if not only_imports:  # a failed import binds nothing
                frame.names.update(dict.fromkeys(changed, UNKNOWN))
            if handler.name:
                self.bind(handler.name, SOMETHING, frame)
            return self.execute(handler.body, frame)

        ends = self._branch(frame, (run, *((lambda handler=handler: handle(handler)) for handler in node.handlers)))
        if not node.finalbody:
            return ends
        if not ends:
            frame.names = dict(before)
        if self.execute(node.finalbody, frame):
            return ends
        if any(isinstance(statement, ast.Return) for statement in node.finalbody):
            # A `return` in `finally` takes the place of every other way out.
            last = frame.returns[-1]
            del frame.returns[first_return:]
            frame.returns.append(last)
        return False

    def _execute_with(self, node: ast.With | ast.AsyncWith, frame: Frame) -> bool:
        for item in node.items:
            self.evaluate(item.context_expr, frame)
            if item.optional_vars is not None:
                self.assign(item.optional_vars, UNKNOWN, frame, node)
        return self.execute(node.body, frame)

    def _execute_match(self, node: ast.Match, frame: Frame) -> bool:
        subject = self.evaluate(node.subject, frame)
        ways: list[Callable[[], bool]] = []
        for case in node.cases:
            matches = self._matches(case, subject, frame)
            if matches is False:
                continue
            ways.append(lambda case=case: self._execute_case(case, subject, frame))
            if matches:
                return self._branch(frame, ways)
        return self._branch(frame, (*ways, lambda: True))

    def _execute_case(self, case: ast.match_case, subject: Value, frame: Frame) -> bool:
        for name in scope_bindings([case.pattern]):
            captures_all = isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None
            self.bind(name, subject if captures_all else UNKNOWN, frame)
        if case.guard is not None:
            self.evaluate(case.guard, frame)
        return self.execute(case.body, frame)

    def _matches(self, case: ast.match_case, subject: Value, frame: Frame) -> bool | None:
        """Whether a case is taken; None when that is not known."""
        guard = None if case.guard is None else False
        match case.pattern:
            case ast.MatchAs(pattern=None):
                return True if guard is None else None
            case ast.MatchValue(value=pattern):
                equal = truth(arithmetic.compare(ast.Eq(), subject, self.evaluate(pattern, frame), pattern))
            case ast.MatchSingleton(value=None):
                equal = is_none(subject) or (None if isinstance(subject, (Unknown, OneOf)) else False)
            case _:
                return None
        return None if equal and guard is not None else equal

    def _execute_assert(self, node: ast.Assert, frame: Frame) -> bool:
        holds = truth(self.evaluate(node.test, frame))
        if node.msg is not None:
            self.evaluate(node.msg, frame)
        return holds is not False and self._narrow(node.test, True, frame)

    def _execute_return(self, node: ast.Return, frame: Frame) -> bool:
        value = NONE if node.value is None else self.evaluate(node.value, frame)
        invoked = None if node.value is None else self._invocations.get(node.value)
        frame.returns.append(Returned(node, value, dict(frame.names), dict(self.stores), invoked))
        return False

    def _execute_expression(self, node: ast.Expr, frame: Frame) -> bool:
        self.evaluate(node.value, frame)
        call = node.value
        if (
            isinstance(call, ast.Call)
            and isinstance(call.func, ast.Attribute)
            and isinstance(call.func.value, ast.Name)
        ):
            self._follow_change(call.func.value.id, call, frame)
        return True

    def _follow_change(self, name: str, call: ast.Call, frame: Frame) -> None:
        """Follows `items.append(value)` and its like, which change a list in place."""
        value = frame.names.get(name)
        assert isinstance(call.func, ast.Attribute)
        method = call.func.attr
        if isinstance(value, Sequence) and value.is_list and method in members.LIST_CHANGES:
            arguments = self.arguments(call, frame)
            frame.names[name] = members.changed_list(value, method, arguments.positional)
        elif isinstance(value, Mapping) and method in members.DICT_CHANGES:
            frame.names[name] = SOMETHING

    def _execute_assign(self, node: ast.Assign, frame: Frame) -> bool:
        value = self.evaluate(node.value, frame)
        for target in node.targets:
            self.assign(target, value, frame, node)
        return True

    def _execute_annotated(self, node: ast.AnnAssign, frame: Frame) -> bool:
        if node.value is not None:
            self.assign(node.target, self.evaluate(node.value, frame), frame, node)
        return True

    def _execute_augmented(self, node: ast.AugAssign, frame: Frame) -> bool:
        target = node.target
        load = _as_load(target)
        value = arithmetic.binary(node.op, self.evaluate(load, frame), self.evaluate(node.value, frame), node)
        self.assign(target, value, frame, node)
        return True

    def _execute_definition(self, node: ast.FunctionDef | ast.AsyncFunctionDef, frame: Frame) -> bool:
        self.bind(node.name, self.define(node, frame), frame)
        return True

    def define(self, node: ast.FunctionDef | ast.AsyncFunctionDef, frame: Frame, owner: Class | None = None) -> Value:
        """The function that a `def` makes, after its decorators."""
        value: Value = Function(node, frame.chunk, frame, owner)
        for decorator in reversed(node.decorator_list):
            plain = value
            value = self.call(self.evaluate(decorator, frame), Arguments((value,)), decorator, frame)
            if isinstance(value, Function) and value != plain:
                self._decorated[value] = plain
        return value

    def decorated(self, function: Function) -> Value | None:
        """What a function was made from by a decorator, None when it is no wrapper."""
        return self._decorated.get(function)

    def _execute_class(self, node: ast.ClassDef, frame: Frame) -> bool:
        bases = tuple(self.evaluate(base, frame) for base in node.bases)
        value: Value = Class(node, frame.chunk, frame, bases)
        if any(isinstance(base, External) and base.name == "typing.NamedTuple" for base in bases):
            fields = tuple(
                item.target.id
                for item in node.body
                if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name)
            )
            value = NamedTupleClass(node.name, fields)
        self.bind(node.name, value, frame)
        return True

    def _execute_import(self, node: ast.Import, frame: Frame) -> bool:
        for alias in node.names:
            whole = self._module_value(frame.module.resolve_module(alias.name, 0))
            if alias.asname:
                self.bind(alias.asname, whole, frame)
            else:
                root = alias.name.partition(".")[0]
                self.bind(root, self._module_value(frame.module.resolve_module(root, 0)), frame)
        return True

    def _execute_import_from(self, node: ast.ImportFrom, frame: Frame) -> bool:
        resolved = frame.module.resolve_module(node.module or "", node.level)
        for alias in node.names:
            if alias.name != "*":
                self.bind(alias.asname or alias.name, self._imported(resolved, node, alias.name, frame), frame)
        return True

    def _imported(self, resolved: str | Module, node: ast.ImportFrom, name: str, frame: Frame) -> Value:
        if isinstance(resolved, Module):
            value = NEVER if resolved is frame.module else self.module_name(resolved, name)
            if not isinstance(value, (Never, Unknown)) or name in resolved.binding_chunks:
                return value
        submodule = f"{node.module}.{name}" if node.module else name
        inner = frame.module.resolve_module(submodule, node.level)
        if isinstance(inner, Module):
            return ProjectModule(inner.path)
        return UNKNOWN if isinstance(resolved, Module) else library.external(f"{resolved}.{name}")

    def _module_value(self, resolved: str | Module) -> Value:
        return ProjectModule(resolved.path) if isinstance(resolved, Module) else library.external(resolved)

    def _execute_scope_declaration(self, node: ast.Global | ast.Nonlocal, frame: Frame) -> bool:
        return True

    def _execute_delete(self, node: ast.Delete, frame: Frame) -> bool:
        for target in node.targets:
            if isinstance(target, ast.Name):
                frame.names.pop(target.id, None)
            else:
                self.assign(target, UNKNOWN, frame, node)
        return True

    # -- expressions ---------------------------------------------------------------------------------------------

    def evaluate(self, node: ast.AST, frame: Frame) -> Value:
        """The value of an expression."""
        handler = _EXPRESSIONS.get(type(node))
        if handler is None or self._depth >= MAX_DEPTH or self._steps >= MAX_STEPS:
            return UNKNOWN
        self._steps += 1
        self._depth += 1
        try:
            return handler(self, node, frame)
        finally:
            self._depth -= 1

    def _evaluate_constant(self, node: ast.Constant, frame: Frame) -> Value:
        return NONE if node.value is None else Constant(node.value)

    def _evaluate_name(self, node: ast.Name, frame: Frame) -> Value:
        value = self.lookup(node.id, frame)
        return UNKNOWN if isinstance(value, Never) else value

    def _evaluate_attribute(self, node: ast.Attribute, frame: Frame) -> Value:
        owner = self.evaluate(node.value, frame)
        return join(self.attribute(one, node.attr) for one in alternatives(owner) if not is_none(one))

    def attribute(self, owner: Value, name: str) -> Value:
        """The value of `owner.name`."""
        match owner:
            case ProjectModule(path=path):
                return self._module_attribute(path, name)
            case Class():
                value = self.class_attribute(owner, name, owner)
                return UNKNOWN if value is None else value
            case Instance():
                return self._instance_attribute(owner, name)
            case Launched() if name == "lower":
                return UNKNOWN
            case _:
                return members.attribute(owner, name)

    def _module_attribute(self, path: str, name: str) -> Value:
        module = self.project.module(path)
        if module is None:
            return UNKNOWN
        value = self.module_name(module, name)
        if path.endswith("__init__.py") and isinstance(value, Unknown):
            inner = module.resolve_module(name, 1)
            return ProjectModule(inner.path) if isinstance(inner, Module) else value
        return UNKNOWN if isinstance(value, Never) else value

    def _instance_attribute(self, owner: Instance, name: str) -> Value:
        field_value = self._field(owner, name)
        if field_value is not None:
            return field_value
        value = self.class_attribute(owner.cls, name, owner)
        return UNKNOWN if value is None else value

    def _field(self, owner: Instance, name: str) -> Value | None:
        """What `self.name = ...` in the class gives an attribute; None when nothing does."""
        assignments = [
            found for cls in self.ancestry(owner.cls) for found in _field_assignments(cls) if found[0] == name
        ]
        if not assignments:
            return self._dataclass_field(owner, name)
        _, expression, method, chunk = assignments[0]
        if len(assignments) > 1 or method.name != "__init__" or method in self._calls:
            return UNKNOWN
        frame = replace(owner.cls.frame, chunk=chunk)
        function = Function(method, chunk, frame, owner.cls)
        constructed = Arguments(owner.arguments or (), owner.keywords, owner.arguments is not None)
        inner = self._function_frame(
            function, Arguments((owner, *constructed.positional), constructed.keywords, constructed.complete)
        )
        self._calls.append(method)
        try:
            return self.evaluate(expression, inner)
        finally:
            self._calls.pop()

    def _dataclass_field(self, owner: Instance, name: str) -> Value | None:
        names = [
            item.target.id
            for item in owner.cls.node.body
            if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name)
        ]
        if name not in names or not owner.cls.node.decorator_list:
            return None
        if owner.arguments is None:
            return UNKNOWN
        given = Arguments(owner.arguments, owner.keywords).get(name, names.index(name))
        return given if given is not None else None

    def ancestry(self, cls: Class) -> list[Class]:
        """A class and those of its bases that are in the project, nearest first."""
        found: list[Class] = []
        stack: list[Value] = [cls]
        while stack and len(found) < MAX_UNROLLED:
            current = stack.pop(0)
            if isinstance(current, Class) and current not in found:
                found.append(current)
                stack.extend(current.bases)
        return found

    def class_attribute(self, cls: Class, name: str, receiver: Value) -> Value | None:
        """What a class gives `receiver.name`, with methods bound to it; None when no class in view has it."""
        for owner in self.ancestry(cls):
            statements = class_members(owner).get(name)
            if statements and name in owner.frame.module.attribute_writes:
                return UNKNOWN
            if statements:
                chunk, statement = statements[-1]
                return self._member(owner, chunk, statement, name, receiver)
        return None

    def _member(self, owner: Class, chunk: Chunk, statement: ast.stmt, name: str, receiver: Value) -> Value:
        frame = Frame(Scope.CLASS, owner.frame.module, chunk, owner.frame)
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            kind = method_kind(statement)
            if kind == "property":
                function = Function(statement, chunk, frame, owner)
                return self.call(Bound(function, receiver), Arguments(), statement, frame)
            value = self.define(statement, frame, owner)
            if kind == "staticmethod":
                return value
            if kind == "classmethod":
                return Bound(value, owner)
            return Bound(value, receiver) if isinstance(receiver, Instance) else value
        for other_chunk, earlier in (pair for pairs in class_members(owner).values() for pair in pairs):
            if earlier is not statement and other_chunk is chunk and earlier.lineno < statement.lineno:
                if isinstance(earlier, (ast.FunctionDef, ast.AsyncFunctionDef)):
                    frame.names[earlier.name] = Function(earlier, chunk, frame, owner)
        self.execute((statement,), frame)
        value = frame.names.get(name, UNKNOWN)
        if isinstance(receiver, Instance):
            match value:
                case Function():
                    return Bound(value, receiver)
                case Decorator(name="functools.partialmethod", arguments=((_, function), *rest)):
                    return Bound(library.partial_of(function, rest), receiver)
        return value

    def _evaluate_subscript(self, node: ast.Subscript, frame: Frame) -> Value:
        owner = self.evaluate(node.value, frame)
        index = self.evaluate(node.slice, frame)
        return join(members.item(one, index, node) for one in alternatives(owner) if not is_none(one))

    def _evaluate_slice(self, node: ast.Slice, frame: Frame) -> Value:
        parts = (node.lower, node.upper, node.step)
        values = [NONE if part is None else self.evaluate(part, frame) for part in parts]
        return members.slice_value(values)

    def _evaluate_binary(self, node: ast.BinOp, frame: Frame) -> Value:
        return arithmetic.binary(node.op, self.evaluate(node.left, frame), self.evaluate(node.right, frame), node)

    def _evaluate_unary(self, node: ast.UnaryOp, frame: Frame) -> Value:
        operand = self.evaluate(node.operand, frame)
        if isinstance(node.op, ast.Not):
            known = truth(operand)
            return Array((), "bool", traced=False) if known is None else Constant(not known)
        return arithmetic.unary(node.op, operand, node)

    def _evaluate_boolean(self, node: ast.BoolOp, frame: Frame) -> Value:
        stops_at = isinstance(node.op, ast.Or)
        results: list[Value] = []
        for position, operand in enumerate(node.values):
            value = self.evaluate(operand, frame)
            if position == len(node.values) - 1:
                results.append(value)
                break
            results += [one for one in alternatives(value) if truth(one) in (stops_at, None)]
            if truth(value) is stops_at:
                break
        return join(results)

    def _evaluate_comparison(self, node: ast.Compare, frame: Frame) -> Value:
        values = [self.evaluate(operand, frame) for operand in (node.left, *node.comparators)]
        results = [
            arithmetic.compare(operation, left, right, node)
            for operation, left, right in zip(node.ops, values, values[1:], strict=False)
        ]
        return results[0] if len(results) == 1 else _conjunction(results)

    def _evaluate_conditional(self, node: ast.IfExp, frame: Frame) -> Value:
        decided = truth(self.evaluate(node.test, frame))
        if decided is not None:
            return self.evaluate(node.body if decided else node.orelse, frame)
        results: list[Value] = []

        def way(expression: ast.expr, outcome: bool) -> bool:
            if self._narrow(node.test, outcome, frame):
                results.append(self.evaluate(expression, frame))
            return True

        self._branch(frame, (lambda: way(node.body, True), lambda: way(node.orelse, False)))
        return join(results)

    def _evaluate_lambda(self, node: ast.Lambda, frame: Frame) -> Value:
        return Function(node, frame.chunk, frame)

    def _evaluate_tuple(self, node: ast.Tuple | ast.List, frame: Frame) -> Value:
        items = self._items(node.elts, frame)
        is_list = isinstance(node, ast.List)
        return SOMETHING if items is None else Sequence(items, is_list)

    def _items(self, nodes: Iterable[ast.expr], frame: Frame) -> tuple[Value, ...] | None:
        """The values of a display with its stars spread; None when a star hides how many there are."""
        found: list[Value] | None = []
        for node in nodes:
            if isinstance(node, ast.Starred):
                spread = members.items_of(self.evaluate(node.value, frame))
                found = None if spread is None or found is None else [*found, *spread]
            else:
                value = self.evaluate(node, frame)
                if found is not None:
                    found.append(value)
        return None if found is None else tuple(found)

    def _evaluate_dict(self, node: ast.Dict, frame: Frame) -> Value:
        pairs: list[tuple[object, Value]] | None = []
        for key_node, value_node in zip(node.keys, node.values, strict=True):
            value = self.evaluate(value_node, frame)
            key = None if key_node is None else self.evaluate(key_node, frame)
            if key_node is None and isinstance(value, Mapping) and pairs is not None:
                pairs.extend(value.items)
            elif isinstance(key, Constant) and pairs is not None:
                pairs = [pair for pair in pairs if pair[0] != key.value] + [(key.value, value)]
            else:
                pairs = None
        return SOMETHING if pairs is None else Mapping(tuple(pairs))

    def _evaluate_set(self, node: ast.Set | ast.SetComp, frame: Frame) -> Value:
        return NotJax("set")

    def _evaluate_text(self, node: ast.JoinedStr, frame: Frame) -> Value:
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                self.evaluate(part.value, frame)
        return NotJax("str")

    def _evaluate_walrus(self, node: ast.NamedExpr, frame: Frame) -> Value:
        value = self.evaluate(node.value, frame)
        self.assign(node.target, value, frame, node)
        return value

    def _evaluate_yield(self, node: ast.Yield | ast.YieldFrom | ast.Await, frame: Frame) -> Value:
        if node.value is not None:
            self.evaluate(node.value, frame)
        return UNKNOWN

    def _evaluate_comprehension(self, node: ast.ListComp | ast.GeneratorExp, frame: Frame) -> Value:
        items = self._comprehension_items([node.elt], node.generators, frame)
        if isinstance(node, ast.GeneratorExp):
            return Iterator(None if items is None else tuple(item[0] for item in items))
        return SOMETHING if items is None else Sequence(tuple(item[0] for item in items), is_list=True)

    def _evaluate_dict_comprehension(self, node: ast.DictComp, frame: Frame) -> Value:
        items = self._comprehension_items([node.key, node.value], node.generators, frame)
        if items is None or not all(isinstance(key, Constant) for key, _ in items):
            return SOMETHING
        return Mapping(tuple((key.value, value) for key, value in items if isinstance(key, Constant)))

    def _comprehension_items(
        self, results: list[ast.expr], generators: list[ast.comprehension], frame: Frame
    ) -> list[list[Value]] | None:
        """The results for each iteration where these are known; they are evaluated once in any case."""
        inner = Frame(
            Scope.FUNCTION,
            frame.module,
            frame.chunk,
            frame,
            local=scope_bindings(generator.target for generator in generators),
            redirected=frame.redirected,
        )
        first = members.items_of(self.evaluate(generators[0].iter, frame))
        simple = len(generators) == 1 and not generators[0].ifs
        if first is not None and simple and len(first) <= MAX_UNROLLED:
            found = []
            for item in first:
                self.assign(generators[0].target, item, inner, generators[0].target)
                found.append([self.evaluate(result, inner) for result in results])
            return found
        for position, generator in enumerate(generators):
            source = None if position == 0 else self.evaluate(generator.iter, inner)
            items = first if source is None else members.items_of(source)
            self.assign(generator.target, UNKNOWN if items is None else join(items), inner, generator.target)
            for condition in generator.ifs:
                self.evaluate(condition, inner)
        for result in results:
            self.evaluate(result, inner)
        return None

    # -- calls ---------------------------------------------------------------------------------------------------

    def arguments(self, node: ast.Call, frame: Frame) -> Arguments:
        """The arguments of a call, stars spread where that is possible."""
        positional: list[Value] = []
        keywords: list[tuple[str, Value]] = []
        complete = True
        for argument in node.args:
            if isinstance(argument, ast.Starred):
                items = members.items_of(self.evaluate(argument.value, frame))
                complete = complete and items is not None
                positional.extend(items or () if complete else ())
            else:
                value = self.evaluate(argument, frame)
                if complete:
                    positional.append(value)
        for keyword in node.keywords:
            value = self.evaluate(keyword.value, frame)
            if keyword.arg is not None:
                keywords.append((keyword.arg, value))
            elif isinstance(value, Mapping) and all(isinstance(key, str) for key, _ in value.items):
                keywords.extend(value.items)
            else:
                complete = False
        return Arguments(tuple(positional), tuple(keywords), complete)

    def _evaluate_call(self, node: ast.Call, frame: Frame) -> Value:
        self._invocations.pop(node, None)
        function = self.evaluate(node.func, frame)
        arguments = self.arguments(node, frame)
        if isinstance(function, _FOLLOWED):
            invocation = self.invoke(function, arguments, node, frame)
            self._invocations[node] = invocation
            return invocation.value
        return self.call(function, arguments, node, frame)

    def call(self, function: Value, arguments: Arguments, node: ast.AST, frame: Frame) -> Value:
        """What a call gives."""
        results = [self._call_one(one, arguments, node, frame) for one in alternatives(function) if not is_none(one)]
        return join(results)

    def _call_one(self, function: Value, arguments: Arguments, node: ast.AST, frame: Frame) -> Value:
        match function:
            case Function() | Partial() | Bound() | Scoped() | Instance():
                return self.invoke(function, arguments, node, frame).value
            case Class():
                return self._construct(function, arguments)
            case NamedTupleClass(fields=fields):
                return _named_tuple(function, fields, arguments)
            case External(name=name):
                return library.call(self, name, arguments, node, frame)
            case Decorator():
                return library.call_decorator(self, function, arguments, node, frame)
            case Launched(index=index):
                return self.launches[index].apply(self, arguments, node)
            case _:
                self.escape(arguments.values(), node)
                return UNKNOWN

    def _construct(self, cls: Class, arguments: Arguments) -> Value:
        return Instance(cls, arguments.positional if arguments.complete else None, arguments.keywords)

    def invoke(self, function: Value, arguments: Arguments, node: ast.AST, frame: Frame | None = None) -> Invocation:
        """Follows a call of something that ends in a function of the project."""
        match function:
            case Function():
                return self._invoke_function(function, arguments, node)
            case Partial(function=inner, arguments=first, keywords=keywords, complete=complete):
                merged = {**dict(keywords), **dict(arguments.keywords)}
                return self.invoke(
                    inner,
                    Arguments((*first, *arguments.positional), tuple(merged.items()), complete and arguments.complete),
                    node,
                    frame,
                )
            case Bound(function=inner, receiver=receiver):
                return self.invoke(inner, replace(arguments, positional=(receiver, *arguments.positional)), node, frame)
            case Scoped(function=inner, arguments=extra, keywords=keywords):
                scoped = Arguments(
                    (*arguments.positional, *extra), (*arguments.keywords, *keywords), arguments.complete
                )
                return self.invoke(inner, scoped, node, frame)
            case Instance(cls=cls):
                method = self.class_attribute(cls, "__call__", function)
                if method is not None:
                    return self.invoke(method, arguments, node, frame)
            case OneOf(alternatives=values):
                results = [self.invoke(value, arguments, node, frame) for value in values]
                return Invocation(None, join(result.value for result in results))
            case External() | Launched() | Decorator() if frame is not None:
                return Invocation(None, self.call(function, arguments, node, frame))
        self.escape(arguments.values(), node)
        return Invocation(None, UNKNOWN)

    def _invoke_function(self, function: Function, arguments: Arguments, node: ast.AST) -> Invocation:
        body = function.node
        if body in self._calls:
            self.escape(arguments.values(), node)
            return Invocation(function, NEVER)
        kind = _special_kind(body)
        if kind:
            self.entered.add(body)
            return Invocation(function, NotJax(kind))
        frame = self._function_frame(function, arguments)
        bound = dict(frame.names)
        self.entered.add(body)
        self._calls.append(body)
        stores = dict(self.stores)
        try:
            if isinstance(body, ast.Lambda):
                value = self.evaluate(body.body, frame)
                frame.returns.append(
                    Returned(body, value, dict(frame.names), dict(self.stores), self._invocations.get(body.body))
                )
                return Invocation(function, value, tuple(frame.returns), bound, False, frame)
            falls_through = self.execute(body.body, frame)
        finally:
            self._calls.pop()
        ends = [returned.stores for returned in frame.returns]
        if falls_through:
            ends.append(self.stores)
        if ends:
            self.stores = ends[0]
            for other in ends[1:]:
                self.stores = _join_stores(self.stores, other)
        else:
            self.stores = stores
        values = [returned.value for returned in frame.returns]
        value = join((*values, NONE) if falls_through else values)
        return Invocation(function, value, tuple(frame.returns), bound, falls_through, frame)

    def _function_frame(self, function: Function, arguments: Arguments) -> Frame:
        node = function.node
        body = [node.body] if isinstance(node, ast.Lambda) else node.body
        names = self._bind_parameters(function, arguments)
        return Frame(
            Scope.FUNCTION,
            function.frame.module,
            function.chunk,
            function.frame,
            names=names,
            local=_local_names(function, body),
            redirected=_redirected_names(function, body),
        )

    def _bind_parameters(self, function: Function, arguments: Arguments) -> Names:
        parameters = function.node.args
        positional = [*parameters.posonlyargs, *parameters.args]
        given = dict(arguments.keywords)
        names: Names = {}
        defaults = dict(
            zip(reversed([parameter.arg for parameter in positional]), reversed(parameters.defaults), strict=False)
        )
        defaults |= {
            parameter.arg: default
            for parameter, default in zip(parameters.kwonlyargs, parameters.kw_defaults, strict=True)
            if default is not None
        }
        for index, parameter in enumerate(positional):
            if index < len(arguments.positional):
                names[parameter.arg] = arguments.positional[index]
        for parameter in (*positional, *parameters.kwonlyargs):
            if parameter.arg in names:
                continue
            if parameter.arg in given:
                names[parameter.arg] = given.pop(parameter.arg)
            elif parameter.arg in defaults and arguments.complete:
                names[parameter.arg] = self.evaluate(defaults[parameter.arg], function.frame)
            else:
                names[parameter.arg] = Unknown(parameter.arg, function.node)
        if parameters.vararg is not None:
            rest = arguments.positional[len(positional) :]
            names[parameters.vararg.arg] = Sequence(rest) if arguments.complete else SOMETHING
        if parameters.kwarg is not None:
            known = {parameter.arg for parameter in (*positional, *parameters.kwonlyargs)}
            extra = tuple((name, value) for name, value in given.items() if name not in known)
            names[parameters.kwarg.arg] = Mapping(extra) if arguments.complete else SOMETHING
        return names


def class_members(cls: Class) -> dict[str, list[tuple[Chunk, ast.stmt]]]:
    """For each name that a class body binds, the statements that do, in order, with their chunks."""
    key = ("members", cls.node)
    known = cls.chunk.memo.get(key)
    if known is None:
        known = {}
        pieces = [(cls.chunk, cls.node.body)] if not cls.chunk.members else _member_pieces(cls.chunk)
        for chunk, statements in pieces:
            for statement in statements:
                for name in scope_bindings((statement,)):
                    known.setdefault(name, []).append((chunk, statement))
        cls.chunk.memo[key] = known
    assert isinstance(known, dict)
    return known


def _member_pieces(chunk: Chunk) -> list[tuple[Chunk, list[ast.stmt]]]:
    return [(member, list(member.statements)) for member in chunk.members]


def _field_assignments(cls: Class) -> list[tuple[str, ast.expr, ast.FunctionDef, Chunk]]:
    """Every `self.name = expression` in the methods of a class; a tuple target gives no expression that fits."""
    key = ("fields", cls.node)
    known = cls.chunk.memo.get(key)
    if known is None:
        known = []
        for pairs in class_members(cls).values():
            for chunk, statement in pairs:
                if isinstance(statement, ast.FunctionDef) and statement.args.args:
                    known += _assigned_fields(statement, chunk)
        cls.chunk.memo[key] = known
    assert isinstance(known, list)
    return known


def _assigned_fields(method: ast.FunctionDef, chunk: Chunk) -> list[tuple[str, ast.expr, ast.FunctionDef, Chunk]]:
    receiver = method.args.args[0].arg
    found: list[tuple[str, ast.expr, ast.FunctionDef, Chunk]] = []
    for node in ast.walk(method):
        if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
            if isinstance(node.value, ast.Name) and node.value.id == receiver:
                found.append((node.attr, _assigned_value(method, node), method, chunk))
    return found


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


def _local_names(function: Function, body: list[ast.stmt] | list[ast.expr]) -> frozenset[str]:
    key = ("local", function.node)
    known = function.chunk.memo.get(key)
    if known is None:
        parameters = function.node.args
        every = [*parameters.posonlyargs, *parameters.args, *parameters.kwonlyargs]
        every += [star for star in (parameters.vararg, parameters.kwarg) if star is not None]
        bound = scope_bindings(body) | {parameter.arg for parameter in every}
        known = function.chunk.memo[key] = bound - _redirected_names(function, body)
    assert isinstance(known, frozenset)
    return known


def _redirected_names(function: Function, body: list[ast.stmt] | list[ast.expr]) -> frozenset[str]:
    key = ("redirected", function.node)
    known = function.chunk.memo.get(key)
    if known is None:
        names: set[str] = set()
        stack: list[ast.AST] = list(body)
        while stack:
            node = stack.pop()
            if isinstance(node, (ast.Global, ast.Nonlocal)):
                names.update(node.names)
            elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
                stack.extend(ast.iter_child_nodes(node))
        known = function.chunk.memo[key] = frozenset(names)
    assert isinstance(known, frozenset)
    return known


def _special_kind(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> str:
    """What a call gives without running the body: a coroutine or a generator; empty for an ordinary function."""
    if isinstance(node, ast.AsyncFunctionDef):
        return "coroutine"
    stack: list[ast.AST] = [node.body] if isinstance(node, ast.Lambda) else list(node.body)
    while stack:
        current = stack.pop()
        if isinstance(current, (ast.Yield, ast.YieldFrom)):
            return "generator"
        if not isinstance(current, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            stack.extend(ast.iter_child_nodes(current))
    return ""


def _unpack(value: Value, targets: list[ast.expr]) -> list[Value]:
    """What each target of an unpacking gets."""
    items = members.items_of(value)
    starred = next((index for index, target in enumerate(targets) if isinstance(target, ast.Starred)), None)
    if items is None:
        item: Value = Array() if isinstance(value, Array) else UNKNOWN
        return [SOMETHING if index == starred else item for index in range(len(targets))]
    if starred is None:
        return list(items) if len(items) == len(targets) else [UNKNOWN] * len(targets)
    tail = len(targets) - starred - 1
    if len(items) < starred + tail:
        return [UNKNOWN] * len(targets)
    middle = items[starred : len(items) - tail]
    return [*items[:starred], Sequence(tuple(middle), is_list=True), *items[len(items) - tail :]]


def _named_tuple(cls: NamedTupleClass, fields: tuple[str, ...], arguments: Arguments) -> Value:
    if not arguments.complete:
        return SOMETHING
    values = [arguments.get(name, position) for position, name in enumerate(fields)]
    known = tuple(value for value in values if value is not None)
    return NamedTuple(cls, known) if len(known) == len(values) else SOMETHING


def _conjunction(results: list[Value]) -> Value:
    answers = [truth(result) for result in results]
    if False in answers:
        return Constant(False)
    return Constant(True) if all(answers) else join(result for result in results if truth(result) is None)


def _join_stores(one: Stores, other: Stores) -> Stores:
    if one == other:
        return one
    joined: Stores = {}
    for ref in one.keys() | other.keys():
        left, right = one.get(ref), other.get(ref)
        if left is not None and right is not None:
            same = left.value == right.value
            value = left.value if same else join((left.value, right.value))
            joined[ref] = Store(left.certain and right.certain, value, left.node)
        else:
            known = left or right
            assert known is not None
            joined[ref] = replace(known, certain=False)
    return joined


def _leaves_early(body: list[ast.stmt]) -> bool:
    """Whether a loop may be left by `break`."""
    return any(isinstance(node, ast.Break) for statement in body for node in ast.walk(statement))


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


_STATEMENTS: dict[type[ast.AST], Callable[[Interpreter, Any, Frame], bool]] = {
    ast.If: Interpreter._execute_if,
    ast.For: Interpreter._execute_for,
    ast.AsyncFor: Interpreter._execute_for,
    ast.While: Interpreter._execute_while,
    ast.Break: Interpreter._execute_break,
    ast.Continue: Interpreter._execute_jump,
    ast.Raise: Interpreter._execute_jump,
    ast.Try: Interpreter._execute_try,
    ast.With: Interpreter._execute_with,
    ast.AsyncWith: Interpreter._execute_with,
    ast.Match: Interpreter._execute_match,
    ast.Assert: Interpreter._execute_assert,
    ast.Return: Interpreter._execute_return,
    ast.Expr: Interpreter._execute_expression,
    ast.Assign: Interpreter._execute_assign,
    ast.AnnAssign: Interpreter._execute_annotated,
    ast.AugAssign: Interpreter._execute_augmented,
    ast.FunctionDef: Interpreter._execute_definition,
    ast.AsyncFunctionDef: Interpreter._execute_definition,
    ast.ClassDef: Interpreter._execute_class,
    ast.Import: Interpreter._execute_import,
    ast.ImportFrom: Interpreter._execute_import_from,
    ast.Delete: Interpreter._execute_delete,
}
if hasattr(ast, "TryStar"):
    _STATEMENTS[ast.TryStar] = Interpreter._execute_try

_EXPRESSIONS: dict[type[ast.AST], Callable[[Interpreter, Any, Frame], Value]] = {
    ast.Constant: Interpreter._evaluate_constant,
    ast.Name: Interpreter._evaluate_name,
    ast.Attribute: Interpreter._evaluate_attribute,
    ast.Subscript: Interpreter._evaluate_subscript,
    ast.Slice: Interpreter._evaluate_slice,
    ast.BinOp: Interpreter._evaluate_binary,
    ast.UnaryOp: Interpreter._evaluate_unary,
    ast.BoolOp: Interpreter._evaluate_boolean,
    ast.Compare: Interpreter._evaluate_comparison,
    ast.IfExp: Interpreter._evaluate_conditional,
    ast.Lambda: Interpreter._evaluate_lambda,
    ast.Tuple: Interpreter._evaluate_tuple,
    ast.List: Interpreter._evaluate_tuple,
    ast.Dict: Interpreter._evaluate_dict,
    ast.Set: Interpreter._evaluate_set,
    ast.SetComp: Interpreter._evaluate_set,
    ast.JoinedStr: Interpreter._evaluate_text,
    ast.NamedExpr: Interpreter._evaluate_walrus,
    ast.Yield: Interpreter._evaluate_yield,
    ast.YieldFrom: Interpreter._evaluate_yield,
    ast.Await: Interpreter._evaluate_yield,
    ast.ListComp: Interpreter._evaluate_comprehension,
    ast.GeneratorExp: Interpreter._evaluate_comprehension,
    ast.DictComp: Interpreter._evaluate_dict_comprehension,
    ast.Call: Interpreter._evaluate_call,
}

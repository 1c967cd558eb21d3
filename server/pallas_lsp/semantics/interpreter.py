"""Follows code without running it: every expression gets a `Value`, every call of a project function is followed.

The interpreter is sound where it matters: what it cannot follow is `Unknown`. It keeps the paths of a function apart
only until they meet, looks into loops once with everything unknown that they change, and stops at fixed depths.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from pallas_lsp.semantics import classes, library, members, observing
from pallas_lsp.semantics.arguments import Arguments
from pallas_lsp.semantics.events import Event, What, is_proved
from pallas_lsp.semantics.expressions import EXPRESSIONS
from pallas_lsp.semantics.facts import facts_of
from pallas_lsp.semantics.frames import Frame, Invocation, Returned, Scope, Store
from pallas_lsp.semantics.functions import local_names, redirected_names, special_kind
from pallas_lsp.semantics.launches import Launch
from pallas_lsp.semantics.pieces import Piece, Uses
from pallas_lsp.semantics.project import Module, Project, submodule
from pallas_lsp.semantics.statements import STATEMENTS
from pallas_lsp.semantics.values import (
    NEVER,
    NONE,
    SOMETHING,
    UNKNOWN,
    Array,
    Batched,
    Bound,
    Class,
    Constant,
    Constructed,
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
    Nothing,
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
    is_bounded,
    is_none,
    join,
    unshaped,
)
from pallas_lsp.syntax import Chunk

MAX_DEPTH = 110
"""Nested expressions, statements and calls that are followed; a level costs at most four Python frames."""

MAX_STEPS = 50_000
"""Expressions that are evaluated for one piece of code before the rest is Unknown."""

NO_CYCLE = 1_000_000
"""A position that no running piece or function has."""

NOWHERE = -1
"""A position before all that runs: the place at which it is cut off depends on everything around it."""

Names = dict[str, Value]
Stores = dict[Value, Store]


@dataclass(frozen=True, slots=True)
class _Result:
    """A call that has left nothing behind, and what it depended on besides its arguments.

    Args:
      captured: the names in the calls of the functions around the function, innermost first.
      stores: what the Refs had been given.
      invocation: the call.
    """

    captured: tuple[Names, ...]
    stores: Stores
    invocation: Invocation


@dataclass(eq=False)
class Interpreter:
    """Follows one piece of code: what was found so far, and where it stands.

    Args:
      project: the modules that imports lead to.
      launches: every launch that was met, in order; the same call met twice with other values is there twice.
      events: what happened to Refs and traced values, in order.
      entered: the functions that were followed.
      uses: the names of modules and members of classes that were looked up.
      stores: what the Refs of the running kernel have been given on the path so far.
      calls: the functions that are being followed, outermost first.
      frames: where they run, and the piece of a module that calls them.
      invocations: the last call of each call expression, where it was one of a project function.
      effects: counts what calls leave behind besides stores; a call that leaves nothing is not followed twice.
      running: the launches whose kernels and bodies are being followed, outermost first.
      doubts: what decided, unknown to us, that the running kernel comes to this point.
    """

    project: Project
    launches: list[Launch] = field(default_factory=list)
    entered: set[ast.AST] = field(default_factory=set)
    uses: Uses = field(default_factory=Uses)
    stores: Stores = field(default_factory=dict)
    calls: list[ast.AST] = field(default_factory=list)
    frames: list[Frame] = field(default_factory=list)
    invocations: dict[ast.AST, Invocation] = field(default_factory=dict)
    effects: int = 0
    _results: dict[tuple[ast.AST, Frame, Arguments, bool], _Result] = field(default_factory=dict)
    _cut: int = NO_CYCLE
    events: list[Event] = field(default_factory=list)
    running: tuple[Launch, ...] = ()
    doubts: tuple[ast.AST, ...] = ()
    _kernel_calls: int = 0
    _depth: int = 0
    _steps: int = 0
    _running: list[Chunk] = field(default_factory=list)
    _unfinished: int = NO_CYCLE
    _modules: dict[str, Module] = field(default_factory=dict)

    # -- modules -------------------------------------------------------------------------------------------------

    def module(self, path: str) -> Module:
        """The module in a file, in the version that this analysis is about."""
        found = self._modules.get(path)
        if found is None:
            found = self._modules[path] = self.project.module(path) or self.project.update(path, "")
        return found

    def piece(self, module: Module, index: int) -> Piece | None:
        """What running a chunk of a module gave, kept with the chunk; None while it is running."""
        chunk = module.parsed.chunks[index]
        if chunk in self._running:
            # Whatever asks is inside a cycle, and what it finds holds only from here.
            self._unfinished = min(self._unfinished, self._running.index(chunk))
            return None
        known = chunk.memo.get(Piece)
        if known is None or not self.project.still_holds(known):
            known = self._run_piece(module, chunk)
        assert isinstance(known, Piece)
        self.uses.add(known.uses)
        return known

    def _run_piece(self, module: Module, chunk: Chunk) -> Piece:
        frame = Frame(Scope.MODULE, module.path, chunk)
        outer = {name: getattr(self, name) for name in _OF_A_PIECE}
        for name, empty in _OF_A_PIECE.items():
            setattr(self, name, empty())
        position = len(self._running)
        self._running.append(chunk)
        self.frames.append(frame)
        self.execute(chunk.statements, frame)
        self.finish()
        self._running.pop()
        piece = self.as_piece(frame)
        for name, value in outer.items():
            setattr(self, name, value)
        if self._unfinished >= position:
            self._unfinished = NO_CYCLE
            chunk.memo[Piece] = piece
        return piece

    def as_piece(self, frame: Frame) -> Piece:
        """What was found so far, to be kept."""
        return Piece(
            frame,
            tuple(self.launches),
            tuple(self.events),
            frozenset(self.entered),
            self.uses,
            self.project.revision,
        )

    def finish(self) -> None:
        """Follows the kernels of launches whose application is not in view."""
        for launch in self.launches:
            if not launch.runs and not launch.never_runs:
                launch.run(self, None)

    def follow_kernel(self, launch: Launch, kernel: Value, arguments: Arguments) -> Invocation:
        """Follows a function as the kernel of a launch, or as its body."""
        outer = self.running, self.doubts, self._kernel_calls
        if not self.running:
            self.doubts, self._kernel_calls = (), len(self.calls)
        self.running = (*self.running, launch)
        invocation = self.invoke(kernel, arguments, launch.node)
        self.running, self.doubts, self._kernel_calls = outer
        return invocation

    def follow_index_map(
        self, launch: Launch, index_map: Value, arguments: Arguments
    ) -> tuple[Invocation, tuple[Event, ...]]:
        """Follows an index map as a launch calls it; gives how it went, and what happened in it."""
        outer = self.running, self.doubts, self._kernel_calls, self.events, self.stores
        self.running, self.doubts, self._kernel_calls, self.events, self.stores = (launch,), (), len(self.calls), [], {}
        invocation = self.invoke(index_map, arguments, launch.node)
        events = tuple(self.events)
        self.running, self.doubts, self._kernel_calls, self.events, self.stores = outer
        return invocation, events

    def calls_of_kernel(self) -> list[ast.AST]:
        """The functions that are running since the kernel was entered, outermost first."""
        return self.calls[self._kernel_calls :]

    def record(self, what: What, node: ast.AST, frame: Frame) -> None:
        """Adds an event at a node of the code that runs in `frame`, if it is proved."""
        self.effects += 1
        functions = tuple(self.calls_of_kernel())
        event = Event(what, node, frame.chunk, frame.path, self.running, functions, self.doubts)
        if is_proved(event):
            self.events.append(event)

    def own(self, launch: Launch) -> Launch:
        """A launch that another piece of code has made, as one of this piece, to which applications may be added."""
        self.effects += 1
        if launch in self.launches:
            return launch
        copy = replace(launch, runs=[], applied=0)
        self.launches.append(copy)
        return copy

    def module_name(self, module: Module, name: str, before: int | None = None) -> Value:
        """What `name` is in a module once its chunks up to `before` (all of them by default) have run."""
        value = self.own_module_name(module, name, before)
        if isinstance(value, Never):
            value = self._star_imported_name(module, name)
        if isinstance(value, Never):
            value = library.builtin(name)
        return join((value, UNKNOWN)) if name in module.global_writes else value

    def own_module_name(self, module: Module, name: str, before: int | None) -> Value:
        """What the chunks of a module bind a name to, stars and builtins left out; Never when they do not."""
        self.uses.names.add((module.path, name))
        for index in reversed(module.binding_chunks.get(name, ())):
            if before is not None and index >= before:
                continue
            piece = self.piece(module, index)
            if piece is None:
                return UNKNOWN
            value = piece.frame.names.get(name, NEVER)
            if not isinstance(value, Never):
                return _after_changes(value) if name in module.changed_in_place else value
        return NEVER

    def _star_imported_name(self, module: Module, name: str) -> Value:
        for target, level in module.star_imports:
            resolved = module.resolve_module(target, level)
            if isinstance(resolved, Module):
                value = self.own_module_name(resolved, name, None)
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
                    module = self.module(frame.path)
                    return self.module_name(module, name, module.index_of(frame.chunk))
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
        return self.module_name(self.module(frame.path), name)

    def bind(self, name: str, value: Value, frame: Frame) -> None:
        """Gives a name a value where the code of `frame` would bind it."""
        if name in frame.redirected:
            owner = frame.parent
            while owner is not None:
                if owner.scope is Scope.FUNCTION and name in owner.local:
                    owner.names[name] = UNKNOWN
                    self.effects += 1
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
                observing.unpacked(self, node, value, frame)
                for inner, item in zip(targets, _unpack(value, targets), strict=True):
                    self.assign(inner, item, frame, node)
            case ast.Subscript(value=owner, slice=index):
                into, place = self.evaluate(owner, frame), self.evaluate(index, frame)
                observing.item_assigned(self, target, node, (into, place, value), frame)
                self.store_item(into, place, value, node)
                self._set_item(owner, into, place, value, frame)
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

    def _set_item(self, owner: ast.expr, into: Value, place: Value, value: Value, frame: Frame) -> None:
        """Follows `owner[place] = value` for a list or a dict; of a dict with a name its content stays known."""
        own = isinstance(owner, ast.Name) and frame.names.get(owner.id) is into
        for one in alternatives(into):
            if members.is_changeable(one):
                self.forget(one, frame)
        if own and isinstance(owner, ast.Name) and isinstance(into, Mapping) and isinstance(place, Constant):
            rest = tuple(pair for pair in into.items if pair[0] != place.value)
            frame.names[owner.id] = Mapping((*rest, (place.value, value)))

    def forget(self, value: Value, frame: Frame) -> None:
        """An object is changed in place: whatever holds it does not know its content any more."""
        frames = [frame, *self.frames]
        seen: set[int] = set()
        while frames:
            current = frames.pop()
            if id(current) in seen:
                continue
            seen.add(id(current))
            if current.parent is not None:
                frames.append(current.parent)
            for name, held in tuple(current.names.items()):
                if members.holds(held, value):
                    current.names[name] = Iterator(None) if isinstance(held, Iterator) else SOMETHING
                    self.effects += current is not frame

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
                case Batched(function=function):
                    stack.append(function)
                case Function():
                    self._follow_escaped(value, node)

    def _follow_escaped(self, function: Function, node: ast.AST) -> None:
        """A function given to unknown code may be called: what it stores to is stored perhaps."""
        if not self.is_running(function.node):
            outer = self.doubts
            self.doubts = (*outer, function.node)
            self.perhaps(lambda: self.invoke(function, Arguments(complete=False), node))
            self.doubts = outer

    # -- statements ----------------------------------------------------------------------------------------------

    def execute(self, statements: Iterable[ast.stmt], frame: Frame) -> bool:
        """Follows statements; says whether what stands after them is reached."""
        for statement in statements:
            handler = STATEMENTS.get(type(statement))
            if handler is not None and not self._guarded(handler, statement, frame):
                return False
        return True

    def _guarded(self, handler: Callable[[Interpreter, Any, Frame], bool], statement: ast.stmt, frame: Frame) -> bool:
        if self._depth >= MAX_DEPTH:
            self._cut = NOWHERE
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

    def branch(self, frame: Frame, ways: Iterable[Callable[[], bool]], doubt: ast.AST | None = None) -> bool:
        """Follows alternatives from the same state; their states meet behind those that are not left.

        Args:
          frame: whose code it is.
          ways: each says whether what stands behind the alternatives is reached.
          doubt: what decides between them; None where every way may be followed at once, as the body of a loop.
        """
        names, stores, doubts = frame.names, self.stores, self.doubts
        doubtful = doubts if doubt is None else (*doubts, doubt)
        ends: list[tuple[Names, Stores]] = []
        left: tuple[ast.AST, ...] = ()
        all_end = True
        for way in ways:
            frame.names, self.stores, self.doubts = dict(names), dict(stores), doubtful
            if way():
                ends.append((frame.names, self.stores))
                left += self.doubts[len(doubtful) :]
            else:
                all_end = False
        # What stands behind is reached only where no way was left before its end.
        self.doubts = (*(doubts if all_end else doubtful), *left)
        if not ends:
            return False
        frame.names, self.stores = ends[0]
        for other_names, other_stores in ends[1:]:
            frame.names = self.join_names(frame, frame.names, other_names)
            self.stores = _join_stores(self.stores, other_stores)
        return True

    def join_names(self, frame: Frame, one: Names, other: Names) -> Names:
        """The names after two paths have met."""
        if one == other:
            return one
        joined: Names = {}
        for name in one.keys() | other.keys():
            left, right = one.get(name), other.get(name)
            if left is right and left is not None:
                joined[name] = left
            else:
                missing = self.value_before(frame, name) if left is None or right is None else NEVER
                joined[name] = join((left or missing, right or missing))
        return joined

    def value_before(self, frame: Frame, name: str) -> Value:
        """What a name is on a path of a module that does not bind it; a function leaves it unbound."""
        if frame.scope is not Scope.MODULE:
            return NEVER
        module = self.module(frame.path)
        return self.own_module_name(module, name, module.index_of(frame.chunk))

    def define(self, node: ast.FunctionDef | ast.AsyncFunctionDef, frame: Frame, owner: Class | None = None) -> Value:
        """The function that a `def` makes, after its decorators."""
        value: Value = Function(node, frame.chunk, frame, owner)
        for decorator in reversed(node.decorator_list):
            plain, wrapper = value, self.evaluate(decorator, frame)
            observing.decorated(self, decorator, wrapper, value, frame)
            value = self.call(wrapper, Arguments((value,)), decorator, frame)
            if isinstance(value, Function) and value != plain:
                value = replace(value, wraps=plain)
        return value

    # -- expressions ---------------------------------------------------------------------------------------------

    def evaluate(self, node: ast.AST, frame: Frame) -> Value:
        """The value of an expression."""
        handler = EXPRESSIONS.get(type(node))
        if handler is None:
            return UNKNOWN
        if self._depth >= MAX_DEPTH or self._steps >= MAX_STEPS:
            self._cut = NOWHERE
            return UNKNOWN
        self._steps += 1
        self._depth += 1
        try:
            value = handler(self, node, frame)
            # What a name stands for was looked at when it was made.
            return value if isinstance(node, ast.Name) or is_bounded(value) else UNKNOWN
        finally:
            self._depth -= 1

    def attribute(self, owner: Value, name: str) -> Value:
        """The value of `owner.name`."""
        match owner:
            case ProjectModule(path=path):
                return self._module_attribute(path, name)
            case Class():
                value = classes.class_attribute(self, owner, name, owner)
                return UNKNOWN if value is None else value
            case Instance():
                return classes.instance_attribute(self, owner, name)
            case Constructed(name="builtins.super"):
                return classes.inherited_attribute(self, owner, name)
            case Launched() if name == "lower":
                return UNKNOWN
            case _:
                return members.attribute(owner, name)

    def _module_attribute(self, path: str, name: str) -> Value:
        module = self.project.module(path)
        value = UNKNOWN if module is None else self.module_name(self.module(path), name)
        if isinstance(value, (Unknown, Never)):
            inner = submodule(path, name)
            return UNKNOWN if inner is None else ProjectModule(inner)
        return value

    # -- calls ---------------------------------------------------------------------------------------------------

    def call(self, function: Value, arguments: Arguments, node: ast.AST, frame: Frame) -> Value:
        """What a call gives."""
        if not isinstance(function, (OneOf, Nothing)):
            return self._call_one(function, arguments, node, frame)
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
            case Launched(launch=launch):
                return self.own(launch).apply(self, arguments, node)
            case Batched(function=inner):
                positional = tuple(map(unshaped, arguments.positional))
                keywords = tuple((name, unshaped(value)) for name, value in arguments.keywords)
                return unshaped(self.call(inner, Arguments(positional, keywords, arguments.complete), node, frame))
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
                method = classes.class_attribute(self, cls, "__call__", function)
                if method is not None:
                    return self.invoke(method, arguments, node, frame)
            case OneOf(alternatives=values):
                results = [self.invoke(value, arguments, node, frame) for value in values]
                return Invocation(None, join(result.value for result in results))
            case External() | Launched() | Batched() | Decorator() if frame is not None:
                return Invocation(None, self.call(function, arguments, node, frame))
        self.escape(arguments.values(), node)
        return Invocation(None, UNKNOWN)

    def is_running(self, function: ast.AST) -> bool:
        """Whether a function is being followed, so that it is not followed once more; what asks depends on that."""
        if function not in self.calls:
            return False
        self._cut = min(self._cut, self.calls.index(function))
        return True

    def _invoke_function(self, function: Function, arguments: Arguments, node: ast.AST) -> Invocation:
        body = function.node
        if self.is_running(body):
            self.escape(arguments.values(), node)
            return Invocation(function, NEVER)
        kind = special_kind(function)
        if kind:
            self.entered.add(body)
            return Invocation(function, NotJax(kind))
        if _hold_state(arguments.values()):
            return self._follow(function, arguments)
        key = (body, function.frame, arguments, bool(self.running))
        enclosing = _enclosing(function)
        known = self._results.get(key)
        if known is not None and known.stores == self.stores and known.captured == tuple(f.names for f in enclosing):
            return known.invocation
        position, effects, cut = len(self.calls), self.effects, self._cut
        captured, stores = tuple(dict(frame.names) for frame in enclosing), dict(self.stores)
        self._cut = NO_CYCLE
        invocation = self._follow(function, arguments)
        if self._cut >= position and self.effects == effects and self.stores == stores:
            self._results[key] = _Result(captured, stores, invocation)
        self._cut = min(cut, self._cut) if self._cut < position else cut
        return invocation

    def _follow(self, function: Function, arguments: Arguments) -> Invocation:
        """Follows the body of a function."""
        body = function.node
        frame = self.function_frame(function, arguments)
        bound = dict(frame.names)
        self.entered.add(body)
        self.calls.append(body)
        self.frames.append(frame)
        before, doubts = self.stores, self.doubts
        self.stores = dict(before)
        try:
            if isinstance(body, ast.Lambda):
                value = self.evaluate(body.body, frame)
                frame.returns.append(
                    Returned(body, value, dict(frame.names), dict(self.stores), self.invocations.get(body.body))
                )
                return Invocation(function, value, tuple(frame.returns), bound, False, frame)
            falls_through = self.execute(body.body, frame)
        finally:
            self.calls.pop()
            self.frames.pop()
            self.doubts = doubts
        ends = [returned.stores for returned in frame.returns]
        if falls_through:
            ends.append(self.stores)
        if ends:
            self.stores = ends[0]
            for other in ends[1:]:
                self.stores = _join_stores(self.stores, other)
        else:
            self.stores = before
        values = [returned.value for returned in frame.returns]
        value = join((*values, NONE) if falls_through else values)
        return Invocation(function, value, tuple(frame.returns), bound, falls_through, frame)

    def function_frame(self, function: Function, arguments: Arguments) -> Frame:
        """The frame of a call before its body runs."""
        node = function.node
        body = [node.body] if isinstance(node, ast.Lambda) else node.body
        names = self._bind_parameters(function, arguments)
        if function.owner is not None and facts_of(function.chunk).mentions_any(_SUPER):
            names["__class__"] = function.owner  # the cell that `super()` reads
        return Frame(
            Scope.FUNCTION,
            function.frame.path,
            function.chunk,
            function.frame,
            names=names,
            local=local_names(function, body),
            redirected=redirected_names(function, body),
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


_SUPER = frozenset({"super"})

_OF_A_PIECE: dict[str, Callable[[], Any]] = {
    "launches": list,
    "events": list,
    "entered": set,
    "uses": Uses,
    "stores": dict,
    "calls": list,
    "frames": list,
    "running": tuple,
    "doubts": tuple,
    "_kernel_calls": int,
    "_results": dict,
    "_cut": lambda: NO_CYCLE,
    "_steps": int,
}
"""The state that each piece of code has of its own, with how it starts."""


def _after_changes(value: Value) -> Value:
    """A value of a module of which a list or dict may have been changed since."""
    changeable = [
        one for one in alternatives(value) if isinstance(one, Mapping) or (isinstance(one, Sequence) and one.is_list)
    ]
    return SOMETHING if changeable else value


def _enclosing(function: Function) -> list[Frame]:
    """The calls of the functions around a function, innermost first."""
    frame: Frame | None = function.frame
    found: list[Frame] = []
    while frame is not None and frame.scope is not Scope.MODULE:
        found.append(frame)
        frame = frame.parent
    return found


def _hold_state(values: Iterable[Value]) -> bool:
    """Whether a call with these arguments may give another result later: they see names of functions that still run."""
    stack = list(values)
    while stack:
        value = stack.pop()
        match value:
            case Function(frame=frame) | Class(frame=frame):
                if frame.scope is Scope.FUNCTION:
                    return True
            case Launched():
                return True
            case Batched(function=inner):
                stack.append(inner)
            case Sequence(items=items) | NamedTuple(items=items):
                stack += items
            case Iterator(items=items):
                stack += items or ()
            case Mapping(items=pairs) | Constructed(arguments=pairs) | Decorator(arguments=pairs):
                stack += [item for _, item in pairs]
            case OneOf(alternatives=items):
                stack += items
            case Partial(function=inner, arguments=items, keywords=pairs) | Scoped(inner, items, pairs):
                stack += [inner, *items, *(item for _, item in pairs)]
            case Bound(function=inner, receiver=receiver):
                stack += [inner, receiver]
            case Instance(cls=cls, arguments=items, keywords=pairs):
                stack += [cls, *(items or ()), *(item for _, item in pairs)]
    return False


def _unpack(value: Value, targets: list[ast.expr]) -> list[Value]:
    """What each target of an unpacking gets."""
    if isinstance(value, OneOf) and all(members.items_of(one) is not None for one in value.alternatives):
        columns = zip(*(_unpack(one, targets) for one in value.alternatives), strict=True)
        return [join(column) for column in columns]
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
    defaults = dict(cls.defaults)
    values = [arguments.get(name, position) or defaults.get(name) for position, name in enumerate(fields)]
    known = tuple(value for value in values if value is not None)
    return NamedTuple(cls, known) if len(known) == len(values) else SOMETHING


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

"""From a module to its launches: which pieces are worth following, and in what order."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain
from typing import NamedTuple, TypeVar

from pallas_lsp.semantics.arguments import Arguments
from pallas_lsp.semantics.classes import class_members, method_kind
from pallas_lsp.semantics.facts import ChunkFacts, ImportedName, dotted_name, facts_of
from pallas_lsp.semantics.frames import Frame, Invocation, Scope
from pallas_lsp.semantics.interpreter import Interpreter
from pallas_lsp.semantics.jax_api import ENTRY_NAMES, ENTRY_POINTS, NEWEST, Signature, Version, canonical
from pallas_lsp.semantics.launches import Launch
from pallas_lsp.semantics.pieces import Piece, Uses
from pallas_lsp.semantics.project import MAX_FORWARDS, Module, Project, class_header
from pallas_lsp.semantics.values import (
    Bound,
    Class,
    External,
    Function,
    Instance,
    Launched,
    Partial,
    Scoped,
    Unknown,
    Value,
    alternatives,
)
from pallas_lsp.syntax import Chunk, walk

T = TypeVar("T")

MAX_ROUNDS = 4
"""How often the search goes on with the callers of helpers that take a kernel."""

_LAUNCH_NAMES = frozenset(
    row.short_name
    for row in ENTRY_POINTS.values()
    if row.signature in (Signature.PALLAS_CALL, Signature.MESH_KERNEL, Signature.SCRATCH_ONLY)
)


@dataclass(frozen=True, slots=True)
class Analysis:
    """What is known of one module.

    Args:
      module: the module, in the version that was analysed.
      launches: every launch that was met while following it, those of other modules included.
      pieces: what was followed, in this module and others; it has the launches, and what happened on the way.
      interpreter: answers further questions about names and values, and knows the versions of other modules.
      target: the JAX release that the module is written for.
      asked: those of the pieces that questions are put to; `questioned` leaves others out.
    """

    module: Module
    launches: tuple[Launch, ...]
    pieces: tuple[Piece, ...]
    interpreter: Interpreter
    target: Version
    asked: tuple[Piece, ...]

    def each(self, question: object, look: Callable[[Piece], Iterable[T]]) -> Iterator[T]:
        """What a question finds in the pieces, in their order.

        Args:
          question: names it.
          look: answers it for one piece, and looks at nothing else: each piece is asked once, not at every edit.
        """
        for piece in self.asked:
            found = piece.answers.get(question)
            if found is None:
                found = piece.answers[question] = tuple(look(piece))
            yield from found

    def questioned(self, questions: object) -> Analysis:
        """The same without the pieces in which these questions have found nothing, as `settle` was told."""
        return replace(self, asked=tuple([piece for piece in self.pieces if piece.silent is not questions]))

    def settle(self, questions: object) -> None:
        """Takes note of the pieces in which none of these questions, all asked by now, has found anything."""
        for piece in self.asked:
            if not any(piece.answers.values()):
                piece.silent = questions


def analyse(module: Module, project: Project, target: Version = NEWEST) -> Analysis:
    """Follows the parts of a module that launch kernels, or hand kernels to helpers that do.

    The launches of its functions in other modules are followed as well, as far as `project.index` has found them.
    What was learned of earlier versions is used again where it still holds.
    """
    interpreter = Interpreter(project)
    takers = _Takers()
    search = _Search(module, project, takers)
    search.run()
    pieces, entered = search.pieces, search.entered
    importers, through = project.importers(module.path)
    for importer in importers:
        further = _Search(importer, project, takers, frozenset(_names_from(importer, through)), entered)
        further.run()
        pieces += further.pieces
        entered = further.entered
    launches = tuple([launch for piece in pieces for launch in piece.launches])
    return Analysis(module, launches, tuple(pieces), interpreter, target, tuple(pieces))


def _names_from(importer: Module, through: frozenset[str]) -> Iterator[str]:
    """The names by which a module calls what it imports from some files: only pieces that mention one are followed."""
    for imported in importer.imports:
        if through & set(_files_of(importer, imported)):
            yield imported.alias or imported.module.partition(".")[0]
    for target, level in importer.star_imports:
        path = importer.project.locate(importer.path, target, level)
        module = importer.project.module(path) if path in through else None
        if module is not None:
            yield from module.binding_chunks


def _files_of(module: Module, imported: ImportedName) -> Iterator[str]:
    """The files that an import may bring in: the module, and what may be a module in it."""
    inner = f"{imported.module}.{imported.name}".lstrip(".") if imported.name else imported.module
    for name in dict.fromkeys((imported.module, inner)):
        path = module.project.locate(module.path, name, imported.level)
        if path is not None:
            yield path


class _Found(NamedTuple):
    """A function that nobody need call to be followed.

    Args:
      node: the function.
      chunk: where it stands.
      frame: where it is defined: the module, or for a method that of its class.
      owner: the class that it is a method of.
      name: the name of a module that holds it, where that is not its own `def`.
      receiver: the class whose objects inherit the method, if it is not that of the class itself.
    """

    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
    chunk: Chunk
    frame: Frame
    owner: Class | None
    name: str = ""
    receiver: Class | None = None

    def function(self) -> tuple[Function, Arguments]:
        """The function with what is known of its arguments: the receiver of a method."""
        if self.owner is None or isinstance(self.node, ast.Lambda):
            return Function(self.node, self.chunk, self.frame), Arguments(complete=False)
        kind = method_kind(self.node)
        cls = self.receiver or self.owner
        receiver = () if kind == "staticmethod" else (cls if kind == "classmethod" else Instance(cls),)
        frame = Frame(Scope.CLASS, self.frame.path, self.chunk, self.frame)
        return Function(self.node, self.chunk, frame, self.owner), Arguments(receiver, complete=False)


class _Candidate(NamedTuple):
    """A function to follow with unknown arguments.

    Args:
      found: the function.
      uses: what the top-level chunk that it stands in relies on.
      place: what tells it from the same function under another name, or of another class.
      keeper: the chunk that keeps what following it gives.
      key: under which it is kept there.
      launches: whether its chunk has the name of what launches kernels.
    """

    found: _Found
    uses: Uses
    place: tuple[ast.AST, Chunk | Class | None]
    keeper: Chunk
    key: tuple[object, ...]
    launches: bool


class _Search:
    """The search of one module.

    Args:
      module: the module.
      project: the modules around it.
      takers: which functions of other modules launch what they are given.
      only: names of which a piece must mention one to be followed; None for every piece.
      entered: functions that were followed already.
    """

    def __init__(
        self,
        module: Module,
        project: Project,
        takers: _Takers,
        only: frozenset[str] | None = None,
        entered: Iterable[ast.AST] = (),
    ) -> None:
        self.module = module
        self.project = project
        self.takers = takers
        self.only = only
        self.pieces: list[Piece] = []
        self.entered = set(entered)
        self.wanted = frozenset(_entry_aliases(module))
        self.followed: set[Chunk] = set()
        self.seen: set[tuple[ast.AST, Chunk | Class | None]] = set()

    def run(self) -> None:
        takers = self.takers.imported(self.module)
        if self.only is not None:
            takers |= _own_takers(self.module, takers)  # pieces that only launch what they are given are not followed
        for _ in range(MAX_ROUNDS):
            hot = [
                (chunk, self._piece(index))
                for index, (chunk, facts) in enumerate(zip(self.module.parsed.chunks, self.module.facts, strict=True))
                if self._is_hot(facts, takers)
            ]
            candidates = [one for chunk, piece in hot for one in self._candidates(chunk, piece, takers)]
            # Launches first: a kernel that is followed as a kernel need not be followed with unknown arguments.
            for launches in (True, False):
                for candidate in candidates:
                    if candidate.launches is launches:
                        self._follow(candidate)
            # Names that a kernel or its arguments are given to: entry points and what launches its arguments, as in
            # `launch = functools.partial(pl.pallas_call, interpret=True)`; and launches of kernels of which the
            # parameters are known only where they are applied.
            entries = (_entry_names(piece, takers) for _, piece in hot)
            found = _kernel_takers(self.pieces, self.module).union(*entries)
            if found <= takers:
                break
            takers |= found

    def _is_hot(self, facts: ChunkFacts, takers: frozenset[str]) -> bool:
        if self.only is not None and not facts.mentions_any(self.only):
            return False
        return bool(facts.entries) or facts.mentions_any(self.wanted) or facts.mentions_any(takers)

    def _launches(self, facts: ChunkFacts) -> bool:
        return not facts.entries.isdisjoint(_LAUNCH_NAMES) or facts.mentions_any(self.wanted)

    def _piece(self, index: int) -> Piece:
        known = self.module.parsed.chunks[index].memo.get(Piece)
        if known is None or not self.project.still_holds(known):
            known = Interpreter(self.project).piece(self.module, index)
        assert isinstance(known, Piece)  # nothing is running
        return known

    def _candidates(self, chunk: Chunk, piece: Piece, takers: frozenset[str]) -> Iterator[_Candidate]:
        if chunk not in self.followed:
            self.followed.add(chunk)
            self.pieces.append(piece)
            self.entered |= piece.entered
        asked = (takers, self.wanted, self.only)
        known = piece.memo.get(_Candidate)
        if known is None or known[0] != asked:
            every = chain(_functions(chunk, chunk.statements, piece.frame), _held_functions(piece.frame))
            hot = [self._candidate(one, chunk, piece) for one in every if self._is_hot(facts_of(one.chunk), takers)]
            known = piece.memo[_Candidate] = (asked, hot)
        for candidate in known[1]:
            if candidate.place not in self.seen:
                self.seen.add(candidate.place)
                yield candidate

    def _candidate(self, found: _Found, chunk: Chunk, piece: Piece) -> _Candidate:
        receiver = "" if found.receiver is None else found.receiver.node.name
        return _Candidate(
            found,
            piece.uses,
            (found.node, chunk if found.name else found.receiver),
            chunk if found.name or found.receiver is not None else found.chunk,
            ("followed", found.node, class_header(chunk) if chunk.members else "", receiver),
            self._launches(facts_of(found.chunk)),
        )

    def _follow(self, candidate: _Candidate) -> None:
        found = candidate.found
        if found.node in self.entered and not found.name and found.receiver is None:
            return
        memo = candidate.keeper.memo
        known = memo.get(candidate.key)
        if known is None or not self.project.still_holds(known):
            known = memo[candidate.key] = self._followed(candidate)
        assert isinstance(known, Piece)
        self.pieces.append(known)
        self.entered |= known.entered

    def _followed(self, candidate: _Candidate) -> Piece:
        interpreter = Interpreter(self.project)
        interpreter.uses.add(candidate.uses)
        function, arguments = candidate.found.function()
        _follow_function(interpreter, function, arguments)
        return interpreter.as_piece(function.frame)


def _follow_function(interpreter: Interpreter, function: Function, arguments: Arguments) -> None:
    """Follows a function, the kernels that it launches, and the functions in it that nobody has called."""
    invocation = interpreter.invoke(function, arguments, function.node)
    interpreter.finish()
    for inner in _inner_functions(invocation):
        if inner.node not in interpreter.entered:
            _follow_function(interpreter, inner, Arguments(complete=False))


def _inner_functions(invocation: Invocation) -> Iterator[Function]:
    """The functions that a function has defined, as far as names hold them at its ends."""
    names = [returned.names for returned in invocation.returns]
    if invocation.frame is not None:
        names.append(invocation.frame.names)
    for mapping in names:
        for value in tuple(mapping.values()):
            for one in alternatives(value):
                if isinstance(one, Function) and one.frame is invocation.frame:
                    yield one


def _functions(chunk: Chunk, statements: Iterable[ast.stmt], frame: Frame) -> Iterator[_Found]:
    """The functions of a module that nobody need call to be followed: its own and those of its classes."""
    for statement in statements:
        match statement:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield _Found(statement, chunk, frame, None)
            case ast.ClassDef():
                yield from _methods(statement, chunk, frame)
            case ast.If(body=body, orelse=orelse):
                yield from _functions(chunk, body + orelse, frame)
            case ast.Try(body=body, orelse=orelse, finalbody=final, handlers=handlers):
                inner = body + [line for handler in handlers for line in handler.body] + orelse + final
                yield from _functions(chunk, inner, frame)
            case ast.With(body=body) | ast.For(body=body) | ast.While(body=body):
                yield from _functions(chunk, body, frame)


def _held_functions(frame: Frame) -> Iterator[_Found]:
    """The functions that module-level names hold without a `def` of their own: what a decorator made, and lambdas."""
    for name, value in frame.names.items():
        for one in alternatives(value):
            if isinstance(one, Function) and (isinstance(one.node, ast.Lambda) or one.frame.scope is Scope.FUNCTION):
                yield _Found(one.node, one.chunk, one.frame, one.owner, name)


def _inherited(cls: Class, own: Iterable[str]) -> Iterator[_Found]:
    """The methods that a class inherits, and that use one which it has itself."""
    names = frozenset(own)
    stack = list(cls.bases)
    while stack:
        base = stack.pop(0)
        if not isinstance(base, Class) or base.frame.path != cls.frame.path:
            continue
        stack += base.bases
        for name, pairs in class_members(base).items():
            chunk, statement = pairs[-1]
            uses_own = name not in names and facts_of(chunk).mentions_any(names)
            if uses_own and isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
                yield _Found(statement, chunk, base.frame, base, receiver=cls)


def _methods(node: ast.ClassDef, chunk: Chunk, frame: Frame) -> Iterator[_Found]:
    named = (one for value in frame.names.values() for one in alternatives(value))
    owner = next((one for one in named if isinstance(one, Class) and one.node is node), Class(node, chunk, frame))
    for pairs in class_members(owner).values():
        for member_chunk, statement in pairs:
            if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
                yield _Found(statement, member_chunk, frame, owner)
            elif isinstance(statement, ast.ClassDef):
                yield from _methods(statement, member_chunk, Frame(Scope.CLASS, frame.path, member_chunk, frame))
    if owner.bases:
        yield from _inherited(owner, class_members(owner))


class _Takers:
    """The functions of the project that launch what they are given, as far as one analysis has asked for them."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, int], frozenset[str]] = {}

    def imported(self, module: Module, depth: int = MAX_FORWARDS) -> frozenset[str]:
        """The names by which a module calls such functions of other files, at most `depth` of them in a row."""
        found: set[str] = set()
        for imported in module.imports:
            for path in _files_of(module, imported):
                takers = self._in_file(path, module.project, depth)
                if not imported.name or imported.name not in takers:
                    found |= takers if _brings_module(module, imported, path) else set()
                else:
                    found.add(imported.alias)
        for target, level in module.star_imports:
            star = module.project.locate(module.path, target, level)
            found |= self._in_file(star, module.project, depth) if star is not None else set()
        return frozenset(found)

    def _in_file(self, path: str, project: Project, depth: int) -> frozenset[str]:
        key = (path, depth)
        if key not in self._known:
            self._known[key] = frozenset()  # an import cycle ends here
            module = project.module(path) if project.leads_to_pallas(path, depth) else None
            if module is not None:
                further = self.imported(module, depth - 1) if depth else frozenset[str]()
                self._known[key] = _own_takers(module, further)
        return self._known[key]


def _brings_module(module: Module, imported: ImportedName, path: str) -> bool:
    """Whether an import binds the module in that file, rather than something in it."""
    return not imported.name or path != module.project.locate(module.path, imported.module, imported.level)


def _own_takers(module: Module, imported: frozenset[str]) -> frozenset[str]:
    """The functions of a module that launch one of their parameters, or hand it to one of the imported functions."""
    if imported not in module.takers:
        names = imported | frozenset(_entry_aliases(module)) | ENTRY_NAMES
        module.takers[imported] = frozenset(
            name
            for chunk, facts in zip(module.parsed.chunks, module.facts, strict=True)
            if facts.mentions_any(names)
            for name in facts.bindings
            if name in names or any(_launches_parameter(statement, names) for statement in chunk.statements)
        )
    return module.takers[imported]


def _launches_parameter(statement: ast.stmt, names: frozenset[str]) -> bool:
    if not isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return False
    arguments = statement.args
    parameters = {parameter.arg for parameter in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
    parameters |= {star.arg for star in (arguments.vararg, arguments.kwarg) if star is not None}
    return any(
        isinstance(inner, ast.Name) and inner.id in parameters
        for node in walk(statement)
        if isinstance(node, ast.Call) and dotted_name(node.func).rpartition(".")[2] in names
        for given in (*node.args, *(keyword.value for keyword in node.keywords))
        for inner in walk(given)
    )


def _entry_aliases(module: Module) -> Iterator[str]:
    """The names under which a module imports entry points."""
    for imported in module.imports:
        if imported.name and _is_entry_point(imported.module, imported.name):
            yield imported.alias
    for target, _ in module.star_imports:
        yield from (name for name in ENTRY_NAMES if _is_entry_point(target, name))


@lru_cache(maxsize=4096)
def _is_entry_point(module: str, name: str) -> bool:
    return canonical(f"{module}.{name}") in ENTRY_POINTS


def _kernel_takers(pieces: list[Piece], module: Module) -> frozenset[str]:
    """The names of the functions and classes that launch a kernel which they are given."""
    taking = [taken for piece in pieces if (taken := _taken_in(piece)) is not _NOTHING_TAKEN]
    makers = (_classes_with(owner, module) for taken in taking for owner in taken.constructors)
    return frozenset().union(*(taken.names for taken in taking), *makers)


class _Taken(NamedTuple):
    """What in a piece launches kernels that it is given: names of functions and classes, and `__init__` methods."""

    names: frozenset[str]
    constructors: tuple[ast.AST, ...]


_NOTHING_TAKEN = _Taken(frozenset(), ())


def _taken_in(piece: Piece) -> _Taken:
    known = piece.memo.get(_Taken)
    if known is None:
        names: set[str] = set()
        constructors = []
        for chunk, owner in _kernel_owners(piece):
            names.add(owner.name)
            # A function in a function is in reach only through the outer one: a decorator with arguments.
            names |= {one.name for one in chunk.statements if isinstance(one, ast.FunctionDef)}
            if owner.name == "__init__":
                constructors.append(owner)
        for launch in piece.launches:
            # A class that launches a method of its own may launch that of a class which is made from it.
            names |= {name for kernel in launch.kernels if (name := _receiver_name(kernel))}
        known = _Taken(frozenset(names), tuple(constructors)) if names else _NOTHING_TAKEN
        piece.memo[_Taken] = known
    assert isinstance(known, _Taken)
    return known


def _receiver_name(kernel: Value) -> str:
    """The name of the class of the object that a method is bound to; empty for other kernels."""
    match kernel:
        case Bound(receiver=Instance(cls=cls)):
            return cls.node.name
        case Partial(function=inner):
            return _receiver_name(inner)
        case _:
            return ""


def _kernel_owners(piece: Piece) -> Iterator[tuple[Chunk, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """The functions that launch one of their parameters, with the chunks of the launches."""
    for launch in piece.launches:
        for kernel in launch.kernels:
            for owner in _parameter_owners(kernel):
                if isinstance(owner, (ast.FunctionDef, ast.AsyncFunctionDef)):
                    yield launch.chunk, owner


def _classes_with(method: ast.AST, module: Module) -> set[str]:
    return {
        statement.name
        for chunk in module.parsed.chunks
        for statement in chunk.statements
        if isinstance(statement, ast.ClassDef)
        and any(
            method in pair for pairs in class_members(_bare_class(statement, chunk, module)).values() for pair in pairs
        )
    }


def _bare_class(node: ast.ClassDef, chunk: Chunk, module: Module) -> Class:
    return Class(node, chunk, Frame(Scope.MODULE, module.path, chunk))


def _entry_names(piece: Piece, takers: frozenset[str]) -> frozenset[str]:
    known = piece.memo.get(_entry_names)
    if known is None or known[0] != takers:
        names = piece.frame.names.items()
        found = (name for name, value in names if any(_is_entry_value(one, takers) for one in alternatives(value)))
        known = piece.memo[_entry_names] = (takers, frozenset(found))
    result = known[1]
    assert isinstance(result, frozenset)
    return result


def _is_entry_value(value: Value, takers: frozenset[str]) -> bool:
    match value:
        case External(name=name):
            return name in ENTRY_POINTS
        case Partial(function=Function(name=name)) if name in takers:
            return True
        case Partial(function=inner):
            return _is_entry_value(inner, takers)
        case Launched(launch=launch):
            return any(run.slots is None and run.given is None for run in launch.runs)
        case _:
            return False


def _parameter_owners(kernel: Value) -> Iterator[ast.AST]:
    """The functions of which a kernel is a parameter, or calls one."""
    match kernel:
        case Unknown(owner=owner) if owner is not None:
            yield owner
        case Partial(function=inner) | Bound(function=inner) | Scoped(function=inner):
            yield from _parameter_owners(inner)
        case Function(node=node, frame=frame) if frame.scope is Scope.FUNCTION:
            for call in walk(node):
                if isinstance(call, ast.Call) and isinstance(call.func, ast.Name):
                    outer = frame.names.get(call.func.id)
                    if isinstance(outer, (Unknown, Partial)):
                        yield from _parameter_owners(outer)

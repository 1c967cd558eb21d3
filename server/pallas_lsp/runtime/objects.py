"""What the checker knows of an object of the running program: the program itself says what its names hold."""

from __future__ import annotations

import ast
import functools
import sys
import types
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any

from pallas_lsp.runtime.sources import Located, Sources, code_objects
from pallas_lsp.semantics import library
from pallas_lsp.semantics.frames import Frame, Scope
from pallas_lsp.semantics.interpreter import Interpreter
from pallas_lsp.semantics.values import (
    NONE,
    SOMETHING,
    UNKNOWN,
    Bound,
    Class,
    Constant,
    External,
    Function,
    Instance,
    NamedTupleClass,
    Nothing,
    Partial,
    Sequence,
    Something,
    Unknown,
    Value,
)
from pallas_lsp.syntax import walk

MAX_FUNCTIONS = 100
"""Functions of the program that are looked up for one question; more are not followed."""

_CONSTANTS = (bool, int, float, complex, str, bytes, type(...))

_LIBRARIES = frozenset({"jax", "jaxlib", "numpy", "builtins", *sys.stdlib_module_names}) - {"__main__"}
"""The packages whose functions the checker knows by name, and never looks into."""

_PUBLIC = ("jax.experimental.pallas", "jax.experimental.pallas.tpu", "jax.numpy", "jax.lax", "jax")
"""Modules that have functions of JAX under the names which the checker knows them by, wherever they are written."""

_TRANSPARENT = {
    ("traceback_util.py", "reraise_with_filtered_traceback"): "fun",
    ("ad_checkpoint.py", "fun_remat"): "fun",
    ("source_info_util.py", "wrapper"): "func",
    ("contextlib.py", "inner"): "func",
}
"""Wrappers, by file and name, that give back what another function gives, and what they call that one."""


@dataclass(slots=True)
class Objects:
    """Describes objects of the running program, for one question.

    Args:
      sources: where functions are found.
      interpreter: follows the functions.
    """

    sources: Sources = field(default_factory=Sources)
    interpreter: Interpreter = field(init=False)
    located: dict[types.CodeType, Located | None] = field(default_factory=dict)
    _known: dict[int, Value] = field(default_factory=dict)
    _kept: list[object] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.interpreter = Interpreter(self.sources.project)

    def value_of(self, thing: Any) -> Value:
        """What an object is, as far as the checker can describe it. A claim holds as long as the object is not changed.

        Args:
          thing: any object.
        """
        if thing is None:
            return NONE
        if type(thing) in _CONSTANTS:
            return Constant(thing)
        known = self._known.get(id(thing))
        if known is None:
            self._kept.append(thing)  # while it lives no other object has its id
            self._known[id(thing)] = SOMETHING
            known = self._known[id(thing)] = self._described(thing)
        return known

    def _described(self, thing: Any) -> Value:
        if isinstance(thing, types.ModuleType):
            return library.external(thing.__name__) if _is_library(thing.__name__) else UNKNOWN
        name = _library_name(thing)
        if name:
            return library.external(name)
        if type(thing) is tuple:
            return Sequence(tuple(map(self.value_of, thing)))
        if isinstance(thing, functools.partial):
            keywords = tuple((name, self.value_of(value)) for name, value in thing.keywords.items())
            return Partial(self.value_of(thing.func), tuple(map(self.value_of, thing.args)), keywords)
        if isinstance(thing, types.MethodType):
            return Bound(self.value_of(thing.__func__), self._receiver(thing.__self__))
        if isinstance(thing, types.FunctionType):
            return self._function(thing)
        if isinstance(thing, type):
            return self._class(thing)
        if type(thing).__name__ == "PjitFunction" and hasattr(thing, "__wrapped__"):
            return self.value_of(thing.__wrapped__)
        return self._receiver(thing)

    def _function(self, function: types.FunctionType) -> Value:
        code = function.__code__
        inner = _TRANSPARENT.get((PurePath(code.co_filename).name, code.co_name), "")
        if inner in code.co_freevars:
            return self.value_of(dict(_names_held(function)).get(inner))
        if code not in self.located:
            if len(self.located) >= MAX_FUNCTIONS or _is_library(function.__globals__.get("__name__", "")):
                return SOMETHING
            self.located[code] = self.sources.locate(code, function.__globals__)
        found = self.located[code]
        if found is None or not _has_written_defaults(function, found.node):
            return SOMETHING
        path = found.module.path
        names: dict[str, Value] = {}
        around = Frame(Scope.FUNCTION, path, found.chunk, Frame(Scope.MODULE, path, found.chunk), names=names)
        value = self._known[id(function)] = Function(found.node, found.chunk, around)
        held = dict(_names_held(function))
        names |= {name: self.value_of(thing) for name, thing in held.items()}
        # A default was computed where the function was made: what its names were then is not known.
        names |= {name: UNKNOWN for name in _names_of_defaults(found.node) if name not in held}
        names |= {name: UNKNOWN for name in code.co_freevars if name not in names}
        around.local = frozenset(names)
        return value

    def _class(self, cls: type) -> Value:
        if issubclass(cls, tuple) and hasattr(cls, "_fields"):
            defaults = tuple(
                (name, self.value_of(value)) for name, value in getattr(cls, "_field_defaults", {}).items()
            )
            return NamedTupleClass(cls.__name__, tuple(cls._fields), defaults)
        members = [getattr(member, "__func__", member) for member in vars(cls).values()]
        methods = [member for member in members if isinstance(member, types.FunctionType)]
        # What `dataclass` has made has no file.
        written = [method for method in methods if method.__code__.co_filename != "<string>"]
        if "." in cls.__qualname__ or not written or _is_library(cls.__module__):
            return SOMETHING
        filename = written[0].__code__.co_filename
        module = self.sources.module(filename, written[0].__globals__)
        value = SOMETHING if module is None else self.interpreter.module_name(module, cls.__name__)
        if module is None or not isinstance(value, Class) or value.node.name != cls.__name__:
            return SOMETHING
        place = module.parsed.range_of(value.chunk, value.node)
        rows = range(place.start.line + 1, place.end.line + 2 + sum(part.line_count for part in value.chunk.members))
        moved = any(method.__code__.co_firstlineno not in rows for method in written)
        seen: set[types.CodeType] = set()
        self._known[id(cls)] = value
        return (
            value if not moved and all(self._is_as_written(method, filename, seen) for method in written) else SOMETHING
        )

    def _is_as_written(self, function: types.FunctionType, filename: str, seen: set[types.CodeType]) -> bool:
        """Whether the global names of a function of a file hold what its text says, and those of what they hold."""
        code = function.__code__
        module = self.sources.module(code.co_filename, function.__globals__)
        if module is None or (filename and code.co_filename != filename) or len(seen) > MAX_FUNCTIONS:
            return False
        if code in seen:
            return True
        seen.add(code)
        for name, held in _names_held(function):
            if name in code.co_freevars:
                continue
            if not self._agrees(self.interpreter.module_name(module, name), held):
                return False
            if isinstance(held, types.FunctionType) and not _is_library(held.__module__ or ""):
                written = self._is_as_written(held, "", seen)
                if not written:
                    return False
        return True

    def _receiver(self, thing: object) -> Value:
        """An object, as one of its class; only if the class says the truth of all that it holds."""
        if isinstance(thing, type):
            return self.value_of(thing)
        cls = self.value_of(type(thing))
        if not isinstance(cls, Class):
            return SOMETHING
        instance = Instance(cls)
        for name, held in getattr(thing, "__dict__", {}).items():
            if not self._agrees(self.interpreter.attribute(instance, name), held):
                return SOMETHING
        return instance

    def _agrees(self, value: Value, held: object) -> bool:
        """Whether what the text says of a name is true of what it holds."""
        match value:
            case Unknown():
                return True
            case Something():
                return held is not None
            case Nothing() | Constant() | External() | Class():
                return value == self.value_of(held)
            case Function(node=node):
                other = self.value_of(held)
                return isinstance(other, Function) and other.node is node
            case _:
                return False


def _is_library(name: str) -> bool:
    return name.partition(".")[0] in _LIBRARIES


def _library_name(thing: object) -> str:
    """The import path of an object of a library; empty for others, and for what is not found where it says it is."""
    module, name = getattr(thing, "__module__", None), getattr(thing, "__qualname__", None)
    if not isinstance(module, str) or not isinstance(name, str) or not _is_library(module):
        return ""
    for place in (*_PUBLIC, module):
        try:
            found = functools.reduce(getattr, name.split("."), sys.modules[place])
        except (AttributeError, KeyError):
            continue
        if found is thing:
            return f"{place}.{name}"
    return ""


def _names_held(function: types.FunctionType) -> Iterator[tuple[str, object]]:
    """The free names of a function with what they hold now: those of the functions around it, and the global ones."""
    code = function.__code__
    for one in code_objects(code):
        for name in one.co_names:
            if name in function.__globals__:
                yield name, function.__globals__[name]
    for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
        try:
            yield name, cell.cell_contents
        except ValueError:
            continue


def _defaults(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> list[ast.expr]:
    return [*node.args.defaults, *(default for default in node.args.kw_defaults if default is not None)]


def _names_of_defaults(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> set[str]:
    return {one.id for default in _defaults(node) for one in walk(default) if isinstance(one, ast.Name)}


def _has_written_defaults(
    function: types.FunctionType, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
) -> bool:
    """Whether the defaults of a function are those of its source, as far as that writes them out."""
    positional, keywords = function.__defaults__ or (), function.__kwdefaults__ or {}
    optional = [name.arg for name, default in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True) if default]
    if len(positional) != len(node.args.defaults) or set(keywords) != set(optional):
        return False
    held = [*positional, *(keywords[name] for name in optional)]
    return all(
        not isinstance(written, ast.Constant) or (type(one) is type(written.value) and one == written.value)
        for written, one in zip(_defaults(node), held, strict=True)
    )

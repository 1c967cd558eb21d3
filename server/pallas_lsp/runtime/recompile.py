"""A function object with another body: the edited text compiled, at the places of the original one."""

from __future__ import annotations

import ast
import sys
import types
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from pallas_lsp.findings import Edit
from pallas_lsp.runtime.sources import FUTURE_FLAGS, FunctionNode, Located, first_line
from pallas_lsp.text import SourceText

_HOLDER = "_pallas_lsp_holder"


class NotRecompiled(Exception):
    """The edited function cannot take the place of the original one; the message says why."""


def with_edits(function: types.FunctionType, found: Located, edits: Sequence[Edit]) -> types.FunctionType:
    """A new function with an edited body; all else is that of the given one, and so are the places in tracebacks.

    Args:
      function: the original.
      found: where it stands.
      edits: of the text of its module, sorted and disjoint; inside the function.

    Raises:
      NotRecompiled: the edited text needs names that the original function does not see, or private ones of a class.
    """
    source = found.module.parsed.source
    edited = SourceText(source.replaced(edits))
    places = _Places(source, edited, _pieces(source, edits))
    node = _moved(found, edited, places)
    old = function.__code__
    compiled = _renamed(_compiled(node, old, _owner(function.__qualname__)), function)
    new = set(compiled.co_names) - set(old.co_names)
    unseen = set(compiled.co_freevars) - set(old.co_freevars) | {
        name for name in new if _is_unseen(name, function, node)
    }
    for name in sorted(unseen):
        raise NotRecompiled(f"The stores need `{name}`, which the function does not see")
    for name in sorted(filter(_is_private, new)):
        raise NotRecompiled(f"It stands in a method and uses the private name `{name}`, which depends on the class")
    cells = dict(zip(old.co_freevars, function.__closure__ or (), strict=True))
    made = types.FunctionType(
        compiled,
        function.__globals__,
        function.__name__,
        function.__defaults__,
        tuple(cells[name] for name in compiled.co_freevars),
    )
    made.__kwdefaults__ = dict(function.__kwdefaults__) if function.__kwdefaults__ is not None else None
    made.__qualname__, made.__module__, made.__doc__ = function.__qualname__, function.__module__, function.__doc__
    made.__dict__.update(function.__dict__)
    for name in ("__type_params__", "__annotate__" if hasattr(function, "__annotate__") else "__annotations__"):
        if hasattr(function, name):
            setattr(made, name, getattr(function, name))
    return made


@dataclass(frozen=True, slots=True)
class _Places:
    """Where the characters of the edited text stood before.

    Args:
      before: the original text.
      after: the edited text.
      pieces: offsets in the edited text at which a piece starts, with its place in the original, and whether it is
        text that was kept; of new text every character stands where the edit is.
    """

    before: SourceText
    after: SourceText
    pieces: tuple[tuple[int, int, bool], ...]

    def original(self, line: int, column: int) -> tuple[int, int]:
        """The 1-based line and the column in UTF-8 of a place that `ast` gives in the edited text."""
        offset = self.after.line_start(line - 1) + self.after.character(line - 1, column)
        start, place, kept = self.pieces[bisect_right(self.pieces, (offset, len(self.before.text), True)) - 1]
        position = self.before.position(place + (offset - start if kept else 0))
        text = self.before.line(position.line)[: position.character]
        return position.line + 1, len(text.encode("utf-8", "surrogatepass"))


def _pieces(source: SourceText, edits: Sequence[Edit]) -> tuple[tuple[int, int, bool], ...]:
    spans = [(source.offset(edit.range.start), source.offset(edit.range.end), len(edit.new_text)) for edit in edits]
    shifts = list(accumulate((size - (end - start) for start, end, size in spans), initial=0))
    pieces = [(0, 0, True)]
    for (start, end, size), shift in zip(spans, shifts, strict=False):
        pieces += [(start + shift, start, False), (start + shift + size, end, True)]
    return tuple(
        piece for piece, after in zip(pieces, [*pieces[1:], (-1, 0, True)], strict=True) if piece[0] != after[0]
    )


def _moved(found: Located, edited: SourceText, places: _Places) -> ast.FunctionDef:
    """The edited function as a `def`, at its original places."""
    kind = type(found.node)
    wanted = (found.line, found.node.col_offset)
    tree = ast.parse(edited.text)
    node = next(
        one for one in ast.walk(tree) if type(one) is kind and places.original(one.lineno, one.col_offset) == wanted
    )
    assert isinstance(node, FunctionNode)
    first = first_line(node)
    for one in ast.walk(node):
        if "lineno" in one._attributes:
            _move(one, places)
    if isinstance(node, ast.Lambda):
        result = ast.copy_location(ast.Return(node.body), node.body)
        made = _definition("_pallas_lsp_lambda", node.args, [result], node)
    else:
        made = _definition(node.name, node.args, node.body, node)
        # `co_firstlineno` of a decorated function is the line of the first decorator.
        made.lineno, made.col_offset = places.original(first, 0)[0], 0
    return made


def _move(node: Any, places: _Places) -> None:
    node.lineno, node.col_offset = places.original(node.lineno, node.col_offset)
    node.end_lineno, node.end_col_offset = places.original(node.end_lineno, node.end_col_offset)


def _definition(name: str, arguments: ast.arguments, body: list[ast.stmt], place: ast.AST) -> ast.FunctionDef:
    """A `def` without all that is evaluated where a function is defined: the function object has it already."""
    star = [one for one in (arguments.vararg, arguments.kwarg) if one is not None]
    for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *star):
        one.annotation = None
    arguments.defaults, arguments.kw_defaults = [], [None] * len(arguments.kwonlyargs)
    made = ast.FunctionDef(name=name, args=arguments, body=body, decorator_list=[])
    if "type_params" in made._fields:
        made.type_params = []  # type: ignore[attr-defined]
    return ast.copy_location(made, place)


def _compiled(node: ast.FunctionDef, old: types.CodeType, owner: str) -> types.CodeType:
    """The code of a function whose free names are those of the original."""
    inner: ast.stmt = node
    if owner:
        # Inside of a class the compiler changes names such as `__private`.
        inner = ast.ClassDef(name=owner, bases=[], keywords=[], body=[node], decorator_list=[])
        if "type_params" in inner._fields:
            inner.type_params = []  # type: ignore[attr-defined]
        ast.copy_location(inner, node)
    bound: list[ast.stmt] = [
        ast.Assign([ast.Name(name, ast.Store())], ast.Constant(None)) for name in old.co_freevars if name != "__class__"
    ]
    nothing = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
    module = ast.Module([_definition(_HOLDER, nothing, [*bound, inner], node)], type_ignores=[])
    for statement in bound:
        ast.copy_location(statement, node)
    ast.fix_missing_locations(module)
    code: types.CodeType = compile(
        module, old.co_filename, "exec", flags=old.co_flags & FUTURE_FLAGS, dont_inherit=True
    )
    while code.co_name != node.name:
        code = next(one for one in code.co_consts if isinstance(one, types.CodeType))
    return code


def _renamed(code: types.CodeType, function: types.FunctionType) -> types.CodeType:
    """The code under the names of the original, that of the functions inside it included."""
    prefix = f"{_HOLDER}.<locals>."
    owner = _owner(function.__qualname__)
    prefix += f"{owner}.{code.co_name}" if owner else code.co_name
    return _requalified(code, prefix, function.__qualname__).replace(co_name=function.__code__.co_name)


def _requalified(code: Any, prefix: str, qualified: str) -> types.CodeType:
    """The code with another beginning of the qualified names in it."""

    def changed(constant: object) -> object:
        if isinstance(constant, types.CodeType):
            return _requalified(constant, prefix, qualified)
        # Before Python 3.11 a function gets its qualified name from a constant of the code around it.
        is_name = isinstance(constant, str) and sys.version_info < (3, 11) and constant.startswith(f"{prefix}.")
        return qualified + str(constant).removeprefix(prefix) if is_name else constant

    more: dict[str, Any] = {}
    if sys.version_info >= (3, 11):
        more["co_qualname"] = qualified + code.co_qualname.removeprefix(prefix)
    made: types.CodeType = code.replace(co_consts=tuple(map(changed, code.co_consts)), **more)
    return made


def _owner(qualname: str) -> str:
    """The class that a function is a member of, as its name says; empty for others."""
    owner = qualname.rpartition(".")[0].rpartition(".")[2]
    return owner if owner.isidentifier() else ""


def _is_unseen(name: str, function: types.FunctionType, node: ast.AST) -> bool:
    """Whether a name that only the edited function uses is a variable, and means nothing where the function runs."""
    used = any(isinstance(one, ast.Name) and one.id == name for one in ast.walk(node))
    builtins = function.__globals__.get("__builtins__", {})
    known = vars(builtins) if isinstance(builtins, types.ModuleType) else builtins
    return used and name not in function.__globals__ and name not in known


def _is_private(name: str) -> bool:
    """Whether a class would change a name: in a function inside of a method, the class is not known."""
    return name.startswith("__") and not name.endswith("__")

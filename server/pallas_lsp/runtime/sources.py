"""From a code object back to the text and the syntax that it was compiled from."""

from __future__ import annotations
import __future__

import ast
import dis
import functools
import linecache
import types
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from pallas_lsp.semantics.project import Module, Project
from pallas_lsp.syntax import Chunk, walk

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda

FUTURE_FLAGS = functools.reduce(
    int.__or__, (getattr(__future__, feature).compiler_flag for feature in __future__.all_feature_names)
)
"""The bits of `co_flags` that say which future statements a module has."""

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)

# No line of a real file; what is compiled for a comparison has it as its first line.
_MARK = 10_000_000


class Located(NamedTuple):
    """A function in its source.

    Args:
      module: the module of the text that it was compiled from.
      chunk: where it stands there.
      node: the function, with the positions of the chunk.
      line: the 1-based line on which its node starts.
    """

    module: Module
    chunk: Chunk
    node: FunctionNode
    line: int


@dataclass(slots=True)
class Sources:
    """The sources of the functions that one question is about.

    Args:
      project: the modules that were read.
    """

    project: Project = field(default_factory=Project)
    _trees: dict[str, ast.Module | None] = field(default_factory=dict)

    def module(self, filename: str, names: Mapping[str, Any] | None = None) -> Module | None:
        """The module that a file name of a code object stands for: a file, a cell of a notebook, what a loader gives.

        Args:
          filename: `co_filename`.
          names: the global names of the code, with the module's loader among them.

        Returns:
          The module; None when its text is not to be had, or is not Python.
        """
        if filename not in self._trees:
            linecache.checkcache(filename)
            text = "".join(linecache.getlines(filename, dict(names) if names is not None else None))
            try:
                self._trees[filename] = ast.parse(text) if text else None
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                self._trees[filename] = None
            if self._trees[filename] is not None:
                self.project.update(path_of(filename), text)
        return self.project.module(path_of(filename)) if self._trees[filename] is not None else None

    def locate(self, code: types.CodeType, names: Mapping[str, Any] | None = None) -> Located | None:
        """The function that a code object is compiled from.

        The text is compiled again and must give the same code: a file that was changed after it was imported, or code
        that was changed while it was imported, has no source.

        Args:
          code: of a function or lambda.
          names: its global names.
        """
        module = self.module(code.co_filename, names)
        tree = self._trees[code.co_filename]
        if module is None or tree is None:
            return None
        found = [node for top in tree.body for node in _compiled_to(code, top, tree)]
        if not found:
            return None
        node = found[0] if len(found) == 1 else max(found, key=lambda one: _spanned(code, one))
        return _in_module(module, node)


def path_of(filename: str) -> str:
    """The path under which the project keeps the text of a `co_filename`."""
    return str(Path(filename).absolute()) if Path(filename).is_file() else filename


def _compiled_to(code: types.CodeType, top: ast.stmt, tree: ast.Module) -> Iterator[FunctionNode]:
    """The functions in a top-level statement that compile to a code object, its place aside."""
    first = min([top.lineno, *(node.lineno for node in getattr(top, "decorator_list", ()))])
    if not first <= code.co_firstlineno <= (top.end_lineno or first):
        return
    for node in ast.walk(top):
        if isinstance(node, FunctionNode) and _name(node) == code.co_name and first_line(node) == code.co_firstlineno:
            compiled = _compiled_alone(
                node, [one for one in tree.body if one is top or not isinstance(one, _DEFINITIONS)], code
            )
            if compiled is not None and same_code(code, compiled):
                yield node


def _name(node: FunctionNode) -> str:
    return "<lambda>" if isinstance(node, ast.Lambda) else node.name


def first_line(node: FunctionNode) -> int:
    """`co_firstlineno`: the line of the first decorator, or of the function."""
    decorators = () if isinstance(node, ast.Lambda) else node.decorator_list
    return decorators[0].lineno if decorators else node.lineno


def _compiled_alone(node: FunctionNode, body: list[ast.stmt], code: types.CodeType) -> types.CodeType | None:
    """The code object of one function, found by a first line that no other has.

    Args:
      node: the function.
      body: the module as far as it matters: calls of what a module imports are compiled in another way than others.
      code: what it is expected to be.
    """
    decorators = [] if isinstance(node, ast.Lambda) else node.decorator_list
    place: ast.expr | ast.stmt = decorators[0] if decorators else node
    line, last = place.lineno, place.end_lineno
    place.lineno, place.end_lineno = _MARK, _MARK + 1
    try:
        flags = code.co_flags & FUTURE_FLAGS | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
        whole = ast.Module(body, type_ignores=[])
        compiled = compile(whole, code.co_filename, "exec", flags=flags, dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    finally:
        place.lineno, place.end_lineno = line, last
    return next((one for one in code_objects(compiled) if one.co_firstlineno == _MARK), None)


def code_objects(code: types.CodeType) -> Iterator[types.CodeType]:
    """A code object and all those inside it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from code_objects(constant)


def same_code(one: types.CodeType, other: types.CodeType) -> bool:
    """Whether two code objects do the same with the same names, wherever they stand."""
    return (
        _essence(one) == _essence(other)
        and len(one.co_consts) == len(other.co_consts)
        and all(
            same_code(left, right)
            if isinstance(left, types.CodeType) and isinstance(right, types.CodeType)
            else type(left) is type(right) and (repr(left) == repr(right) or left == right)
            for left, right in zip(one.co_consts, other.co_consts, strict=True)
        )
    )


def _essence(code: types.CodeType) -> tuple[object, ...]:
    counts = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags)
    # The compiler leaves a NOP where a line would have no instruction, also for a line that is only marked.
    words = [code.co_code[index : index + 2] for index in range(0, len(code.co_code), 2)]
    steps = [word for word in words if word[0] != dis.opmap["NOP"]]
    return (steps, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars, code.co_name, counts)


def _spanned(code: types.CodeType, node: FunctionNode) -> tuple[int, int]:
    """How much of a code object's instructions stand in a function's body; of two with all of them the inner one."""
    if not hasattr(code, "co_positions") or not isinstance(node, ast.Lambda):
        return 0, 0
    body = node.body
    start, end = (body.lineno, body.col_offset), (body.end_lineno or 0, body.end_col_offset or 0)
    places = ((line, column) for line, _, column, _ in code.co_positions() if line is not None and column is not None)
    width = (end[0] - start[0]) * 10_000 + end[1] - start[1]
    return sum(start <= place <= end for place in places), -width


def _in_module(module: Module, node: FunctionNode) -> Located | None:
    """The same function in the chunks of the module."""
    stack = list(module.parsed.chunks)
    while stack:
        chunk = stack.pop()
        stack += chunk.members
        offset = module.parsed.line_of(chunk)
        for statement in chunk.statements:
            for one in walk(statement):
                if (
                    isinstance(one, FunctionNode)
                    and type(one) is type(node)
                    and (one.lineno + offset, one.col_offset) == (node.lineno, node.col_offset)
                ):
                    return Located(module, chunk, one, node.lineno)
    return None

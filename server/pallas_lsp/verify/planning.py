"""What to call to have kernels launched, and with what: from the source of a module, without running any of it."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pallas_lsp.outline import Launch, Outline
from pallas_lsp.verify.examples import DTYPES, Array, Example, ExampleError, Input, example_in

MAX_TEST_FILES = 50
"""Files with tests that are looked into for calls of one function."""


@dataclass(frozen=True, slots=True)
class Call:
    """A function to call.

    Args:
      function: its name in its module.
      line, end: 0-based, of its `def` and of its last line.
      example: what to call it with; None where it is called by tests, or cannot be called.
      obstacle: why it is not called; empty where it is.
      tests: functions without parameters that name it, by the paths of their files.
    """

    function: str
    line: int
    end: int
    example: Example | None
    obstacle: str = ""
    tests: tuple[tuple[str, str], ...] = ()

    def as_json(self) -> dict[str, Any]:
        """For the child process."""
        return {
            "function": self.function,
            "example": None if self.example is None else self.example.as_json(),
            "tests": [[file, root_of(file), test] for file, test in self.tests],
        }


@dataclass(frozen=True, slots=True)
class Plan:
    """What is run to have some launches of a file run.

    Args:
      launches: that are to be seen, by the 0-based line of their call.
      calls: in the order of the text. What a module launches as it is imported needs none.
      mistakes: comments that give no inputs: the 0-based line, and what is wrong.
    """

    launches: tuple[tuple[int, Launch], ...]
    calls: tuple[Call, ...]
    mistakes: tuple[tuple[int, str], ...]


def root_of(path: str) -> str:
    """The folder from which a file is imported: above its outermost package."""
    folder = Path(path).parent
    while (folder / "__init__.py").is_file() and folder != folder.parent:
        folder = folder.parent
    return str(folder)


def plan_for(text: str, path: str, outline: Outline, kernel: str | None = None, roots: Iterable[Path] = ()) -> Plan:
    """Plans the run of the launches in a file.

    Args:
      text: of the file; it must parse.
      path: of the file, absolute.
      outline: of the file.
      kernel: only launches of this kernel; None for all.
      roots: folders in which tests are looked for.

    Raises:
      SyntaxError: the text does not parse.
    """
    launches = [one for one in outline.launches if kernel is None or kernel in _names_of(one, outline)]
    tree = ast.parse(text)
    lines = text.split("\n")
    calls: list[Call] = []
    mistakes: list[tuple[int, str]] = []
    for node in tree.body:
        inside = [one for one in launches if _holds(node, one.place.range.start.line + 1)]
        if not inside or not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            continue
        try:
            calls.append(_call(node, lines, path, tuple(roots)))
        except ExampleError as error:
            comment = _comment_line(node, lines)
            mistakes.append((comment, str(error)))
            end = (node.end_lineno or node.lineno) - 1
            calls.append(Call(node.name, node.lineno - 1, end, None, f"line {comment + 1} gives no inputs"))
    return Plan(
        tuple((one.place.range.start.line, one) for one in launches),
        tuple(calls),
        tuple(mistakes),
    )


def _names_of(launch: Launch, outline: Outline) -> set[str]:
    defined = {kernel.name for kernel in outline.kernels for one in kernel.launches if one.place == launch.place}
    return {launch.kernel_name, *defined}


def _holds(node: ast.stmt, line: int) -> bool:
    return node.lineno <= line <= (node.end_lineno or node.lineno)


def _call(node: ast.stmt, lines: list[str], path: str, roots: tuple[Path, ...]) -> Call:
    """How a definition is called.

    Raises:
      ExampleError: the comment above it gives no inputs.
    """
    assert isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
    line, end = node.lineno - 1, (node.end_lineno or node.lineno) - 1
    comment = _comment_line(node, lines)
    example = example_in(lines[comment]) if comment >= 0 else None
    tests = tuple(_tests_of(node.name, path, roots))
    if isinstance(node, ast.FunctionDef):
        example = example or _declared(node)
        if example is not None:
            return Call(node.name, line, end, example, tests=tests)
    if tests:
        return Call(node.name, line, end, None, tests=tests)
    return Call(node.name, line, end, None, _obstacle(node))


def _obstacle(node: ast.stmt) -> str:
    if isinstance(node, ast.ClassDef):
        return "its launches are in methods; a test without parameters that uses the class would run them"
    if isinstance(node, ast.AsyncFunctionDef):
        return "it is a coroutine"
    return "its inputs are not known; say them above it, as in `# pallas: example(f32[8,128], 3)`"


def _comment_line(node: ast.stmt, lines: list[str]) -> int:
    """The 0-based line right above a definition and its decorators, if it is a comment with an example; else -1."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    line = min([node.lineno, *(one.lineno for one in decorators)]) - 2
    while line >= 0 and lines[line].lstrip().startswith("#"):
        if re.match(r"\s*#\s*pallas:\s*example\b", lines[line]):
            return line
        line -= 1
    return -1


def _declared(node: ast.FunctionDef) -> Example | None:
    """Inputs of which annotations say the shapes, as jaxtyping writes them; None if one is missing."""
    arguments = node.args
    positional = [*arguments.posonlyargs, *arguments.args]
    required = positional[: len(positional) - len(arguments.defaults)]
    named = [one for one, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if default is None]
    inputs = {one.arg: _annotated(one.annotation) for one in (*required, *named)}
    found = {name: one for name, one in inputs.items() if one is not None}
    if len(found) < len(inputs):
        return None
    return Example(tuple(found[one.arg] for one in required), tuple((one.arg, found[one.arg]) for one in named))


_KINDS = {
    **dict.fromkeys(("Float", "Inexact", "Num", "Shaped", "Real"), "float32"),
    **dict.fromkeys(("Int", "Integer"), "int32"),
    "Bool": "bool",
    "BFloat16": "bfloat16",
    "UInt": "uint32",
    **{f"Float{bits}": f"float{bits}" for bits in (16, 32, 64)},
    **{f"{kind}{bits}": f"{kind.lower()}{bits}" for kind in ("Int", "UInt") for bits in (8, 16, 32, 64)},
}


def _annotated(annotation: ast.expr | None) -> Input | None:
    """`Float[Array, "8 128"]`, and the same with other dtypes; only with numbers."""
    match annotation:
        case ast.Subscript(value=kind, slice=ast.Tuple(elts=[_, ast.Constant(value=str() as sizes)])):
            name = kind.attr if isinstance(kind, ast.Attribute) else getattr(kind, "id", "")
            parts = sizes.split()
            if name in _KINDS and all(part.isdigit() for part in parts):
                return Array(DTYPES[_KINDS[name]], tuple(map(int, parts)))
    return None


def _tests_of(name: str, path: str, roots: tuple[Path, ...]) -> Iterator[tuple[str, str]]:
    """The test functions without parameters that name a function: their files, and their names."""
    looked = 0
    for file in _test_files(path, roots):
        try:
            text = file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            continue
        if name not in text:
            continue
        looked += 1
        if looked > MAX_TEST_FILES:
            return
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        for node in tree.body:
            is_test = isinstance(node, ast.FunctionDef) and node.name.startswith("test") and _takes_nothing(node)
            if is_test and any(_names(inner, name) for inner in ast.walk(node)):
                yield str(file), node.name  # type: ignore[attr-defined]


def _names(node: ast.AST, name: str) -> bool:
    return name in (getattr(node, "id", None), getattr(node, "attr", None))


def _takes_nothing(node: ast.FunctionDef) -> bool:
    arguments = node.args
    needed = len(arguments.posonlyargs) + len(arguments.args) - len(arguments.defaults)
    return needed == 0 and all(default is not None for default in arguments.kw_defaults) and not node.decorator_list


def _test_files(path: str, roots: tuple[Path, ...]) -> Iterator[Path]:
    """The files of tests beside a file, and in the folders of tests of its project; the file itself first."""
    own = Path(path)
    folders = [own.parent, own.parent / "tests", *(root / name for root in roots for name in ("tests", "test"))]
    seen = set()
    for file in (own, *(file for folder in dict.fromkeys(folders) for file in _below(folder))):
        if file not in seen and (file == own or re.match(r"test_.*\.py$|.*_test\.py$", file.name)):
            seen.add(file)
            yield file


def _below(folder: Path) -> Iterator[Path]:
    for current, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name != "__pycache__")
        yield from (Path(current, name) for name in sorted(names))
        if folder.name not in ("tests", "test"):
            return  # beside the file only, not all of the project

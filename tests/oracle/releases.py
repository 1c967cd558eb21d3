"""What a program uses of JAX that an older release has not got: found by looking the names up, not by running it.

The headers say from which of the releases that were tried on a program holds. For releases before the oldest of them
nobody wrote that down, but most of it can be seen: a function or a keyword is there, or it is not.
"""

from __future__ import annotations

import ast
import functools
import importlib
import inspect
from collections.abc import Iterator
from typing import Any

OLDEST_IN_HEADERS = (0, 6, 2)
"""The oldest release that headers were tried with."""


def missing_name(text: str) -> str:
    """The first function, class or keyword of JAX that a program uses and the installed release lacks; empty if none.

    Keywords count for functions that list them all; a keyword that no release knows, as in programs about a misspelled
    one, is not told from a new one.
    """
    tree = ast.parse(text)
    known = dict(_imported(tree))
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            lacking = next((path for _, path in _imported(node) if _found(path) is None), "")
            if lacking:
                return lacking
    for node in ast.walk(tree):
        path = _path(node, known) if isinstance(node, ast.Attribute) else ""
        if path and _found(path.rpartition(".")[0]) is not None and _found(path) is None:
            return path
        if isinstance(node, ast.Call):
            lacking = _missing_keyword(node, known)
            if lacking:
                return lacking
    return ""


def _imported(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """The names that a program binds to something of JAX, with its import path."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.partition(".")[0] == "jax":
                    yield alias.asname or "jax", alias.name if alias.asname else "jax"
        elif isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "jax":
            for alias in node.names:
                if alias.name != "*":
                    yield alias.asname or alias.name, f"{node.module}.{alias.name}"


def _path(node: ast.expr, known: dict[str, str]) -> str:
    match node:
        case ast.Name(id=name):
            return known.get(name, "")
        case ast.Attribute(value=owner, attr=name):
            before = _path(owner, known)
            return f"{before}.{name}" if before else ""
        case _:
            return ""


@functools.cache
def _found(path: str) -> list[Any] | None:
    """The object of an import path, in a list; None when there is none. Only names of modules count."""
    module, _, name = path.rpartition(".")
    try:
        return [importlib.import_module(path)]
    except ImportError:
        owner = _found(module) if module else None
    if owner is None:
        return None
    if not inspect.ismodule(owner[0]):
        return [None]  # a part of an object: not looked into
    return [getattr(owner[0], name)] if hasattr(owner[0], name) else None


def _missing_keyword(node: ast.Call, known: dict[str, str]) -> str:
    """A keyword of a call that its function does not take: of `f(...)` itself, or of `partial(f, ...)`."""
    is_partial = isinstance(node.func, (ast.Name, ast.Attribute)) and ast.unparse(node.func).endswith("partial")
    path = _path(node.args[0] if is_partial and node.args else node.func, known)
    found = _found(path) if path else None
    if found is None or not callable(found[0]):
        return ""
    try:
        parameters = inspect.signature(found[0]).parameters
    except (TypeError, ValueError):
        return ""
    if any(one.kind is inspect.Parameter.VAR_KEYWORD for one in parameters.values()):
        return ""
    lacking = (keyword.arg for keyword in node.keywords if keyword.arg and keyword.arg not in parameters)
    return next((f"{path}({name}=...)" for name in lacking), "")

"""The host's parser, made total; and a walk that needs no recursion."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator


def parse(text: str) -> list[ast.stmt] | None:
    """The statements of `text`, or None when the host's parser refuses it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def walk(node: ast.AST) -> Iterator[ast.AST]:
    """All nodes of a tree in the order of the text, `node` first. Any depth: the stack is its own."""
    stack = [node]
    while stack:
        node = stack.pop()
        yield node
        children = []
        for name in node._fields:
            value = getattr(node, name, None)
            if isinstance(value, ast.AST):
                children.append(value)
            elif isinstance(value, list):
                children += [item for item in value if isinstance(item, ast.AST)]
        children.reverse()
        stack += children

"""The statements of a function or module as blocks in blocks."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import NamedTuple

_BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")
_SIMPLE = (ast.Expr, ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Return)
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


class Step(NamedTuple):
    """One step from a function down to a statement: `child` is in the list `field` of `parent`."""

    parent: ast.AST
    field: str
    child: ast.AST

    @property
    def is_first(self) -> bool:
        """Whether nothing stands before it in the same block."""
        return getattr(self.parent, self.field)[0] is self.child

    @property
    def is_last(self) -> bool:
        """Whether nothing follows in the same block. A handler or a case is never followed by the next one."""
        return self.field in ("handlers", "cases") or getattr(self.parent, self.field)[-1] is self.child


def last_steps(root: ast.AST) -> dict[ast.AST, Step]:
    """The last step down to each statement, handler and case of a function or module, nested scopes left out."""
    steps: dict[ast.AST, Step] = {}
    stack = [root]
    while stack:
        parent = stack.pop()
        for field in _BLOCKS:
            children = getattr(parent, field, None)
            if isinstance(children, list):
                steps.update((child, Step(parent, field, child)) for child in children)
                stack += (child for child in children if not isinstance(child, _SIMPLE + _SCOPES))
    return steps


def path_of(statement: ast.AST, steps: Mapping[ast.AST, Step]) -> list[Step]:
    """All steps down to a statement, outermost first.

    Raises:
      ValueError: there is no such statement.
    """
    if statement not in steps:
        raise ValueError("the statement is none of the function's own")
    path = [steps[statement]]
    while path[-1].parent in steps:
        path.append(steps[path[-1].parent])
    return path[::-1]

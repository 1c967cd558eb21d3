"""A call of an external function, as its handler sees it."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pallas_lsp.semantics.arguments import Arguments
from pallas_lsp.semantics.values import UNKNOWN, Value

if TYPE_CHECKING:
    from pallas_lsp.semantics.frames import Frame
    from pallas_lsp.semantics.interpreter import Interpreter


@dataclass(frozen=True, slots=True)
class Call:
    """A call of an external function."""

    interpreter: Interpreter
    name: str
    arguments: Arguments
    node: ast.AST
    frame: Frame

    def get(self, name: str, position: int | None = None) -> Value | None:
        """The argument given as `name` or at `position`."""
        return self.arguments.get(name, position)

    def run(self, function: Value | None, *positional: Value) -> Value:
        """What calling one of the arguments gives."""
        if function is None:
            return UNKNOWN
        return self.interpreter.call(function, self._arguments(positional), self.node, self.frame)

    def _arguments(self, positional: tuple[Value, ...]) -> Arguments:
        return Arguments(positional)


Handler = Callable[[Call], Value]
"""What is known of one external function: from the call to what it gives."""


def handlers(names: str, handler: Handler, *modules: str) -> dict[str, Handler]:
    """The same handler for each of some names in each of some modules."""
    return {f"{module}.{name}": handler for module in modules for name in names.split()}

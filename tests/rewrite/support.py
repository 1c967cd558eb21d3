"""Functions as text, rewritten."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Callable

from pallas_lsp.rewrite import FunctionSource, Refusal, Rewrite, TargetTree, combine, lambda_as_def, lambda_to_def
from pallas_lsp.rewrite.source import FunctionNode, own_nodes
from pallas_lsp.text import SourceText


def function_in(text: str) -> FunctionSource:
    """The function of a document whose `def` or `lambda` is first."""
    return FunctionSource(SourceText(text), 0, first_function(ast.parse(text)))


def first_function(tree: ast.AST) -> FunctionNode:
    found = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)]
    return min(found, key=lambda node: (node.lineno, node.col_offset))


def returns_of(function: FunctionSource) -> list[ast.Return]:
    """The function's own returns that have a value, in the order of the text."""
    assert not isinstance(function.node, ast.Lambda)
    nodes = own_nodes(function.node.body)
    found = [node for node in nodes if isinstance(node, ast.Return) and node.value is not None]
    return sorted(found, key=lambda node: (node.lineno, node.col_offset))


def to_def(text: str, targets: TargetTree) -> Rewrite:
    """Moves the first lambda into a `def` that stores."""
    return lambda_to_def(*_first_lambda(text), targets)


def as_def(text: str) -> Rewrite:
    """Moves the first lambda into a `def` that does the same."""
    return lambda_as_def(*_first_lambda(text))


def _first_lambda(text: str) -> tuple[FunctionSource, ast.stmt, ast.Module | ast.FunctionDef | ast.ClassDef]:
    """The first lambda, with the innermost statement and scope that it is in."""
    tree = ast.parse(text)
    node = next(node for node in ast.walk(tree) if isinstance(node, ast.Lambda))
    inside = [part for part in ast.walk(tree) if node in ast.walk(part)]
    statement = [part for part in inside if isinstance(part, ast.stmt)][-1]
    scopes = [part for part in inside if isinstance(part, ast.Module | ast.FunctionDef | ast.ClassDef)]
    scope = [part for part in scopes if part is not statement][-1]
    return FunctionSource(SourceText(text), 0, node), statement, scope


def applied(text: str, rewrite: Rewrite) -> str:
    """The text after a rewrite, which was not refused; it parses."""
    assert not isinstance(rewrite, Refusal), rewrite.reason
    result = SourceText(text).replaced(rewrite)
    ast.parse(result)
    return result


def each_return(text: str, operation: Callable[[FunctionSource, ast.Return], Rewrite]) -> Rewrite:
    """What an operation makes of all returns with a value of the first function."""
    function = function_in(text)
    return combine(*(operation(function, node) for node in returns_of(function)))


def reason(rewrite: Rewrite) -> str:
    """Why a rewrite was refused."""
    assert isinstance(rewrite, Refusal)
    return rewrite.reason


def comments(text: str) -> list[str]:
    """All comments of a text, in order."""
    tokens = tokenize.generate_tokens(io.StringIO(text.replace("\r\n", "\n")).readline)
    return [token.string for token in tokens if token.type == tokenize.COMMENT]

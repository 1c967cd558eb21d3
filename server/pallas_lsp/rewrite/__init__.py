"""Rewrites of one function as minimal edits of its text: a `return` becomes a store, a header gets parameters.

The layer knows Python, not Pallas: its caller decides which value goes where. Every operation takes a `FunctionSource`
and returns a `Rewrite`: edits in the document's positions, sorted and disjoint, or a `Refusal` that says why there are
none. Only the tokens in question change; comments, quotes, line breaks, tabs and blank lines stay. Several rewrites of
one function are made independently, each from the same text, and joined by `combine`.
"""

from pallas_lsp.rewrite.combine import combine
from pallas_lsp.rewrite.lambdas import lambda_as_def, lambda_to_def, store_lambda
from pallas_lsp.rewrite.loads import read_refs
from pallas_lsp.rewrite.parts import Part, store_parts
from pallas_lsp.rewrite.returns import drop, has_effects, store, store_element
from pallas_lsp.rewrite.signatures import add_parameters, none_annotation
from pallas_lsp.rewrite.source import FunctionNode, FunctionSource, Refusal, Rewrite, fresh_name
from pallas_lsp.rewrite.values import Target, TargetTree

__all__ = [
    "FunctionNode",
    "FunctionSource",
    "Part",
    "Refusal",
    "Rewrite",
    "Target",
    "TargetTree",
    "add_parameters",
    "combine",
    "drop",
    "fresh_name",
    "has_effects",
    "lambda_as_def",
    "lambda_to_def",
    "none_annotation",
    "read_refs",
    "store",
    "store_element",
    "store_lambda",
    "store_parts",
]

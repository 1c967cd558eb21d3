"""stub"""
import ast
from pallas_lsp.syntax.parse import parse, Refusal
def recover(text: str, wrapped: bool) -> "tuple[list[ast.stmt], list[tuple[int, str]]]":
    r = parse(text, wrapped)
    if isinstance(r, list): return r, [(0, "lexer")]
    return [], [(r.line or 0, r.message)]

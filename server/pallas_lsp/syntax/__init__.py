"""Text to `ast`, piece by piece: incremental, and tolerant of code that is being typed."""

from pallas_lsp.syntax.chunks import Chunk, SyntaxProblem
from pallas_lsp.syntax.module import ParsedModule, parse_module
from pallas_lsp.syntax.parse import walk

__all__ = ["Chunk", "ParsedModule", "SyntaxProblem", "parse_module", "walk"]

"""Syntax that is newer than the Python that runs this: replaced in place by what the host's parser takes.

Every line and column stays, counted in UTF-8 bytes as `ast` does, so that the rest of the tree is as it would be under
a newer Python. Applied only to chunks that the parser refused.
"""

from __future__ import annotations

import ast
import keyword
import re
import sys
from collections.abc import Callable
from typing import NamedTuple

from pallas_lsp.syntax.lexer import CLOSERS, OPENERS, Kind, lex, prefix_of, skeleton, string_end
from pallas_lsp.syntax.parse import Refusal, parse, walk

_STATEMENT_START = r"(?m)^[ \t\f]*"
_TYPED_NAME = re.compile(r"\b(?:def|class)[ \t]+\w+[ \t]*(?=\[)")
_TYPE_STATEMENT = re.compile(_STATEMENT_START + r"(?P<type>type[ \t]+)(?P<name>\w+)[ \t]*(?P<after>\[|=(?!=))")
_EXCEPT_STAR = re.compile(_STATEMENT_START + r"except[ \t]*(\*)")
_EXCEPT = re.compile(_STATEMENT_START + r"except\b")
_STAR = re.compile(r"[\[,]\s*(\*)(?!\*)\s*\(*\s*")
_STAR_ANNOTATION = re.compile(r"\*\s*\w+\s*:\s*(\*)(?!\*)")
_LAZY_IMPORT = re.compile(_STATEMENT_START + r"(lazy[ \t]+)(import|from)\b")
_TEMPLATE = re.compile(r"(?<!\w)(?:[tT][rR]?|[rR][tT])[\"']")
_FORMATTED = re.compile(r"(?<!\w)(?:[fF][rR]?|[rR][fF])[\"']")

# Each is read up to its end, which may be that of the text: of more of them in one piece of text nothing is hidden.
_MAX_FORMATTED = 300

_WORD_BEFORE = re.compile(r"(\w+)[ \t]*\Z")


class Neutralised(NamedTuple):
    """Text that an older parser can take.

    Args:
      text: with the lines and columns of the original; its line breaks are `\n`.
      stars: for the place of an index element that lost its star, as 0-based line and UTF-8 column, the star's column.
    """

    text: str
    stars: dict[tuple[int, int], int]


def neutralise(text: str, version: tuple[int, int] = sys.version_info[:2]) -> Neutralised:
    """Replaces what Python `version` does not know; the text is the same if there is nothing of the kind."""
    stars: dict[tuple[int, int], int] = {}
    if version < (3, 11) and "*" in text:
        text, stars = _unstar_indices(text)
    for since, rewrite in _REWRITES:
        if version < since:
            text = rewrite(text)
    return Neutralised(text, stars)


def parse_newer(text: str, wrapped: bool) -> list[ast.stmt] | Refusal:
    """As `parse`, for text with `\\n` line breaks that may have newer syntax."""
    neutral = neutralise(text)
    statements = parse(neutral.text, wrapped)
    if isinstance(statements, list):
        restore_stars(statements, neutral.stars)
    return statements


def restore_stars(statements: list[ast.stmt], stars: dict[tuple[int, int], int]) -> None:
    """Puts `Starred` nodes back where `neutralise` took the star out of an index."""
    if not stars:
        return
    for node in [node for statement in statements for node in walk(statement) if isinstance(node, ast.Subscript)]:
        index = node.slice
        elements = index.elts if isinstance(index, ast.Tuple) else [index]
        columns = [stars.get((element.lineno - 1, element.col_offset)) for element in elements]
        if any(column is not None for column in columns):
            starred = [_starred(*pair) for pair in zip(elements, columns, strict=True)]
            node.slice = ast.copy_location(ast.Tuple(starred, ast.Load()), index)
            node.slice.col_offset = starred[0].col_offset


def _starred(element: ast.expr, column: int | None) -> ast.expr:
    if column is None:
        return element
    starred = ast.copy_location(ast.Starred(element, ast.Load()), element)
    starred.col_offset = column
    return starred


def _unstar_indices(text: str) -> tuple[str, dict[tuple[int, int], int]]:
    """PEP 646: `x[*i]`, and `*args: *Ts`."""
    plain = skeleton(text)
    opened = _opening_brackets(plain)
    found = [star for star in _STAR.finditer(plain) if _is_subscript(plain, opened.get(star.start(1)))]
    stars = {_line_and_column(text, star.end()): _line_and_column(text, star.start(1))[1] for star in found}
    annotations = [star.start(1) for star in _STAR_ANNOTATION.finditer(plain)]
    for offset in (*annotations, *(star.start(1) for star in found)):
        text = f"{text[:offset]} {text[offset + 1 :]}"
    return text, stars


def _line_and_column(text: str, offset: int) -> tuple[int, int]:
    """The 0-based line and UTF-8 column of an offset."""
    start = text.rfind("\n", 0, offset) + 1
    return text.count("\n", 0, offset), len(text[start:offset].encode("utf-8", "surrogatepass"))


def _opening_brackets(plain: str) -> dict[int, int]:
    """For each `*` in a skeleton, the bracket around it."""
    opened: dict[int, int] = {}
    stack: list[int] = []
    for found in re.finditer(r"[()\[\]{}*]", plain):
        if found.group() in OPENERS:
            stack.append(found.start())
        elif found.group() in CLOSERS:
            del stack[-1:]
        elif stack:
            opened[found.start()] = stack[-1]
    return opened


def _is_subscript(plain: str, bracket: int | None) -> bool:
    if bracket is None or plain[bracket] != "[":
        return False
    before = plain[:bracket].rstrip(" \t")
    word = _WORD_BEFORE.search(before[-40:])
    return not keyword.iskeyword(word.group(1)) if word else before.endswith((")", "]", "}", '"', "'"))


def _except_star(text: str) -> str:
    """PEP 654: `except* E`."""
    for found in _EXCEPT_STAR.finditer(skeleton(text)) if "except" in text else ():
        text = f"{text[: found.start(1)]} {text[found.end(1) :]}"
    return text


def _type_parameters(text: str) -> str:
    """PEP 695 and PEP 696: `def f[T](x)`, `class C[T = int]`."""
    if "[" not in text:
        return text
    plain = skeleton(text)
    for found in reversed([*_TYPED_NAME.finditer(plain)]):
        end = _group_end(plain, found.end())
        if end is not None:
            text = text[: found.end()] + _blank(text[found.end() : end], continued=True) + text[end:]
    return text


def _type_statement(text: str) -> str:
    """PEP 695: `type X[T] = ...` becomes `if 1:X    = ...`, an assignment at the same place."""
    if "type" not in text:
        return text
    plain = skeleton(text)
    for found in reversed([*_TYPE_STATEMENT.finditer(plain)]):
        end: int | None = found.start("after")
        if found.group("after") == "[":
            end = _group_end(plain, found.start("after"))
        if end is not None:
            header = "if 1:".ljust(len(found.group("type")))
            rest = _blank(text[found.end("name") : end], continued=True)
            text = f"{text[: found.start('type')]}{header}{found.group('name')}{rest}{text[end:]}"
    return text


def _template_strings(text: str) -> str:
    """PEP 750: t-strings, read as f-strings."""
    for quote in _quotes(text) if _TEMPLATE.search(text) else ():
        prefix = prefix_of(text, quote)
        if "t" in prefix:
            start = quote - len(prefix)
            text = text[:start] + text[start:quote].replace("t", "f").replace("T", "F") + text[quote:]
    return text


def _formatted_strings(text: str) -> str:
    """PEP 701: quotes, backslashes and comments in f-strings. One that has such becomes blank."""
    quotes = [quote for quote in _quotes(text) if "f" in prefix_of(text, quote)] if _FORMATTED.search(text) else []
    for quote in reversed(quotes if len(quotes) <= _MAX_FORMATTED else ()):
        prefix = prefix_of(text, quote)
        end, _ = string_end(text, quote)
        if isinstance(parse(f"({text[quote - len(prefix) : end]})"), Refusal):
            width = 3 if text.startswith(('"""', "'''"), quote) else 1
            inside = _blank(text[quote + width : end - width], continued=width == 1)
            text = text[: quote + width] + inside + text[end - width :]
    return text


def _quotes(text: str) -> list[int]:
    return [start for kind, start, _ in lex(text) if kind is Kind.STRING]


def _except_list(text: str) -> str:
    """PEP 758: `except A, B:` becomes `except A   :`."""
    if "except" not in text:
        return text
    plain = skeleton(text)
    for found in reversed([*_EXCEPT.finditer(plain)]):
        depth = 0
        comma: int | None = None
        for mark in re.compile(r"[()\[\]{},:\n]").finditer(plain, found.end()):
            character = mark.group()
            if character in OPENERS:
                depth += 1
            elif character in CLOSERS:
                depth -= 1
            elif depth == 0 and character == ",":
                comma = mark.start() if comma is None else comma
            elif depth == 0:
                if character == ":" and comma is not None:
                    text = text[:comma] + _blank(text[comma : mark.start()]) + text[mark.start() :]
                break
    return text


def _lazy_imports(text: str) -> str:
    """PEP 810: `lazy import x` becomes `import      x`."""
    for found in _LAZY_IMPORT.finditer(skeleton(text)) if "lazy" in text else ():
        text = text[: found.start(1)] + found.group(2) + " " * len(found.group(1)) + text[found.end(2) :]
    return text


# The first version that has the syntax, and what hides it from older ones.
_REWRITES: tuple[tuple[tuple[int, int], Callable[[str], str]], ...] = (
    ((3, 11), _except_star),
    ((3, 14), _template_strings),
    ((3, 12), _formatted_strings),
    ((3, 13), _type_parameters),
    ((3, 13), _type_statement),
    ((3, 14), _except_list),
    ((3, 15), _lazy_imports),
)


def _group_end(plain: str, bracket: int) -> int | None:
    """The end of the brackets that open at offset `bracket` of a skeleton; None if they stay open."""
    depth = 0
    for found in re.compile(r"[()\[\]{}]").finditer(plain, bracket):
        depth += 1 if found.group() in OPENERS else -1
        if depth == 0:
            return found.end()
    return None


def _blank(text: str, continued: bool = False) -> str:
    """Blanks of the same width in UTF-8; with `continued`, a backslash joins the lines."""
    lines = [" " * len(line.encode("utf-8", "surrogatepass")) for line in text.split("\n")]
    if continued:
        lines[:-1] = [line[:-1] + "\\" for line in lines[:-1]]
    return "\n".join(lines)

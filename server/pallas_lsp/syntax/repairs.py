"""Edits of one statement after which it parses, though part of it cannot be read.

An edit keeps the lines of the statement. What cannot be read becomes a gap: `_` for an expression, `*_` and `**_` for
arguments or elements of which nobody knows how many there are.
"""

from __future__ import annotations

import ast
import keyword
import re
from collections.abc import Iterator

from pallas_lsp.syntax.lexer import CLOSERS, OPENERS, Kind, lex, skeleton
from pallas_lsp.syntax.parse import parse, walk_line
from pallas_lsp.syntax.statements import BLOCK_KEYWORDS, Statement

GAP = "_"

# Gaps for a part of what is in brackets, by what the brackets are. The first one that parses is taken.
_CALL = ("*_,**_", "*_", "**_")
_PARAMETERS = ("*_", "_", "_=_")
_ELEMENTS = ("*_",)
_ENTRIES = ("**_", "*_")
_WHOLE = (GAP,)
_INDEX = ("*_", GAP)

# What a clause, a header or a decorator needs around it to be a module.
_BEFORE = {
    "elif": "if _:\n pass\n",
    "else": "if _:\n pass\n",
    "except": "try:\n pass\n",
    "finally": "try:\n pass\n",
    "case": "match _:\n ",
}
_AFTER = {"try": " pass\nfinally: pass", "match": "\n case _: pass", "@": "\ndef _(): pass"}

_INDENT = re.compile(r"[ \t\f]*")
_BRACKET = re.compile(r"[()\[\]{},]")
_WORD_BEFORE = re.compile(r"\w+\Z")
_DEFINITION = re.compile(r"[ \t]*(?:async[ \t]+)?def[ \t]+\w+[ \t]*\Z")
_RETURN = re.compile(r"[ \t]*return\b[ \t]*")
_ASSIGN = re.compile(r"(?<![=!<>:])=(?!=)[ \t]*")


def repairs(lines: str, statement: Statement, offset: int | None) -> Iterator[str]:
    """Edits of a statement after which it parses, the mildest first.

    Args:
      lines: the statement's lines.
      statement: what is known of it.
      offset: where in `lines` the parser stumbled, or None if the brackets or quotes are wrong.
    """
    return (candidate for candidate in _candidates(lines, statement, offset) if _stands(candidate, statement.keyword))


def _stands(lines: str, keyword: str) -> bool:
    """Whether a logical line parses by itself."""
    code = lines.strip()
    if keyword == "@" or (keyword in BLOCK_KEYWORDS and skeleton(code).rstrip().endswith(":")):
        code = _BEFORE.get(keyword, "") + code + _AFTER.get(keyword, " pass")
    return isinstance(parse(code), list)


def _candidates(lines: str, statement: Statement, offset: int | None) -> Iterator[str]:
    plain = skeleton(lines)
    colon = ":" if statement.keyword in BLOCK_KEYWORDS else ""
    if statement.broken:
        yield from _closed_by_indent(lines, plain)
        yield from _closed(lines, plain, colon)
    elif colon and not plain.rstrip().endswith(":"):
        yield _with_end(lines, len(plain.rstrip()), colon)
    if offset is not None:
        yield from _gapped(lines, plain, offset)
    yield from _without_value(lines, plain)


def _with_end(lines: str, code: int, suffix: str) -> str:
    """The lines with `suffix` after the offset `code`, where their code ends."""
    return lines[:code] + suffix + "\n" * lines.count("\n", code)


def _closed(lines: str, plain: str, colon: str) -> Iterator[str]:
    """Closes what is open at the end: with gaps for what may still come, without the last part, as it is."""
    opened, quote = _open_at_end(lines)
    end = len(lines.rstrip("\n")) if quote else len(plain.rstrip())
    yield _with_end(lines, end, quote + _closers(plain[:end], opened, gaps=True) + colon)
    if opened:
        last = max(plain.rfind(",", 0, end) + 1, opened[-1] + 1)
        yield _with_end(lines, last, _closers(plain[:last], opened, gaps=True) + colon)
    yield _with_end(lines, end, quote + _closers(plain[:end], opened, gaps=False) + colon)


def _open_at_end(lines: str) -> tuple[list[int], str]:
    """The offsets of the brackets that are open at the end, and the quote of a string that is."""
    opened: list[int] = []
    for kind, start, end in lex(lines):
        if kind is Kind.OPEN:
            opened.append(start)
        elif kind is Kind.CLOSE:
            del opened[-1:]
        elif kind is Kind.UNTERMINATED and end >= len(lines.rstrip("\n")):
            return opened, lines[start]
    return opened, ""


def _closers(plain: str, opened: list[int], gaps: bool) -> str:
    """What closes the brackets at the offsets `opened` of a skeleton, innermost first."""
    closers = ""
    before = plain.rstrip()
    for bracket in reversed(opened):
        if gaps:
            gap = _gaps_of(plain, bracket)[0]
            if before.endswith((",", *OPENERS)):
                closers += gap
            elif gap != GAP:
                closers += f", {gap}"
        closers += OPENERS[plain[bracket]]
        before = ")"
    return closers


def _closed_by_indent(lines: str, plain: str) -> Iterator[str]:
    """Replaces an argument with an open bracket by a gap.

    A bracket that starts a line closes the one whose line is indented as much; those in between were left open.
    """
    stack: list[int] = []
    for found in _BRACKET.finditer(plain):
        at = found.start()
        if found.group() in OPENERS:
            stack.append(at)
            continue
        if found.group() not in CLOSERS:
            continue
        line = plain.rfind("\n", 0, at) + 1
        starts_line = not plain[line:at].strip()
        matching = [bracket for bracket in stack if _indent_of(plain, bracket) == at - line] if starts_line else []
        if matching and _indent_of(plain, stack[-1]) > at - line:
            parent = matching[-1]
            unclosed = stack[stack.index(parent) + 1]
            item = max(parent, plain.rfind(",", parent, unclosed)) + 1
            item += len(plain[item:]) - len(plain[item:].lstrip())
            end = plain.find("\n", unclosed)
            indent = _indent_of(plain, unclosed)
            while end < at and _indent_of(plain, end + 1) > indent:
                end = plain.find("\n", end + 1)
            for gap in _gaps_of(plain, parent):
                yield f"{lines[:item]}{gap},{chr(10) * lines.count(chr(10), item, end)}{lines[end:]}"
            return
        del stack[-1:]


def _indent_of(plain: str, offset: int) -> int:
    """The indentation of the line at an offset."""
    start = plain.rfind("\n", 0, offset) + 1
    return _INDENT.match(plain, start).end() - start  # type: ignore[union-attr]


def _gapped(lines: str, plain: str, offset: int) -> Iterator[str]:
    """Replaces what is between two commas or brackets around an offset by a gap; the innermost first."""
    stack: list[list[int]] = []
    groups: list[list[int]] = []
    for found in _BRACKET.finditer(plain):
        if found.group() in OPENERS:
            stack.append([found.start()])
        elif stack:
            stack[-1].append(found.start())
            if found.group() in CLOSERS:
                groups.append(stack.pop())
    for group in groups:
        if not group[0] < offset <= group[-1]:
            continue
        index = next(index for index, mark in enumerate(group) if mark >= offset)
        start, end = group[index - 1] + 1, group[index]
        start += len(plain[start:end]) - len(plain[start:end].lstrip())
        for gap in _gaps_of(plain, group[0]):
            yield lines[:start] + _filled(gap, lines[start:end]) + lines[end:]


def _without_value(lines: str, plain: str) -> Iterator[str]:
    """Keeps what is assigned to, or the `return`, and replaces the value by a gap."""
    found = _RETURN.match(plain) or next(_assignments(plain), None)
    if found is not None:
        yield lines[: found.end()] + _filled(GAP, lines[found.end() :])


def _assignments(plain: str) -> Iterator[re.Match[str]]:
    """The `=` outside brackets, from the last to the first."""
    for found in reversed([*_ASSIGN.finditer(plain)]):
        before = plain[: found.start()]
        if all(before.count(opener) == before.count(closer) for opener, closer in OPENERS.items()):
            yield found


def _filled(gap: str, text: str) -> str:
    """A gap and as many blanks as keep the lines of `text`, and its width in UTF-8 unless the gap is wider."""
    first, *rest = [" " * len(line.encode("utf-8", "surrogatepass")) for line in text.split("\n")]
    return "\n".join((gap + first[len(gap) :], *rest))


def _gaps_of(plain: str, bracket: int) -> tuple[str, ...]:
    """The gaps that may stand in the brackets which open at an offset of a skeleton."""
    opener = plain[bracket]
    if opener == "{":
        return _ENTRIES
    before = plain[:bracket].rstrip(" \t")
    word = _WORD_BEFORE.search(before[-40:])
    primary = not keyword.iskeyword(word.group()) if word else before.endswith((*CLOSERS, '"'))
    several = "," in plain[bracket:]
    if opener == "(" and _DEFINITION.match(plain, 0, bracket):
        return _PARAMETERS
    if opener == "(":
        return _CALL if primary else _ELEMENTS if several else _WHOLE
    return (_INDEX if several else _WHOLE) if primary else _ELEMENTS


def rename_gaps(statements: list[ast.stmt], line: int, name: str) -> None:
    """Gives the gaps on a line, 1-based, a name that is not the user's."""
    for node in walk_line(statements, line):
        if isinstance(node, ast.Name) and node.id == GAP:
            node.id = name
        elif isinstance(node, ast.arg) and node.arg == GAP:
            node.arg = name

"""The host's parser, made total; and work on trees that needs no recursion."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

# What the parser reports warnings for; the filter below silences this name only.
_FILENAME = "<pallas-lsp>"
_FILENAME_PATTERN = r"<pallas-lsp>\Z"

# Trees at most this deep are handed out, so that later layers may recurse: the parser itself allows 6,000 levels, and
# Python's default limit is 1,000 frames, of which a visitor takes up to four a level. Real code has up to 50.
MAX_DEPTH = 200

# Longer text is not parsed: 328 MiB were needed for the tree of a list of 1 MB.
MAX_LENGTH = 2_000_000

TOO_DEEP = "nested too deeply"
TOO_LONG = "too long"

# Members of a class are parsed under this line, so that their columns stay. No clause can follow it, unlike `if`.
_WRAPPER = "class _:\n"

_INDENT = re.compile(r"[ \t]+")

# Line numbers in messages count from the start of the chunk, which tells nobody anything.
_LINE_NUMBER = re.compile(r" \(?(?:detected at|on) line \d+\)?")
_EMPTY_BLOCK = re.compile(r"(expected an indented block after .*) on line (\d+)")


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why text has no tree.

    Args:
      message: the parser's, or TOO_DEEP or TOO_LONG.
      line: 0-based, or None when it is not known. Of a block that is missing, the line of its header.
      column: 0-based code points in that line.
    """

    message: str
    line: int | None = None
    column: int = 0


def parse(text: str, wrapped: bool = False) -> list[ast.stmt] | Refusal:
    """Parses whole lines with the host's grammar; never raises, whatever `text` is.

    Args:
      text: with any line breaks.
      wrapped: whether the lines are an indented block, as in the body of a class.

    Returns:
      The statements, with 1-based lines that count from the first line of `text`; or why there are none.
    """
    if len(text) > MAX_LENGTH:
        return Refusal(TOO_LONG)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    _silence_warnings()
    if wrapped:
        body = _parse_block(text)
    elif text.startswith("\ufeff"):
        body = _parse_source(text[1:])
        if isinstance(body, list):
            _shift_first_line(body)
    else:
        body = _parse_source(text)
    if isinstance(body, Refusal):
        return body
    deep = _too_deep(body)
    return body if deep is None else Refusal(TOO_DEEP, deep.lineno - 1)


def _parse_source(source: str) -> list[ast.stmt] | Refusal:
    try:
        return ast.parse(source, _FILENAME).body
    except (RecursionError, MemoryError):
        return Refusal(TOO_DEEP)
    except UnicodeEncodeError as error:
        return Refusal("a lone surrogate", *_place(source, source.find(error.object[error.start])))
    except (SyntaxError, ValueError) as error:
        if "\0" in source:
            return Refusal("a NUL character", *_place(source, source.index("\0")))
        message = getattr(error, "msg", str(error))
        line = getattr(error, "lineno", None)
        column = getattr(error, "offset", None) or 1
        header = _EMPTY_BLOCK.match(message)
        if header is not None:
            message, line = header.group(1), int(header.group(2))
        return Refusal(_LINE_NUMBER.sub("", message), max(0, line - 1) if line else None, max(0, column - 1))


def _parse_block(text: str) -> list[ast.stmt] | Refusal:
    """Parses lines that are indented, with their columns."""
    dedented = _dedented(text)
    body = _parse_source(dedented) if dedented is not None else None
    if isinstance(body, list):
        return body
    wrapper = _parse_source(_WRAPPER + text)
    if isinstance(wrapper, Refusal):
        return wrapper if wrapper.line is None else Refusal(wrapper.message, max(0, wrapper.line - 1), wrapper.column)
    if len(wrapper) > 1 or not isinstance(wrapper[0], ast.ClassDef):
        return Refusal("unexpected unindent", wrapper[-1].lineno - 2)
    body = wrapper[0].body
    _shift_lines(body)
    return body


def _dedented(text: str) -> str | None:
    """The lines as a module with the same columns: a form feed that ends the indentation makes the column 0.

    This saves taking the wrapper's line off all line numbers. Possible when only the first line, and decorators, stand
    at the block's own indentation, and no line has less.
    """
    found = _INDENT.match(text)
    if found is None:
        return None
    indent = found.group()
    head_pattern, less_pattern = _dedent_patterns(indent)
    head = head_pattern.match(text)
    if head is None or less_pattern.search(text):
        return None
    lines = head.group()
    if "\n" in lines and ('"""' in lines or "'''" in lines):
        return None
    return ("\n" + lines).replace("\n" + indent, f"\n{indent[:-1]}\f")[1:] + text[head.end() :]


@lru_cache(maxsize=32)
def _dedent_patterns(indent: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """For a block's indentation: its first line, after decorators; and a line with less indentation."""
    head = rf"(?:{indent}@[^\n]*\n(?:(?!{indent}[@\w])[^\n]*\n)*)*{indent}[^\n]*"
    less = rf"\n(?!{indent}|[ \t\f]*(?:[\n#]|\Z))"
    return re.compile(head), re.compile(less)


def walk(node: ast.AST) -> Iterator[ast.AST]:
    """All nodes of a tree in the order of the text, `node` first. Any depth: the stack is its own."""
    stack = [node]
    while stack:
        node = stack.pop()
        yield node
        stack += reversed(_children(node))


def walk_line(statements: list[ast.stmt], line: int) -> Iterator[ast.AST]:
    """The nodes that stand on a line, 1-based, be it with others; and some that have no place of their own."""
    stack: list[ast.AST] = list(statements)
    while stack:
        node = stack.pop()
        if getattr(node, "lineno", line) <= line <= getattr(node, "end_lineno", line):
            yield node
            stack += _children(node)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            stack += node.decorator_list


def _children(node: ast.AST) -> list[ast.AST]:
    children: list[ast.AST] = []
    for name in node._fields:
        value = getattr(node, name, None)
        if isinstance(value, ast.AST):
            children.append(value)
        elif isinstance(value, list):
            children += [item for item in value if isinstance(item, ast.AST)]
    return children


def _silence_warnings() -> None:
    """Makes invalid escapes and the like silent for our file name; elsewhere nothing changes.

    `warnings.catch_warnings` replaces the filters of all threads and may leave another thread's behind. An added
    filter that matches one name is harmless, and `filterwarnings` never adds it twice.
    """
    first = warnings.filters[0] if warnings.filters else None
    if first is None or first[0] != "ignore" or getattr(first[3], "pattern", None) != _FILENAME_PATTERN:
        warnings.filterwarnings("ignore", module=_FILENAME_PATTERN)


def _place(text: str, offset: int) -> tuple[int, int]:
    """The 0-based line and column of an offset in text with `\\n` line breaks only."""
    return text.count("\n", 0, offset), offset - text.rfind("\n", 0, offset) - 1


def _shift_lines(body: list[ast.stmt]) -> None:
    """Takes the wrapper's line off the line numbers."""
    stack: list[object] = list(body)
    while stack:
        node = stack.pop()
        if isinstance(node, list):
            stack += node
        elif isinstance(node, ast.AST):
            if hasattr(node, "lineno"):
                node.lineno -= 1
                node.end_lineno -= 1  # type: ignore[attr-defined]
            stack += node.__dict__.values()


def _shift_first_line(body: list[ast.stmt]) -> None:
    """Adds the width of a byte order mark, which the parser did not see, to the columns of the first line."""
    width = len("\ufeff".encode())
    for node in walk_line(body, 1):
        if getattr(node, "lineno", None) == 1:
            node.col_offset += width  # type: ignore[attr-defined]
        if getattr(node, "end_lineno", None) == 1:
            node.end_col_offset += width  # type: ignore[attr-defined]


def _too_deep(body: list[ast.stmt]) -> ast.stmt | None:
    """A statement at which, or in whose expressions, the tree is deeper than MAX_DEPTH.

    Code has at most one level for each of its bytes, so what is short and on one line needs no look.
    """
    stack: list[tuple[ast.AST, int, ast.stmt]] = [(statement, 1, statement) for statement in body]
    while stack:
        node, depth, statement = stack.pop()
        if depth > MAX_DEPTH:
            return statement
        depth += 1
        room = MAX_DEPTH - 3 - depth
        for value in node.__dict__.values():
            if isinstance(value, list):
                children = value
            elif isinstance(value, ast.AST) and value._fields:
                children = [value]
            else:
                continue
            for child in children:
                if isinstance(child, (ast.expr, ast.stmt)):
                    if child.lineno == child.end_lineno and child.end_col_offset - child.col_offset < room:  # type: ignore[operator]
                        continue
                elif not isinstance(child, ast.AST):
                    continue
                stack.append((child, depth, child if isinstance(child, ast.stmt) else statement))
    return None

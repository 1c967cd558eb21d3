"""Statements out of text that does not parse, mostly because somebody is typing in it.

One statement after the other is mended or given up, in place: lines and columns stay. Nothing is added that the user
did not write but `pass`, missing colons and closing brackets, and `UNPARSED` for what cannot be read.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable

from pallas_lsp.syntax.lexer import skeleton
from pallas_lsp.syntax.parse import TOO_LONG, Refusal, parse, walk_line
from pallas_lsp.syntax.repairs import rename_gaps, repairs
from pallas_lsp.syntax.statements import BLOCK_KEYWORDS, Statement, split_statements, statements_from

# The name that stands for what could not be read: `*__unparsed__` and `**__unparsed__` for arguments or elements,
# `__unparsed__` for an expression.
UNPARSED = "__unparsed__"

# How much text may be parsed in all attempts on one chunk, and how many attempts there are at least and at most.
_BUDGET = 300_000
_ATTEMPTS = (4, 20)

# How many statements with open brackets, and how many unreadable characters, are told of one by one.
_MANY = 16

_CLASS = re.compile(r"class[ \t]+\w+")
_UNREADABLE = re.compile("[\0\ud800-\udfff]")
_SURROGATE = re.compile("[\ud800-\udfff]")

# A header that cannot be read, with as much of its meaning as there is.
_GAP_HEADERS = {
    "if": "if _:",
    "elif": "elif _:",
    "else": "else:",
    "for": "for _ in _:",
    "while": "while _:",
    "with": "with _:",
    "try": "try:",
    "except": "except _:",
    "finally": "finally:",
    "match": "match _:",
    "case": "case _:",
    "@": "@_",
}

# The clauses that go with a statement that is given up.
_CLAUSES = {
    "if": ("elif", "else"),
    "elif": ("elif", "else"),
    "for": ("else",),
    "while": ("else",),
    "try": ("except", "else", "finally"),
}


def recover(
    text: str, wrapped: bool, refusal: Refusal | None = None
) -> tuple[list[ast.stmt], list[tuple[int, str, bool]]]:
    """Parses text with whatever edits it takes.

    Args:
      text: whole lines with `\\n` line breaks.
      wrapped: whether they are an indented block.
      refusal: what the parser says of the text, if that is known.

    Returns:
      The statements, which may be none; and for each line that was mended or given up its 0-based number, why, and
      whether more than its statement is left out. No problems if the text parses as it is.
    """
    recovery = _Recovery(text)
    least, most = _ATTEMPTS
    result = refusal or parse(text, wrapped)
    for _ in range(max(least, min(most, _BUDGET // (len(text) + 1)))):
        if isinstance(result, list) or not recovery.mend(result):
            break
        result = parse(recovery.text, wrapped)
    if isinstance(result, Refusal):
        recovery.cut_off(result)
        result = parse(recovery.text, wrapped)
    return recovery.finish(result if isinstance(result, list) else [])


class _Recovery:
    """One text while it is being mended."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._problems: dict[int, tuple[str, bool]] = {}
        self._efforts: dict[int, int] = {}
        self._gaps: set[int] = set()
        self._shifts: list[tuple[int, int, int]] = []

    def finish(self, statements: list[ast.stmt]) -> tuple[list[ast.stmt], list[tuple[int, str, bool]]]:
        """The result, with the columns of the original text and a name for the gaps."""
        for line in self._gaps:
            rename_gaps(statements, line + 1, UNPARSED)
        for line, column, width in reversed(self._shifts):
            _shift_columns(statements, line + 1, column, width)
        return statements, sorted((line, *problem) for line, problem in self._problems.items())

    def mend(self, refusal: Refusal) -> bool:
        """Makes one step towards text that parses; False if there is none."""
        message = refusal.message
        if message == TOO_LONG:
            return False
        if self._replace_unreadable() or self._mend_open():
            return True
        statements = split_statements(self.text)
        if not statements:
            return False
        if refusal.line is None:
            longest = max(statements, key=lambda statement: statement.end - statement.start)
            return self._give_up(statements, longest, message)
        statement = _statement_at(statements, refusal.line)
        if message.startswith("expected an indented block"):
            return self._fill_block(statement, message) or self._give_up(statements, statement, message)
        if message.startswith("expected 'except' or 'finally'"):
            return self._without_handlers(statements, message) or self._give_up(statements, statement, message)
        if message.startswith(("unexpected indent", "too many levels of indentation")):
            return self._erase(statements, statement, lambda indent: indent >= statement.indent, message)
        if message.startswith(("unindent does not match", "inconsistent use of tabs", "unexpected unindent")):
            return self._erase(statements, statement, lambda indent: indent == statement.indent, message)
        return self._repair(statement, refusal) or self._give_up(statements, statement, message)

    def cut_off(self, refusal: Refusal) -> None:
        """Gives up all from the place of `refusal` on."""
        statements = split_statements(self.text)
        if not statements or refusal.line is None:
            self.text = ""
            self._problems = {0: (f"{refusal.message}; not analysed", True)}
            return
        statement = _statement_at(statements, refusal.line)
        self._replace(statement.first, len(self.text), "pass" + "\n" * self.text.count("\n", statement.first))
        self._problems = {line: problem for line, problem in self._problems.items() if line < statement.line}
        self._problems[statement.line] = (f"{refusal.message}; not analysed from here on", True)

    def _replace_unreadable(self) -> bool:
        """Puts characters of the same width for those that no Python file may have."""
        found = [*_UNREADABLE.finditer(self.text)]
        for character in found[:_MANY]:
            name = "a NUL character" if character.group() == "\0" else "a byte or surrogate that is not text"
            self._problems[self.text.count("\n", 0, character.start())] = (name, False)
        self.text = _SURROGATE.sub("\ufffd", self.text.replace("\0", " "))
        return bool(found)

    def _mend_open(self) -> bool:
        """Mends the statements whose brackets or quotes do not match: the parser blames other lines for them."""
        mended = False
        refusal = Refusal("a bracket or quote does not match")
        position = line = 0
        for _ in range(_MANY):
            statements = statements_from(self.text, position, line)
            broken = next((statement for statement in statements if statement.broken), None)
            if broken is None:
                break
            position, line = broken.start, broken.line
            if self._repair(broken, refusal):
                mended = True
            else:
                mended = self._give_up(split_statements(self.text), broken, refusal.message) or mended
        return mended

    def _repair(self, statement: Statement, refusal: Refusal) -> bool:
        """Mends a statement by itself, once: whether there is an edit after which it parses."""
        if self._efforts.get(statement.line):
            return False
        self._efforts[statement.line] = 1
        lines = self.text[statement.start : statement.end]
        offset = None if refusal.line is None else self._line_start(refusal.line) + refusal.column - statement.start
        candidate = next(repairs(lines, statement, offset), None)
        if candidate is None:
            return False
        self._replace(statement.start, statement.end, candidate)
        self._gaps.update(range(statement.line, statement.line + lines.count("\n") + 1))
        line = statement.line if refusal.line is None else refusal.line
        self._problems[line] = (f"{refusal.message}; analysed with a gap", False)
        return True

    def _give_up(self, statements: list[Statement], statement: Statement, message: str) -> bool:
        """Replaces a statement by `pass`, or its header by one with a gap; the second time with all of its block."""
        effort = self._efforts[statement.line] = max(2, self._efforts.get(statement.line, 0) + 1)
        header = self._gap_header(statement) if _has_block(statements, statement) else "pass"
        if effort > 4:
            return False
        if effort > 2 or header is None:
            return self._drop(statements, statement, "pass" if effort < 4 else "", message)
        lines = self.text[statement.start : statement.end]
        self._replace(statement.start, statement.end, lines[: statement.indent] + header + "\n" * lines.count("\n"))
        self._problems[statement.line] = (f"{message}; this statement is not analysed", False)
        self._gaps.add(statement.line)
        return True

    def _gap_header(self, statement: Statement) -> str | None:
        code = self.text[statement.first : statement.end]
        if statement.keyword == "class":
            named = _CLASS.match(code)
            return f"{named.group()}:" if named else None
        header = _GAP_HEADERS.get(statement.keyword)
        return f"async {header}" if header and code.startswith("async") else header

    def _drop(self, statements: list[Statement], statement: Statement, instead: str, message: str) -> bool:
        """Replaces a compound statement, with its decorators, block and clauses."""
        first = statements.index(statement)
        last = first + 1
        clauses = _CLAUSES.get(statement.keyword, ())
        while last < len(statements) and (
            statements[last].indent > statement.indent
            or (statements[last].indent == statement.indent and statements[last].keyword in clauses)
        ):
            last += 1
        while statement.keyword in ("def", "class") and first and statements[first - 1].keyword == "@":
            first -= 1
        start, end = statements[first].first, statements[last - 1].end
        self._replace(start, end, instead + "\n" * self.text.count("\n", start, end))
        self._problems[statement.line] = (f"{message}; this block is not analysed", True)
        return True

    def _fill_block(self, statement: Statement, message: str) -> bool:
        """Gives a header without a block an empty one, once."""
        if self._efforts.get(statement.line):
            return False
        self._efforts[statement.line] = 1
        lines = self.text[statement.start : statement.end]
        code = lines[: len(skeleton(lines).rstrip())]
        self._replace(statement.start, statement.end, f"{code} pass" + "\n" * lines.count("\n", len(code)))
        self._problems[statement.line] = (message, False)
        return True

    def _without_handlers(self, statements: list[Statement], message: str) -> bool:
        """Makes the first `try` that has no handler a `with`, which may swallow exceptions, too."""
        for index, statement in enumerate(statements):
            if statement.keyword == "try" and _lacks_handler(statements, index):
                self._replace(statement.first, statement.first + len("try"), "with _")
                self._problems[statement.line] = (message, False)
                self._gaps.add(statement.line)
                return True
        return False

    def _erase(
        self, statements: list[Statement], statement: Statement, belongs: Callable[[int], bool], message: str
    ) -> bool:
        """Blanks a statement that is wrongly indented, and those after it whose indentation `belongs` to it."""
        last = statements.index(statement) + 1
        while last < len(statements) and belongs(statements[last].indent):
            last += 1
        end = statements[last - 1].end
        self._replace(statement.start, end, "\n" * self.text.count("\n", statement.start, end))
        self._problems[statement.line] = (f"{message}; this block is not analysed", True)
        return True

    def _replace(self, start: int, end: int, replacement: str) -> None:
        """Puts in a replacement with as many lines, and keeps in mind which columns it moves."""
        text = self.text
        first = text.rfind("\n", 0, start) + 1
        last = text.find("\n", end) if not text.endswith("\n", start, end) else end
        last = len(text) if last < 0 else last
        mended = text[first:start] + replacement + text[end:last]
        number = text.count("\n", 0, first)
        for line, (old, new) in enumerate(zip(text[first:last].split("\n"), mended.split("\n"), strict=True), number):
            shift = _shift(old.encode("utf-8", "surrogatepass"), new.encode("utf-8", "surrogatepass"))
            if shift is not None:
                self._shifts.append((line, *shift))
        self.text = text[:first] + mended + text[last:]

    def _line_start(self, line: int) -> int:
        start = 0
        for _ in range(line):
            start = self.text.find("\n", start) + 1
        return start


def _shift(old: bytes, new: bytes) -> tuple[int, int] | None:
    """Where the end that two lines share starts in the new one, and by how much it moved; None if it did not."""
    if len(old) == len(new):
        return None
    same = 0
    while same < min(len(old), len(new)) and old[-1 - same] == new[-1 - same]:
        same += 1
    return (len(new) - same, len(new) - len(old)) if same else None


def _shift_columns(statements: list[ast.stmt], line: int, column: int, width: int) -> None:
    """Moves what stands on a line, 1-based, at or after a column to the left by `width`; nothing before it overlaps."""
    for node in walk_line(statements, line):
        if getattr(node, "lineno", None) == line:
            node.col_offset = _moved(node.col_offset, column, width)  # type: ignore[attr-defined]
        if getattr(node, "end_lineno", None) == line:
            node.end_col_offset = _moved(node.end_col_offset, column, width)  # type: ignore[attr-defined]


def _moved(place: int, column: int, width: int) -> int:
    return place - width if place >= column else min(place, column - width) if width > 0 else place


def _statement_at(statements: list[Statement], line: int) -> Statement:
    """The last statement that starts on or before a line, or the first one."""
    return next((statement for statement in reversed(statements) if statement.line <= line), statements[0])


def _has_block(statements: list[Statement], statement: Statement) -> bool:
    """Whether a block follows a header, or what is decorated a decorator."""
    following = next((other for other in statements if other.line > statement.line), None)
    if following is None:
        return False
    if statement.keyword == "@":
        return following.indent == statement.indent
    return statement.keyword in BLOCK_KEYWORDS and following.indent > statement.indent


def _lacks_handler(statements: list[Statement], index: int) -> bool:
    """Whether the `try` at an index has neither `except` nor `finally`."""
    indent = statements[index].indent
    following = next((statement for statement in statements[index + 1 :] if statement.indent <= indent), None)
    return following is None or following.indent < indent or following.keyword not in ("except", "finally")

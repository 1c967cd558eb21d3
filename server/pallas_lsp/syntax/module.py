"""A module as a sequence of chunks, and how the next version keeps most of them.

A chunk ends where the text from its start on says so, whatever came before; how far that decision looked is its
`reach`. So a chunk may be kept at its place when an edit lies beyond its reach, and all that follows may be kept once a
chunk starts where one started before and only unchanged text follows. This makes an incremental parse equal to one
from scratch for every text, also while the text is broken.
"""

from __future__ import annotations

import ast
import keyword
import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import NamedTuple

from pallas_lsp.findings import Position, Range
from pallas_lsp.syntax.chunks import Chunk, SyntaxProblem, broken_chunk, count_lines
from pallas_lsp.syntax.grammar import parse_newer
from pallas_lsp.syntax.lexer import Kind, lex, prefix_of
from pallas_lsp.syntax.parse import Refusal, parse
from pallas_lsp.syntax.statements import STATEMENT_START
from pallas_lsp.text import SourceText

# A class of more lines is cut into its members.
LARGE_CLASS = 100

# Classes in classes are cut up to this depth.
_MAX_NESTING = 8

# Python's tokenizer refuses more brackets in brackets, so nothing is gained by following them.
_MAX_BRACKETS = 200

# To see whether a line starts a statement takes its indentation and a word such as `finally`.
_WORD = 10

# Chunks whose reach exceeds their own text by more than this are looked at one by one.
_NEAR = 256

_NO_START = r"(?=[^ \t\f\r\n#)\]}])(?!(?:else|elif|except|finally)\b)"

# Lines that most likely start a statement, whatever is open before them.
_LIKELY_STATEMENT = re.compile(
    STATEMENT_START.pattern
    + r"|@\w|from[ \t]|[A-Za-z_][\w.]*(?:\[[^\]\r\n]*\])?[ \t]*(?::[^=\r\n]*)?(?:[-+*/%&|^@]|//|\*\*|<<|>>)?[ ]=[ ]"
)

_DECORATOR = re.compile(r"[ \t\f]*@")
_WORD_AFTER = re.compile(r"\w+(?![\"'])")
_WORD_BEFORE = re.compile(r"\w+\Z|[.)\]}!?]\Z")
_CLASS = re.compile(r"class[ \t]+\w+")
_BLANK_LINES = re.compile(r"(?:[ \t\f]*(?:#[^\r\n]*)?(?:\r\n|\r|\n))*")
_INDENT = re.compile(r"[ \t]*")
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)?")
_BODY_START = r"[ \t]+(?:(?:async[ \t]+)?def\b|class\b|@|[rR]?\"\"\"|[rR]?'''|\w+[ \t]*[:=])"


@dataclass(frozen=True, slots=True, eq=False)
class _Piece:
    """A chunk at a place.

    Args:
      chunk: the chunk.
      reach: how many characters from the chunk's start decided where it ends; more than there are if the text's end
        did.
      accepted: whether the host's parser took the text as it is.
      members: the pieces of the chunk's members.
    """

    chunk: Chunk
    reach: int
    accepted: bool
    members: tuple[_Piece, ...] = ()


class ParsedModule:
    """One version of a module. Immutable.

    Args:
      source: its text.
      chunks: they follow each other and make up the text.
      parsed: how many chunks, members counted, were parsed for this version; the others are those of the previous one.
    """

    def __init__(
        self, source: SourceText, pieces: Sequence[_Piece], starts: Sequence[int], far: Sequence[int], parsed: int
    ) -> None:
        self.source = source
        self.chunks = tuple([piece.chunk for piece in pieces])
        self.parsed = parsed
        self._pieces = pieces
        self._starts = starts
        self._far = far

    @cached_property
    def _lines(self) -> dict[Chunk, int]:
        lines = dict(zip(self.chunks, accumulate((chunk.line_count for chunk in self.chunks), initial=0), strict=False))
        stack = [chunk for chunk in self.chunks if chunk.members]
        while stack:
            chunk = stack.pop()
            line = lines[chunk] + chunk.line_count - sum(member.line_count for member in chunk.members)
            for member in chunk.members:
                lines[member] = line
                line += member.line_count
                if member.members:
                    stack.append(member)
        return lines

    def line_of(self, chunk: Chunk) -> int:
        """The 0-based line at which a chunk of this version starts, be it a member of another one or not.

        Raises:
          KeyError: the chunk belongs to another version.
        """
        return self._lines[chunk]

    def range_of(self, chunk: Chunk, node: ast.AST) -> Range:
        """The place of a node of `chunk` in the document; the node must be of a kind that has a place."""
        first = self.line_of(chunk) - 1
        line, last = first + node.lineno, first + node.end_lineno  # type: ignore[attr-defined]
        return Range(
            Position(line, self.source.character(line, node.col_offset)),  # type: ignore[attr-defined]
            Position(last, self.source.character(last, node.end_col_offset)),  # type: ignore[attr-defined]
        )

    def problems(self) -> list[tuple[Range, SyntaxProblem]]:
        """What was left out or mended, in the order of the text; a range is a line without its indentation."""
        found = []
        for chunk in self._broken_chunks():
            for problem in chunk.problems:
                line = self.line_of(chunk) + problem.line
                text = self.source.line(line)
                start = len(text) - len(text.lstrip())
                found.append((Range(Position(line, start), Position(line, len(text))), problem))
        return sorted(found)

    def _broken_chunks(self) -> Iterator[Chunk]:
        stack = [chunk for chunk in self.chunks if chunk.problems or chunk.members]
        while stack:
            chunk = stack.pop()
            if chunk.problems:
                yield chunk
            stack += [member for member in chunk.members if member.problems or member.members]


def parse_module(source: SourceText, previous: ParsedModule | None = None) -> ParsedModule:
    """Parses a module; never raises, whatever the text is.

    Args:
      source: the text.
      previous: a version of the same module. Its chunks are kept where their text did not change; the result is the
        same as without it.
    """
    if previous is None:
        splitter = _Splitter(source.text, None)
        pieces, _ = splitter.block(0, ("",))
        starts = list(accumulate((len(piece.chunk.text) for piece in pieces), initial=0))
        return ParsedModule(source, pieces, starts, _far(pieces), splitter.parsed)
    return _reparse(source, previous)


def _reparse(source: SourceText, previous: ParsedModule) -> ParsedModule:
    text = source.text
    change = _Change.between(previous.source.text, text)
    old, old_starts = previous._pieces, previous._starts
    first = bisect_left(old_starts, change.start - _NEAR)
    far = (i for i in previous._far if i < first and old_starts[i] + old[i].reach > change.start)
    first = next(far, max(0, first - 1))
    last = min(bisect_left(old_starts, change.old_end), len(old))
    reuse = _Reuse(change, old[first:last], old_starts[first:last])
    splitter = _Splitter(text, reuse)
    fresh: list[_Piece] = []
    fresh_starts: list[int] = []
    position = old_starts[first] if old else 0
    kept = len(old)
    while position < len(text):
        if position >= change.new_end:
            kept = bisect_left(old_starts, position - change.shift)
            if kept < len(old) and old_starts[kept] == position - change.shift:
                break
            kept = len(old)
        piece = reuse.in_place(position, ("",)) or splitter.piece(position, ("",))
        fresh.append(piece)
        fresh_starts.append(position)
        position += len(piece.chunk.text)
    else:
        kept = len(old)
    pieces = [*old[:first], *fresh, *old[kept:]]
    shift = change.shift
    starts = [*old_starts[:first], *fresh_starts]
    starts += [start + shift for start in old_starts[kept:]] if kept < len(old) else [len(text)]
    moved = first + len(fresh) - kept
    far_pieces = [i for i in previous._far if i < first]
    far_pieces += [first + i for i in _far(fresh)]
    far_pieces += [i + moved for i in previous._far if i >= kept]
    return ParsedModule(source, pieces, starts, far_pieces, splitter.parsed)


def _far(pieces: Sequence[_Piece]) -> list[int]:
    return [i for i, piece in enumerate(pieces) if piece.reach > len(piece.chunk.text) + _NEAR]


@dataclass(frozen=True, slots=True)
class _Change:
    """What differs between two texts: old[start:old_end] became new[start:new_end]."""

    start: int
    old_end: int
    new_end: int

    @property
    def shift(self) -> int:
        """How far the text after the change moved."""
        return self.new_end - self.old_end

    @staticmethod
    def between(old: str, new: str) -> _Change:
        """The smallest change; slices are compared, which is much faster than characters."""
        low, high = 0, min(len(old), len(new))
        while low < high:
            middle = (low + high + 1) // 2
            if old[low:middle] == new[low:middle]:
                low = middle
            else:
                high = middle - 1
        start = low
        low, high = 0, min(len(old), len(new)) - start
        while low < high:
            middle = (low + high + 1) // 2
            if old[len(old) - middle : len(old) - low] == new[len(new) - middle : len(new) - low]:
                low = middle
            else:
                high = middle - 1
        return _Change(start, len(old) - low, len(new) - low)


class _Reuse:
    """The pieces of the previous version around a change."""

    def __init__(self, change: _Change, pieces: Sequence[_Piece], starts: Sequence[int]) -> None:
        self._change = change
        self._places: dict[tuple[int, tuple[str, ...]], _Piece] = {}
        self._pool: dict[tuple[bool, str], list[_Piece]] = {}
        for piece, start in zip(pieces, starts, strict=True):
            self._add(piece, start, ("",))

    def _add(self, piece: _Piece, start: int, indents: tuple[str, ...]) -> None:
        self._places[start, indents] = piece
        change = self._change
        if piece.members:
            start += len(piece.chunk.text) - sum(len(member.chunk.text) for member in piece.members)
            first = piece.members[0].chunk.text
            indents = (*indents, first[: len(first) - len(first.lstrip(" \t"))])
            for member in piece.members:
                self._add(member, start, indents)
                start += len(member.chunk.text)
        elif start + piece.reach > change.start and start < change.old_end:
            self._pool.setdefault((len(indents) > 1, piece.chunk.text), []).append(piece)

    def in_place(self, position: int, indents: tuple[str, ...]) -> _Piece | None:
        """The piece that was at this place, if all that it depends on is unchanged."""
        change = self._change
        if position >= change.new_end:
            return self._places.get((position - change.shift, indents))
        piece = self._places.get((position, indents))
        return piece if piece is not None and position + piece.reach <= change.start else None

    def elsewhere(self, text: str, wrapped: bool, accepted: bool) -> Chunk | None:
        """A chunk with this text that lost its place. Each is given once."""
        pool = self._pool.get((wrapped, text))
        return pool.pop(0).chunk if pool and pool[0].accepted is accepted else None

    def refused(self, text: str, wrapped: bool) -> bool:
        """Whether it is known that the parser does not take this text."""
        pool = self._pool.get((wrapped, text))
        return pool is not None and len(pool) > 0 and not pool[0].accepted


@lru_cache(maxsize=128)
def _cut_pattern(indents: tuple[str, ...], carriage_returns: bool) -> re.Pattern[str]:
    """Matches a line break and the indentation, before a statement of a block or of the ones around it."""
    breaks = r"[\n\r]" if carriage_returns else r"\n"
    if indents == ("",):
        return re.compile(breaks + _NO_START)
    choices = "|".join(re.escape(indent) for indent in sorted(indents, key=len, reverse=True))
    return re.compile(f"{breaks}(?:{choices}){_NO_START}")


class _Scan(NamedTuple):
    """Where the brackets and quotes say that a chunk ends.

    Args:
      closed: where all of them are closed; None if they are not.
      broken: where the chunk ends if the parser does not take it up to `closed`.
      seen: up to where the text was looked at; more than its length if its end mattered.
    """

    closed: int | None
    broken: int
    seen: int


class _Splitter:
    """Cuts one text into pieces."""

    def __init__(self, text: str, reuse: _Reuse | None) -> None:
        self.text = text
        self.parsed = 0
        self._reuse = reuse
        self._refusals: dict[str, Refusal] = {}
        self._carriage_returns = "\r" in text

    def block(self, position: int, indents: tuple[str, ...]) -> tuple[list[_Piece], int]:
        """The pieces of a block from `position` on, and where the block ends: before a line with less indentation.

        Args:
          position: the start of a line, which is in the block.
          indents: the indentation of the blocks around this one, and its own.
        """
        pieces: list[_Piece] = []
        while position < len(self.text) and (not pieces or self.text.startswith(indents[-1], position)):
            piece = self._reuse.in_place(position, indents) if self._reuse else None
            piece = piece or self.piece(position, indents)
            pieces.append(piece)
            position += len(piece.chunk.text)
        return pieces, position

    def piece(self, position: int, indents: tuple[str, ...]) -> _Piece:
        """The piece that starts at `position`; depends on the text from there on only."""
        first, head = self._first_cut(position, indents)
        seen = self._seen_at(first, indents)
        piece = self._intact(position, head, first, seen, indents)
        if piece is not None:
            return piece
        scan = self._scan(position, first, indents)
        seen = max(seen, scan.seen)
        ends = [first] if scan.closed in (None, first) else [first, scan.closed]
        for end in ends[1:]:
            piece = self._intact(position, head, end, seen, indents)
            if piece is not None:
                return piece
        for end in ends:
            piece = self._class(position, head, end, seen, indents, self._broken_header)
            if piece is not None:
                return piece
        text = self.text[position : scan.broken]
        chunk = self._reuse.elsewhere(text, len(indents) > 1, accepted=False) if self._reuse else None
        if chunk is None:
            self.parsed += 1
            chunk = broken_chunk(text, len(indents) > 1, self._refusals.get(text))
        return _Piece(chunk, seen - position, accepted=False)

    def _intact(self, position: int, head: int, end: int, seen: int, indents: tuple[str, ...]) -> _Piece | None:
        """The piece of these lines if they are a large class, or if the parser takes them as they are."""
        return self._class(position, head, end, seen, indents, self._header) or self._whole(
            position, end, seen, indents
        )

    def _whole(self, position: int, end: int, seen: int, indents: tuple[str, ...]) -> _Piece | None:
        """The piece of these lines if the parser takes them as they are."""
        text = self.text[position:end]
        wrapped = len(indents) > 1
        chunk = self._reuse.elsewhere(text, wrapped, accepted=True) if self._reuse else None
        if chunk is None:
            if self._reuse and self._reuse.refused(text, wrapped):
                return None
            statements = parse(text, wrapped)
            if isinstance(statements, Refusal):
                self._refusals = {text: statements}
                return None
            self.parsed += 1
            chunk = Chunk(text, tuple(statements))
        return _Piece(chunk, seen - position, accepted=True)

    def _class(
        self, position: int, head: int, end: int, seen: int, indents: tuple[str, ...], read_header: _ReadHeader
    ) -> _Piece | None:
        """The piece of a large class, cut into its members; None if these lines are something else."""
        text = self.text
        named = _CLASS.match(text, head + len(indents[-1]))
        if named is None or len(indents) > _MAX_NESTING or count_lines(text[position:end]) <= LARGE_CLASS:
            return None
        header = read_header(position, head, end, indents)
        if header is None:
            return None
        statement, problems, body, indent = header
        members, stop = self.block(body, (*indents, indent))
        line = count_lines(text[position:body])
        place = body
        for member in members:
            seen = max(seen, place + member.reach)
            place += len(member.chunk.text)
            if member.chunk.statements:
                last = member.chunk.statements[-1]
                statement.end_lineno = line + (last.end_lineno or 0)
                statement.end_col_offset = last.end_col_offset
            line += member.chunk.line_count
        chunk = Chunk(text[position:stop], (statement,), problems, tuple(member.chunk for member in members))
        return _Piece(chunk, seen - position, accepted=True, members=tuple(members))

    def _header(self, position: int, head: int, end: int, indents: tuple[str, ...]) -> _Header | None:
        """The header of a class that the parser takes."""
        text = self.text
        stop = _logical_line_end(text, head, end)
        body = _BLANK_LINES.match(text, stop, end).end()  # type: ignore[union-attr]
        indent = _INDENT.match(text, body, end).group()  # type: ignore[union-attr]
        if body == end or not indent.startswith(indents[-1]) or indent == indents[-1]:
            return None
        source = f"{text[position:stop]}{indent}pass\n".replace("\r\n", "\n").replace("\r", "\n")
        wrapped = len(indents) > 1
        statement = _only_class(parse(source, wrapped)) or _only_class(parse_newer(source, wrapped))
        return None if statement is None else _Header(statement, (), body, indent)

    def _broken_header(self, position: int, head: int, end: int, indents: tuple[str, ...]) -> _Header | None:
        """The header of a class whose bases are being typed; it is taken to have none.

        Asked for last: a class that the parser takes as a whole may be laid out as `_header` does not expect it.
        """
        text = self.text
        named = _CLASS.match(text, head + len(indents[-1]))
        found = re.compile(rf"[\r\n]{re.escape(indents[-1])}(?={_BODY_START})").search(text, head, end)
        if named is None or found is None:
            return None
        body = found.start() + 1
        indent = _INDENT.match(text, body).group()  # type: ignore[union-attr]
        line = count_lines(text[position:head])
        for before in (text[position:head], "\n" * line):
            source = f"{before}{text[head : named.end()]}:\n{indent}pass\n"
            statement = _only_class(parse(source, len(indents) > 1))
            if statement is not None:
                problem = SyntaxProblem(line, "the header of the class does not parse", skipped=False)
                return _Header(statement, (problem,), body, indent)
        return None

    def _first_cut(self, position: int, indents: tuple[str, ...]) -> tuple[int, int]:
        """The next line that starts a statement, decorators aside; and the line at which the first statement starts."""
        text, own = self.text, indents[-1]
        search = _cut_pattern(indents, self._carriage_returns).search
        head = position
        while found := search(text, head):
            cut = found.start() + 1
            if not (text.startswith(own + "@", head) and text.startswith(own, cut)):
                return cut, head
            head = cut
        return len(text), head

    def _seen_at(self, cut: int, indents: tuple[str, ...]) -> int:
        return len(self.text) + 1 if cut == len(self.text) else cut + max(map(len, indents)) + _WORD

    def _scan(self, position: int, first: int, indents: tuple[str, ...]) -> _Scan:
        """Follows brackets and quotes to the first place, not before `first`, where a statement may start.

        If something stays open up to a line that must be a statement, or up to the end, the chunk ends before the
        first line that looks like a statement.
        """
        text = self.text
        cut = _cut_pattern(indents, self._carriage_returns)
        depth = 0
        opened_indent = 0
        line = position
        broken: int | None = None
        for kind, start, end in lex(text, position):
            if kind is Kind.OPEN:
                if depth == 0:
                    opened_indent = self._indent_at(start)
                depth += 1
                if depth > _MAX_BRACKETS:
                    return self._unclosed(first, end, broken, indents)
            elif kind is Kind.CLOSE:
                depth = max(0, depth - 1)
            elif kind is Kind.NEWLINE:
                decorator = depth == 0 and _DECORATOR.match(text, line)
                line = end if depth == 0 else line
                found = cut.match(text, end - 1) if end >= first and not decorator else None
                if found is None:
                    continue
                if depth == 0:
                    return _Scan(end, end if broken is None else broken, self._seen_at(end, indents))
                if STATEMENT_START.match(text, found.end()):
                    return self._unclosed(first, end, broken, indents)
                if broken is None and opened_indent > found.end() - end:
                    # Nobody puts what is in brackets to the left of the statement, unless it follows a string.
                    broken = end
            elif kind is Kind.UNTERMINATED:
                if end == len(text):
                    return self._unclosed(first, end, broken, indents)
            elif kind is Kind.STRING and _is_inside_out(text, start, end):
                return self._unclosed(first, end, broken, indents)
        if depth:
            return self._unclosed(first, len(text), broken, indents)
        return _Scan(len(text), len(text) if broken is None else broken, len(text) + 1)

    def _unclosed(self, first: int, stop: int, broken: int | None, indents: tuple[str, ...]) -> _Scan:
        """The scan that came to nothing at `stop`; `broken` is where the chunk ends, if that is known."""
        text = self.text
        if broken is None:
            broken = len(text)
            for found in _cut_pattern(indents, self._carriage_returns).finditer(text, first - 1):
                if _LIKELY_STATEMENT.match(text, found.end()):
                    broken = found.start() + 1
                    break
        seen = _LINE.match(text, max(broken, stop)).end() + 1  # type: ignore[union-attr]
        return _Scan(None, broken, seen)

    def _indent_at(self, position: int) -> int:
        start = max(self.text.rfind("\n", 0, position), self.text.rfind("\r", 0, position)) + 1
        return _INDENT.match(self.text, start).end() - start  # type: ignore[union-attr]


class _Header(NamedTuple):
    """The header of a class that is cut into members: its statement, and where and how far indented its body starts."""

    statement: ast.ClassDef
    problems: tuple[SyntaxProblem, ...]
    body: int
    indent: str


_ReadHeader = Callable[[int, int, int, "tuple[str, ...]"], "_Header | None"]


def _only_class(statements: list[ast.stmt] | Refusal) -> ast.ClassDef | None:
    if isinstance(statements, list) and len(statements) == 1 and isinstance(statements[0], ast.ClassDef):
        return statements[0]
    return None


def _logical_line_end(text: str, position: int, end: int) -> int:
    """The end of the logical line that starts at `position`, with its line break; at most `end`."""
    depth = 0
    for kind, _, after in lex(text, position):
        if after >= end:
            break
        if kind is Kind.OPEN:
            depth += 1
        elif kind is Kind.CLOSE:
            depth -= 1
        elif kind is Kind.NEWLINE and depth <= 0:
            return after
    return end


def _is_inside_out(text: str, start: int, end: int) -> bool:
    """Whether a string with triple quotes is what lies between two strings, since one of them is not closed.

    No valid string touches a word that is not a keyword or prefix, or follows a dot or a closing bracket.
    """
    if not text.startswith(('"""', "'''"), start):
        return False
    after = _WORD_AFTER.match(text, end)
    if after is not None and not keyword.iskeyword(after.group()):
        return True
    before = _WORD_BEFORE.search(text[max(0, start - 40) : start - len(prefix_of(text, start))])
    return before is not None and not keyword.iskeyword(before.group())

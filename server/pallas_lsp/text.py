"""A version of a document: its lines, its offsets, and the encodings that columns are counted in.

Line breaks are `\n`, `\r\n` and `\r` only, as in LSP (3.17, Text Documents) and in Python's grammar; a form feed or
U+2028 is an ordinary character. Lines and characters are 0-based; a character is a Unicode code point.
"""

from __future__ import annotations

import codecs
import enum
import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from pallas_lsp.findings import Edit, Notice, Position, Range

_LINE_BREAK = re.compile(r"\r\n|\r|\n")

# PEP 263: a comment alone on the first or second line; the first line must be blank or a comment if it is the second.
_COOKIE = re.compile(rb"[ \t\f]*#[^\r\n]*?coding[:=][ \t]*([-\w.]+)")
_BLANK_OR_COMMENT = re.compile(rb"[ \t\f]*(?:#[^\r\n]*)?(?:\r\n|\r|\n)")

# Longest first: the mark of UTF-16-LE starts that of UTF-32-LE.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

# A NUL byte in the first bytes means binary: the rule that git and grep use.
_BINARY_PREFIX = 8000

_ESCAPED_BYTE = re.compile("[\udc80-\udcff]")


class PositionEncoding(enum.Enum):
    """What a client counts columns in; the values are LSP's (3.17, PositionEncodingKind)."""

    UTF8 = "utf-8"
    UTF16 = "utf-16"
    UTF32 = "utf-32"


class SourceText:
    """One version of a document. Immutable; the line tables are computed once, when first asked for."""

    def __init__(self, text: str) -> None:
        """Keeps `text` as it is; any `str` will do, with lone surrogates as well."""
        self.text = text

    def __repr__(self) -> str:
        return f"SourceText({self.text[:40]!r}, {len(self.text)} characters)"

    @cached_property
    def _lines(self) -> list[str]:
        text = self.text
        if "\r" not in text:
            return text.split("\n")
        breaks = text.count("\r\n")
        if breaks == text.count("\n") == text.count("\r"):
            return text.split("\r\n")
        return _LINE_BREAK.split(text)

    @cached_property
    def _starts(self) -> list[int]:
        text = self.text
        if "\r" not in text:
            width = 1
        elif text.count("\r\n") == text.count("\n") == text.count("\r"):
            width = 2
        else:
            return [0, *(found.end() for found in _LINE_BREAK.finditer(text))]
        starts = list(accumulate(map(width.__add__, map(len, self._lines)), initial=0))
        starts.pop()
        return starts

    @property
    def line_count(self) -> int:
        """The number of lines; at least one. A trailing line break opens a last, empty line, as in LSP."""
        return len(self._lines)

    def line(self, line: int) -> str:
        """The text of a line, without its line break.

        Raises:
          IndexError: there is no such line.
        """
        return self._lines[line]

    def line_start(self, line: int) -> int:
        """The offset at which a line starts.

        Raises:
          IndexError: there is no such line.
        """
        return self._starts[line]

    def offset(self, position: Position) -> int:
        """The offset of a position. Past the end of a line it is the line's end, past the last line the text's end."""
        line = position.line
        if line < 0:
            return 0
        if line >= len(self._lines):
            return len(self.text)
        return self._starts[line] + max(0, min(position.character, len(self._lines[line])))

    def position(self, offset: int) -> Position:
        """The position of an offset, which is clamped to the text; inside a line break it is the line's end."""
        offset = max(0, min(offset, len(self.text)))
        line = bisect_right(self._starts, offset) - 1
        return Position(line, min(offset - self._starts[line], len(self._lines[line])))

    def slice(self, range: Range) -> str:
        """The text of a range, clamped as in `offset`; empty for a reversed range."""
        return self.text[self.offset(range.start) : self.offset(range.end)]

    def character(self, line: int, utf8_column: int) -> int:
        """Turns a column of `ast` (UTF-8 bytes) into code points, clamped to the line."""
        text = self._lines[line]
        if text.isascii():
            return max(0, min(utf8_column, len(text)))
        prefix = text.encode("utf-8", "surrogatepass")[: max(0, utf8_column)]
        return sum(byte & 0xC0 != 0x80 for byte in prefix)

    def units(self, position: Position, encoding: PositionEncoding) -> int:
        """The column of a position in a client's encoding; clamped to the line."""
        line = min(max(position.line, 0), len(self._lines) - 1)
        text = self._lines[line]
        prefix = text[: max(0, position.character)]
        if encoding is PositionEncoding.UTF32 or prefix.isascii():
            return len(prefix)
        if encoding is PositionEncoding.UTF8:
            return len(prefix.encode("utf-8", "surrogatepass"))
        return len(prefix.encode("utf-16-le", "surrogatepass")) // 2

    def from_units(self, line: int, units: int, encoding: PositionEncoding) -> Position:
        """The position of a client's column. Clamped; a column inside a character is the place before it."""
        if line < 0:
            return Position(0, 0)
        if line >= len(self._lines):
            return self.position(len(self.text))
        text = self._lines[line]
        units = max(0, units)
        prefix = text[:units]
        if encoding is PositionEncoding.UTF32 or prefix.isascii():
            return Position(line, len(prefix))
        if encoding is PositionEncoding.UTF16 and max(prefix) <= "\uffff":
            return Position(line, len(prefix))
        for index, character in enumerate(text):
            units -= _width(character, encoding)
            if units < 0:
                return Position(line, index)
        return Position(line, len(text))

    def newline(self) -> str:
        r"""The line break used most often; `\n` when there is none."""
        both = self.text.count("\r\n")
        counts = {"\n": self.text.count("\n") - both, "\r\n": both, "\r": self.text.count("\r") - both}
        return max(counts, key=lambda newline: counts[newline])

    def replaced(self, edits: Sequence[Edit]) -> str:
        """The text after `edits`, which are sorted and disjoint.

        Raises:
          ValueError: two edits overlap, or are out of order.
        """
        parts: list[str] = []
        done = 0
        for edit in edits:
            start, end = self.offset(edit.range.start), self.offset(edit.range.end)
            if start < done or end < start:
                raise ValueError(f"edits overlap or are out of order at {edit.range.start}")
            parts += (self.text[done:start], edit.new_text)
            done = end
        return "".join((*parts, self.text[done:]))


def _width(character: str, encoding: PositionEncoding) -> int:
    if encoding is PositionEncoding.UTF16:
        return 2 if character > "\uffff" else 1
    return len(character.encode("utf-8", "surrogatepass"))


class UndecodableError(ValueError):
    """The bytes are not text."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """The text of a file, and what it takes to write it back.

    Args:
      text: without the byte order mark. A byte that its encoding does not know is a lone surrogate, U+DC80 to U+DCFF.
      encoding: the codec's name.
      bom: whether the file starts with a byte order mark.
      notices: what Python would not accept: bytes that are not in the encoding, an unknown encoding, UTF-16.
    """

    text: str
    encoding: str = "utf-8"
    bom: bool = False
    notices: tuple[Notice, ...] = ()


def decode(data: bytes) -> Decoded:
    """Decodes a Python file as PEP 263 says, and goes on where Python would stop.

    `encode(decoded.text, decoded)` is `data` again, for any `data` that does not raise.

    Raises:
      UndecodableError: the file is binary.
    """
    mark, encoding = next(((mark, name) for mark, name in _MARKS if data.startswith(mark)), (b"", "utf-8"))
    if encoding != "utf-8":
        return _decode_wide(data, mark, encoding)
    content = data[len(mark) :]
    if b"\0" in content[:_BINARY_PREFIX]:
        raise UndecodableError("the file has NUL bytes: it is binary, or UTF-16 without a byte order mark")
    notices: list[Notice] = []
    line, cookie = _cookie(content)
    codec = _codec(cookie) if cookie is not None else "utf-8"
    if mark and codec != "utf-8":
        notices.append(_line_notice(line, f"the encoding is {cookie!r}, but the byte order mark says UTF-8"))
    elif codec != "utf-8":
        text = _decode_exactly(content, codec) if codec is not None else None
        if codec is not None and text is not None:
            return Decoded(text, codec, False, _undecodable(text))
        notices.append(_line_notice(line, f"unknown encoding {cookie!r}, read as UTF-8"))
    text = content.decode("utf-8", "surrogateescape")
    return Decoded(text, "utf-8", bool(mark), (*notices, *_undecodable(text)))


def encode(text: str, decoded: Decoded) -> bytes:
    """The bytes of `text` in the encoding of the file that `decoded` came from, with its byte order mark.

    Raises:
      UnicodeEncodeError: the file's encoding lacks a character of `text`.
    """
    mark = next(mark for mark, name in _MARKS if name == decoded.encoding) if decoded.bom else b""
    return mark + text.encode(decoded.encoding, _errors(decoded.encoding))


def _errors(encoding: str) -> str:
    """How lone surrogates are written: in UTF-16 they may stand in the file, elsewhere they are undecodable bytes."""
    return "surrogatepass" if encoding.startswith(("utf-16", "utf-32")) else "surrogateescape"


def _decode_wide(data: bytes, mark: bytes, encoding: str) -> Decoded:
    try:
        text = data[len(mark) :].decode(encoding, _errors(encoding))
    except UnicodeDecodeError as error:
        raise UndecodableError(f"the file starts like {encoding.upper()}, but is not: {error.reason}") from None
    notice = _line_notice(0, f"the file is {encoding.upper()}, which Python does not read")
    return Decoded(text, encoding, True, (notice,))


def _cookie(content: bytes) -> tuple[int, str | None]:
    """The line and the name of the encoding that a PEP 263 comment declares."""
    found = _COOKIE.match(content)
    if found:
        return 0, found.group(1).decode("ascii")
    first = _BLANK_OR_COMMENT.match(content)
    found = _COOKIE.match(content, first.end()) if first else None
    return 1, found.group(1).decode("ascii") if found else None


def _codec(encoding: str) -> str | None:
    """The codec for a declared name, as Python's tokenizer knows it; None if there is none."""
    name = encoding.lower().replace("_", "-")
    for known in ("utf-8", "latin-1", "iso-8859-1", "iso-latin-1"):
        if name == known or name.startswith(f"{known}-"):
            return "utf-8" if known == "utf-8" else "iso8859-1"
    try:
        return codecs.lookup(encoding).name
    except (LookupError, ValueError):
        return None


def _decode_exactly(content: bytes, codec: str) -> str | None:
    """The text, or None if the codec is none for text, or cannot write the same bytes back."""
    try:
        text = content.decode(codec, "surrogateescape")
        return text if text.encode(codec, "surrogateescape") == content else None
    except (LookupError, ValueError):
        return None


def _line_notice(line: int, message: str) -> Notice:
    return Notice(Range(Position(line, 0), Position(line, 0)), message)


def _undecodable(text: str) -> tuple[Notice, ...]:
    """A notice of the bytes that are not in the encoding, at the first of them."""
    if text.isascii():
        return ()
    offsets = [found.start() for found in _ESCAPED_BYTE.finditer(text)]
    if not offsets:
        return ()
    start = SourceText(text).position(offsets[0])
    place = Range(start, Position(start.line, start.character + 1))
    byte = ord(text[offsets[0]]) - 0xDC00
    more = f", and {len(offsets) - 1} more" if len(offsets) > 1 else ""
    return (Notice(place, f"byte 0x{byte:02x} is not in the encoding of the file{more}"),)

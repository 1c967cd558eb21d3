"""Comments that hide findings.

    # pallas: ignore                    every finding of the statement that begins or ends on this line
    # pallas: ignore[PAL001, slug]      those of the named rules, by code or by slug
    # noqa, # noqa: PAL001              the same, in the words of flake8 and ruff
    # pallas: ignore-file[PAL001]       those of the whole file; without brackets all of them
    # pallas: off[PAL001], # pallas: on from this line on, until they are switched on again

A comment that names no rule in its brackets, or does not close them, hides nothing. Comments are found without
parsing, so they keep working while the text around them is broken; and only the functions that hold such a comment are
looked at, since this is done at every keystroke.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pallas_lsp.findings import Edit, Finding, Position, Range
from pallas_lsp.text import SourceText

_TOKEN = re.compile(
    r"""[()\[\]{}]
      | \\(?:\r\n|\r|\n)
      | \#[^\r\n]*
      | "(?: ""[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*("{3})? | [^"\\\r\n]*(?:\\.[^"\\\r\n]*)*"? )
      | '(?: ''[^'\\]*(?:(?:\\.|'(?!''))[^'\\]*)*('{3})? | [^'\\\r\n]*(?:\\.[^'\\\r\n]*)*'? )""",
    re.S | re.X,
)
_TRIPLE_QUOTES = ('"""', "'''")
# Lines that begin a statement whatever is open above: these words cannot stand in brackets.
_BOUNDARY = re.compile(r"[ \t]*(?:async[ \t]+def|def|class)\b|(?:import|with|while|try|raise|return|assert|del)\b")
_DIRECTIVE = re.compile(
    r"""\#\s*(?:
        pallas:\s*(?P<verb>ignore-file|ignore|off|on)(?![\w-])(?:\s*\[(?P<names>[^\]\#]*)\]|(?!\s*\[))
      | (?:noqa|NOQA|NoQA)(?!\w)(?P<colon>\s*:\s*(?P<codes>[A-Za-z]+[0-9]+(?:[\s,]+[A-Za-z]+[0-9]+)*)?)?
    )""",
    re.X,
)
_HINTS = ("pallas:", "noqa", "NOQA", "NoQA")
"""A text without any of these has no such comment."""


@dataclass(frozen=True, slots=True)
class Directive:
    """One such comment.

    Args:
      verb: `ignore`, `ignore-file`, `off`, `on` or `noqa`.
      names: of the rules it is about, codes and slugs in lower case; None for every rule.
      range: from its `#` to its end.
    """

    verb: str
    names: frozenset[str] | None
    range: Range

    def concerns(self, finding: Finding) -> bool:
        """Whether it is about the rule of `finding`, wherever that is."""
        return self.names is None or finding.code.lower() in self.names or finding.name.lower() in self.names


@dataclass(frozen=True, slots=True)
class Suppressions:
    """The comments of one text that hide findings.

    Args:
      directives: in the order of the text.
      spans: first and last line, 0-based, of what the brackets, strings and backslashes of one statement hold together.
    """

    directives: tuple[Directive, ...] = ()
    spans: tuple[tuple[int, int], ...] = ()

    @staticmethod
    def of(text: str) -> Suppressions:
        """Reads the comments of a text, which may be broken in any way."""
        if not any(hint in text for hint in _HINTS):
            return _NONE
        source = SourceText(text)
        telling = _telling_lines(source)
        long_strings = _long_strings(source)
        if long_strings is not None:
            comments, spans = _comments(source, telling, long_strings)
        else:  # Behind an open triple quote nobody can tell strings from code: take what looks right.
            comments, spans = [(line, source.line(line).find("#")) for line in telling], []
        directives = tuple(
            directive
            for line, character in comments
            if character >= 0
            for directive in _directives(line, source.line(line), character)
        )
        return Suppressions(directives, tuple(spans)) if directives else _NONE

    def hides(self, finding: Finding) -> bool:
        """Whether a comment says not to report `finding`."""
        return any(True for _ in self._hiding(finding))

    def unused(self, findings: Iterable[Finding]) -> list[tuple[Directive, frozenset[str]]]:
        """The `pallas:` comments that hide none of `findings`, which are all that there would be without comments.

        Each comes with its names that hide none; one that names no rules comes with none.
        """
        used: dict[Directive, set[str]] = {}
        for finding in findings:
            for directive in self._hiding(finding):
                used.setdefault(directive, set()).update((finding.code.lower(), finding.name.lower()))
        found = []
        for directive in self.directives:
            names = (directive.names or frozenset()) - used.get(directive, set())
            if directive.verb not in ("noqa", "on") and (names or directive not in used):
                found.append((directive, frozenset(names)))
        return found

    def _hiding(self, finding: Finding) -> Iterator[Directive]:
        switch = None
        lines = self._lines_of(finding) if self.directives else frozenset()
        for directive in self.directives:
            if not directive.concerns(finding):
                continue
            line = directive.range.start.line
            if directive.verb in ("on", "off"):
                switch = directive if line <= finding.range.start.line else switch
            elif directive.verb == "ignore-file" or line in lines:
                yield directive
        if switch is not None and switch.verb == "off":
            yield switch

    def _lines_of(self, finding: Finding) -> frozenset[int]:
        """The lines whose comments are about `finding`: its first and its last, and those of its statement."""
        first, last = finding.range.start.line, finding.range.end.line
        if finding.range.end.character == 0 and last > first:
            last -= 1
        return frozenset((first, last, *self._span(first), *self._span(last)))

    def _span(self, line: int) -> tuple[int, int]:
        index = bisect_right(self.spans, line, key=lambda span: span[0]) - 1
        if index >= 0 and line <= self.spans[index][1]:
            return self.spans[index]
        return (line, line)


_NONE = Suppressions()


def _telling_lines(source: SourceText) -> list[int]:
    """The lines that may hold a directive."""
    lines = set()
    for hint in _HINTS:
        offset = source.text.find(hint)
        while offset >= 0:
            lines.add(source.position(offset).line)
            offset = source.text.find(hint, offset + len(hint))
    return sorted(lines)


def _long_strings(source: SourceText) -> list[tuple[int, int]] | None:
    """The offsets of all triple-quoted strings, or None when one is not closed."""
    spans: list[tuple[int, int]] = []
    done = 0
    nearest = {quote: source.text.find(quote) for quote in _TRIPLE_QUOTES}
    while True:
        for quote, offset in nearest.items():
            if 0 <= offset < done:
                nearest[quote] = source.text.find(quote, done)
        start = min((offset for offset in nearest.values() if offset >= 0), default=-1)
        if start < 0:
            return spans
        line_start = max(done, source.line_start(source.position(start).line))
        token = next(token for token in _TOKEN.finditer(source.text, line_start) if token.end() > start)
        done = token.end()
        if token.start() == start:  # Else it stands in a comment or in a string of the other quote.
            if not (token[1] or token[2]):
                return None
            spans.append((start, done))


def _comments(
    source: SourceText, telling: list[int], long_strings: list[tuple[int, int]]
) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Line and character of the comments on the `telling` lines, and the spans of lines of the statements there."""
    starts = [start for start, _ in long_strings]

    def is_boundary(line: int) -> bool:
        if not _BOUNDARY.match(source.line(line)):
            return False
        offset = source.line_start(line)
        index = bisect_left(starts, offset) - 1
        return index < 0 or long_strings[index][1] <= offset

    comments: list[tuple[int, int]] = []
    spans: list[tuple[int, int]] = []
    resume = last = 0
    for line in telling:
        first, last = line, max(last, line + 1)
        while first > 0 and source.line_start(first) > resume and not is_boundary(first):
            first -= 1
        while last < source.line_count and not is_boundary(last):
            last += 1
        begin = max(resume, source.line_start(first))
        end = source.line_start(last) if last < source.line_count else len(source.text)
        resume = _scan(source, begin, end, source.line_start(line) + len(source.line(line)), comments, spans)
    return comments, spans


def _scan(
    source: SourceText,
    begin: int,
    end: int,
    enough: int,
    comments: list[tuple[int, int]],
    spans: list[tuple[int, int]],
) -> int:
    """Adds the comments and spans between two offsets up to the end of the statement at `enough`.

    Returns:
      The offset at which the next scan can go on.
    """
    depth = opened_at = 0
    for found in _TOKEN.finditer(source.text, begin, end):
        if depth == 0 and found.start() > enough:
            return found.start()
        kind = source.text[found.start()]
        if kind == "#":
            place = source.position(found.start())
            comments.append((place.line, place.character))
        elif kind in "([{":
            opened_at = found.start() if depth == 0 else opened_at
            depth += 1
        elif kind in ")]}":
            depth = max(0, depth - 1)
            if depth == 0:
                _join(spans, source, opened_at, found.start())
        elif depth == 0:
            _join(spans, source, found.start(), found.end())
    return end


def _join(spans: list[tuple[int, int]], source: SourceText, start: int, end: int) -> None:
    """Adds the lines between two offsets, unless it is only one; joins them with the span before when they meet."""
    if source.text.find("\n", start, end) < 0 and source.text.find("\r", start, end) < 0:
        return
    first, last = source.position(start).line, source.position(end).line
    if spans and spans[-1][1] >= first:
        spans[-1] = (spans[-1][0], last)
    else:
        spans.append((first, last))


def _directives(line: int, text: str, character: int) -> Iterator[Directive]:
    """The directives in the comment that starts at a character of a line."""
    for found in _DIRECTIVE.finditer(text, character):
        end = found.start() + len(found[0].rstrip())
        verb = found["verb"] or "noqa"
        written = found["names"]
        if verb == "noqa":
            written = None if found["colon"] is None else found["codes"] or ""
        names = None if written is None else frozenset(re.findall(r"[\w-]+", written.lower()))
        yield Directive(verb, names, Range(Position(line, found.start()), Position(line, end)))


MAX_LINES_BELOW = 40
"""How far below a finding its statement may end for a comment to be put there."""


def ignoring(source: SourceText, finding: Finding) -> Edit | None:
    """The edit that hides a finding by a comment: a new one at the end of a line, or its code in one that is there.

    Args:
      source: the text.
      finding: in it.

    Returns:
      The edit; None where no comment can stand.
    """
    directives = Suppressions.of(source.text).directives
    last = finding.range.end.line
    below = range(last + 1, min(last + MAX_LINES_BELOW, source.line_count))
    for line in dict.fromkeys((last, finding.range.start.line, *below)):
        if source.line(line).rstrip().endswith("\\"):
            continue  # nothing may follow a backslash that continues a line
        edit = _ignoring_on(source, finding.code, line, directives)
        # In a string it would be no comment, and on a line of another statement not about this one.
        if Suppressions.of(source.replaced((edit,))).hides(finding):
            return edit
    return None


def _ignoring_on(source: SourceText, code: str, line: int, directives: Iterable[Directive]) -> Edit:
    """The edit for one line, be there room for a comment or not."""
    text = source.line(line)
    for directive in directives:
        if directive.verb == "ignore" and directive.names is not None and directive.range.start.line == line:
            written = source.slice(directive.range)
            opening, closing = written.index("["), written.rindex("]")
            names = [name.strip() for name in written[opening + 1 : closing].split(",") if name.strip()]
            return Edit(directive.range, f"{written[:opening]}[{', '.join((*names, code))}{written[closing:]}")
    return Edit(Range(Position(line, len(text.rstrip())), Position(line, len(text))), f"  # pallas: ignore[{code}]")

"""Comments that hide findings.

    # pallas: ignore                    every finding of the statement that begins or ends on this line
    # pallas: ignore[PAL001, slug]      those of the named rules, by code or by slug
    # noqa, # noqa: PAL001              the same, in the words of flake8 and ruff
    # pallas: ignore-file[PAL001]       those of the whole file; without brackets all of them
    # pallas: off[PAL001], # pallas: on from this line on, until they are switched on again

A comment that names no rule in its brackets, or does not close them, hides nothing. Comments are found without
parsing, so they keep working while the text around them is broken.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pallas_lsp.findings import Finding, Position, Range
from pallas_lsp.text import SourceText

_TOKEN = re.compile(
    r"""[()\[\]{}]
      | \\(?:\r\n|\r|\n)
      | \#[^\r\n]*
      | "(?: ""[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*("{3})? | [^"\\\r\n]*(?:\\.[^"\\\r\n]*)*"? )
      | '(?: ''[^'\\]*(?:(?:\\.|'(?!''))[^'\\]*)*('{3})? | [^'\\\r\n]*(?:\\.[^'\\\r\n]*)*'? )""",
    re.S | re.X,
)
_COMMENT = re.compile(r"#[^\r\n]*")
_DIRECTIVE = re.compile(
    r"""\#\s*(?:
        pallas:\s*(?P<verb>ignore-file|ignore|off|on)(?![\w-])(?:\s*\[(?P<names>[^\]]*)\]|(?!\s*\[))
      | noqa(?!\w)(?P<colon>\s*:\s*(?P<codes>[a-z]+[0-9]+(?:[\s,]+[a-z]+[0-9]+)*)?)?
    )""",
    re.I | re.X,
)


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
        lowered = text.lower()
        if "pallas:" not in lowered and "noqa" not in lowered:
            return _NONE
        source = SourceText(text)
        comments, spans, balanced = _scan(source)
        if not balanced:  # Behind an open triple quote nobody can tell strings from code: take all that looks right.
            comments = list(_COMMENT.finditer(text))
        directives = tuple(directive for comment in comments for directive in _directives(source, comment))
        return Suppressions(directives, tuple(spans)) if directives else _NONE

    def hides(self, finding: Finding) -> bool:
        """Whether a comment says not to report `finding`."""
        return any(True for _ in self._hiding(finding))

    def unused(self, findings: Iterable[Finding]) -> tuple[Directive, ...]:
        """The `pallas:` comments that hide none of `findings`, which are all that there would be without comments."""
        used = {directive for finding in findings for directive in self._hiding(finding)}
        return tuple(entry for entry in self.directives if entry.verb not in ("noqa", "on") and entry not in used)

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


def _scan(source: SourceText) -> tuple[list[re.Match[str]], list[tuple[int, int]], bool]:
    """The comments, the spans of lines that belong together, and whether every triple quote is closed."""
    comments = []
    spans: list[tuple[int, int]] = []
    depth = opened_at = 0
    for found in _TOKEN.finditer(source.text):
        token = found[0]
        kind = token[0]
        if kind == "#":
            comments.append(found)
        elif kind in "([{":
            opened_at = found.start() if depth == 0 else opened_at
            depth += 1
        elif kind in ")]}":
            depth = max(0, depth - 1)
            if depth == 0:
                _join(spans, source, opened_at, found.start())
        elif token[:3] in ('"""', "'''") and not (found[1] or found[2]):
            return comments, spans, False
        elif depth == 0:
            _join(spans, source, found.start(), found.end())
    return comments, spans, True


def _join(spans: list[tuple[int, int]], source: SourceText, start: int, end: int) -> None:
    """Adds the lines between two offsets, unless it is only one; joins them with the span before when they meet."""
    first, last = source.position(start).line, source.position(end).line
    if first == last:
        return
    if spans and spans[-1][1] >= first:
        spans[-1] = (spans[-1][0], last)
    else:
        spans.append((first, last))


def _directives(source: SourceText, comment: re.Match[str]) -> Iterator[Directive]:
    for found in _DIRECTIVE.finditer(comment[0]):
        start = source.position(comment.start() + found.start())
        end = Position(start.line, start.character + len(found[0].rstrip()))
        verb = (found["verb"] or "noqa").lower()
        written = found["names"]
        if verb == "noqa":
            written = None if found["colon"] is None else found["codes"] or ""
        names = None if written is None else frozenset(re.findall(r"[\w-]+", written.lower()))
        yield Directive(verb, names, Range(start, end))

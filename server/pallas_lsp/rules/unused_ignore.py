"""PAL901: a comment hides nothing."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import partial

from pallas_lsp.config import RULE_NAMES, Settings
from pallas_lsp.findings import Applicability, Edit, Finding, Fix, Position, Range, Severity, Tag
from pallas_lsp.rules.base import Rule
from pallas_lsp.semantics.analysis import Analysis
from pallas_lsp.suppressions import Directive, Suppressions
from pallas_lsp.text import SourceText


class UnusedIgnore(Rule):
    """A `# pallas: ignore` comment hides no finding.

    ## What it does
    Reports `ignore`, `ignore-file` and `off` comments that hide nothing, and names in their brackets that do. What they
    were written for is gone, and they would hide the next mistake on their line. A comment that hides a finding of a
    rule that is switched off is not unused. `# noqa` comments are left alone, which are other tools' as well, and so
    are names that are no rules, or are rules that are off by default.

    The fix deletes the comment, or the name.

    ## What JAX says
    Nothing.

    ## Example
    ```python
    import jax
    import jax.numpy as jnp
    from jax.experimental import pallas as pl

    def k(x_ref, o_ref):
        o_ref[...] = x_ref[...]  # pallas: ignore[PAL001]

    x = jnp.arange(8.0)
    y = pl.pallas_call(k, out_shape=jax.ShapeDtypeStruct((8,), jnp.float32), interpret=True)(x)
    ```

    ## Fixed
    ```python
    import jax
    import jax.numpy as jnp
    from jax.experimental import pallas as pl

    def k(x_ref, o_ref):
        o_ref[...] = x_ref[...]

    x = jnp.arange(8.0)
    y = pl.pallas_call(k, out_shape=jax.ShapeDtypeStruct((8,), jnp.float32), interpret=True)(x)
    ```
    """

    code = "PAL901"
    name = "unused-ignore"
    severity = Severity.WARNING

    def check(self, analysis: Analysis, settings: Settings) -> Iterable[Finding]:
        """Nothing: what is unused is known when all other rules have spoken; see `unused_ignores`."""
        return ()


def unused_ignores(
    source: SourceText, suppressions: Suppressions, findings: Collection[Finding], codes: Collection[str]
) -> Iterator[Finding]:
    """The findings of the rule.

    Args:
      source: the text.
      suppressions: its comments.
      findings: all that there would be without comments.
      codes: of the rules that were asked for them; comments about others are left alone.
    """
    known = {word.lower() for code in codes for word in (code, RULE_NAMES[code])}
    for directive, names in suppressions.unused(findings):
        if directive.names is None:
            yield _finding(directive, "This comment hides no finding.", partial(_without_comment, source, directive))
            continue
        unused = sorted(names & known)
        if unused and directive.names <= {*unused}:
            yield _finding(directive, "This comment hides no finding.", partial(_without_comment, source, directive))
        elif unused:
            listed = ", ".join(f"`{name.upper() if name.startswith('pal') else name}`" for name in unused)
            message = f"This comment hides no finding of {listed}."
            yield _finding(directive, message, partial(_without_names, source, directive, frozenset(unused)))


def _finding(directive: Directive, message: str, make_fixes: partial[tuple[Fix, ...]]) -> Finding:
    return Finding(
        UnusedIgnore.code,
        UnusedIgnore.name,
        message,
        UnusedIgnore.severity,
        directive.range,
        tags=(Tag.UNNECESSARY,),
        make_fixes=make_fixes,
    )


def _without_comment(source: SourceText, directive: Directive) -> tuple[Fix, ...]:
    line = directive.range.start.line
    text = source.line(line)
    before = text[: directive.range.start.character].rstrip()
    after = text[directive.range.end.character :].strip()
    if after:  # Another comment goes on where this one ends.
        span = Range(
            directive.range.start, Position(line, len(text) - len(text[directive.range.end.character :].lstrip()))
        )
    elif before or line + 1 >= source.line_count:
        span = Range(Position(line, len(before)), Position(line, len(text)))
    else:
        span = Range(Position(line, 0), Position(line + 1, 0))
    new = "# " if after and not after.startswith("#") else ""
    return (Fix("Delete the comment", (Edit(span, new),), Applicability.SAFE),)


def _without_names(source: SourceText, directive: Directive, names: frozenset[str]) -> tuple[Fix, ...]:
    text = source.slice(directive.range)
    opening, closing = text.index("["), text.rindex("]")
    kept = [name.strip() for name in text[opening + 1 : closing].split(",") if name.strip().lower() not in names]
    new = f"{text[: opening + 1]}{', '.join(kept)}{text[closing:]}"
    return (Fix("Delete the unused names", (Edit(directive.range, new),), Applicability.SAFE),)

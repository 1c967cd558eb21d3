"""Settings of a check: one frozen value, whatever it was read from."""

from __future__ import annotations

from dataclasses import dataclass, field

from pallas_lsp.findings import Severity


@dataclass(frozen=True, slots=True)
class Settings:
    """What a check depends on besides the text.

    Args:
      select: rule codes or prefixes of codes (`PAL`, `PAL0`) to report; empty means the rules that are on by default.
      extend_select: codes or prefixes added to `select`.
      ignore: codes or prefixes not to report; wins over `select` when it is the longer prefix, as in ruff.
      severity: overrides, by code.
      target_jax: the JAX version to check for, such as `0.9.2`; None for the newest known.
    """

    select: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    severity: dict[str, Severity] = field(default_factory=dict)
    target_jax: str | None = None


DEFAULT = Settings()

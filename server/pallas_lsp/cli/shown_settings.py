"""`check --show-settings`: the settings of a file, as they were put together."""

from __future__ import annotations

import json
from collections.abc import Iterable

from pallas_lsp.cli.formats.shared import lines
from pallas_lsp.config import PerFileIgnore, Settings
from pallas_lsp.rules.registry import RULES
from pallas_lsp.target import target_of


def shown_settings(path: str, settings: Settings) -> str:
    """Says what holds for the file with the absolute `path`, and where it was read."""
    rules = [f"{rule.code} ({rule.name})" for rule in RULES if settings.enables(rule.code, rule.default, path)]
    severity = {code: severity.value for code, severity in settings.severity.items()}
    ignores = settings.per_file_ignores
    values: dict[str, object] = {
        "rules": rules,
        "severity": severity,
        "per-file-ignores": {_glob(entry): [code or "ALL" for code in entry.codes] for entry in ignores},
        "exclude": [pattern.glob for pattern in settings.exclude.items],
        "include": [pattern.glob for pattern in settings.include.items],
        "force-exclude": settings.force_exclude,
        "respect-gitignore": settings.respect_gitignore,
        "target-jax": settings.target_jax or target_of(path, settings.python) or "newest",
        "python": settings.python or "none",
        "unsafe-fixes": settings.unsafe_fixes,
    }
    return lines(
        [
            f"Resolved settings for: {json.dumps(path)}",
            f"Settings path: {json.dumps(settings.source) if settings.source else 'none'}",
            "",
            *(f"{key} = {_written(value)}" for key, value in values.items()),
        ]
    )


def _glob(entry: PerFileIgnore) -> str:
    (pattern,) = entry.patterns.items
    return f"{'!' if entry.negated else ''}{pattern.glob}"


def _written(value: object) -> str:
    if isinstance(value, dict):
        return _block("{", (f"{json.dumps(key)} = {_written(inner)}" for key, inner in value.items()), "}")
    if isinstance(value, list) and len(value) > 1:
        return _block("[", map(json.dumps, value), "]")
    return json.dumps(value)


def _block(opening: str, items: Iterable[str], closing: str) -> str:
    written = [f"\t{item},\n" for item in items]
    return f"{opening}\n{''.join(written)}{closing}" if written else opening + closing

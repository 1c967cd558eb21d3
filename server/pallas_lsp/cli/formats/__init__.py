"""How results are written: one module per format, each with `render(results, palette) -> str`."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import NamedTuple

from pallas_lsp.cli.console import Palette
from pallas_lsp.cli.results import Result


class Format(NamedTuple):
    """An output format.

    Args:
      for_people: whether a closing line with the number of findings follows.
      documentation: what reads it.
    """

    for_people: bool
    documentation: str


FORMATS = {
    "full": Format(True, "the source around each finding, for people (the default)"),
    "concise": Format(True, "one line a finding, for people and for editors that read compilers"),
    "grouped": Format(True, "one block a file, for people"),
    "json": Format(False, "one JSON array, with the fields of ruff's"),
    "json-lines": Format(False, "one JSON object a line"),
    "github": Format(False, "workflow commands that GitHub Actions turns into annotations"),
    "gitlab": Format(False, "a GitLab Code Quality report"),
    "junit": Format(False, "JUnit XML"),
    "pylint": Format(False, "the lines of pylint's parseable format"),
    "rdjson": Format(False, "Reviewdog Diagnostic Format"),
    "sarif": Format(False, "SARIF 2.1.0"),
}


def render(name: str, results: Sequence[Result], palette: Palette) -> str:
    """Writes results in the format `name` of `FORMATS`; ends with a line break unless it is empty."""
    module = importlib.import_module(f"pallas_lsp.cli.formats.{name.replace('-', '_')}")
    rendered: str = module.render(results, palette)
    return rendered

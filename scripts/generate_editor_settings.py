"""Writes the server's settings and its version into vscode-client/package.json, from the options: `make docs`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from pallas_lsp import __version__
from pallas_lsp.config import OPTIONS, Option
from pallas_lsp.findings import Severity

MANIFEST = Path(__file__).parent.parent / "vscode-client" / "package.json"
GROUP = "checker"
"""The `id` of the group of settings that is generated; the extension sends these to the server, and no others."""

VALUE_SCHEMAS: dict[str, dict[str, Any]] = {
    "list of rule codes": {"type": "array", "items": {"type": "string"}, "uniqueItems": True},
    "list of patterns": {"type": "array", "items": {"type": "string"}, "uniqueItems": True},
    "table from rules to severities": {
        "type": "object",
        "additionalProperties": {"type": "string", "enum": [severity.value for severity in Severity]},
    },
    "table from patterns to lists of rule codes": {
        "type": "object",
        "additionalProperties": {"type": "array", "items": {"type": "string"}},
    },
    "true or false": {"type": "boolean"},
    "version": {"type": "string", "pattern": r"^$|^\d+(\.\d+){1,3}$", "patternErrorMessage": "such as 0.9.2"},
    "path": {"type": "string"},
}
"""What each form of value is in JSON Schema."""

_EMPTY: dict[str, Any] = {"array": [], "object": {}, "string": ""}


def property_name(option: Option) -> str:
    """The key of an option in the editor: in camelCase, with the section."""
    first, *others = option.key.split("-")
    return f"pallas-lsp.{first}{''.join(map(str.title, others))}"


def schema_of(option: Option) -> dict[str, Any]:
    """The JSON Schema of an option, with its documentation; a default that is not a value is told in words."""
    schema = VALUE_SCHEMAS[option.form]
    try:
        default, words = json.loads(option.default), ""
    except ValueError:
        default, words = _EMPTY[schema["type"]], f" Default: {option.default}."
    return {
        "scope": "resource",
        **schema,
        "default": default,
        "markdownDescription": f"{option.documentation}{words}",
    }


def properties() -> dict[str, Any]:
    """The settings that the editor can have, by name."""
    return {property_name(option): schema_of(option) for option in OPTIONS if not option.only_in_files}


def generated() -> dict[Path, str]:
    """The text of the manifest, by its path."""
    manifest = json.loads(MANIFEST.read_text(encoding="utf-8"))
    manifest["version"] = __version__
    group = next(group for group in manifest["contributes"]["configuration"] if group.get("id") == GROUP)
    group["properties"] = properties()
    return {MANIFEST: json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"}


def main() -> int:
    """Writes the manifest."""
    for path, text in generated().items():
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

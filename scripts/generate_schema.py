"""Writes server/pallas_lsp/schema.json, the JSON Schema of `pallas-lsp.toml`, from the options: `make docs`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from pallas_lsp.config import OPTIONS, RULE_NAMES, Option
from scripts.generate_editor_settings import VALUE_SCHEMAS

SCHEMA = Path(__file__).parent.parent / "server" / "pallas_lsp" / "schema.json"

_SELECTOR: dict[str, Any] = {
    "anyOf": [{"enum": ["ALL", *RULE_NAMES, *RULE_NAMES.values()]}, {"type": "string", "pattern": r"^PAL\d{0,3}$"}]
}
_SELECTORS = {"type": "array", "items": {"$ref": "#/definitions/selector"}}


def schema_of(option: Option) -> dict[str, Any]:
    """The JSON Schema of one option in a file."""
    schema = dict(VALUE_SCHEMAS[option.form])
    schema.pop("patternErrorMessage", None)
    if option.form == "list of rule codes":
        schema = _SELECTORS
    elif option.form == "table from patterns to lists of rule codes":
        schema["additionalProperties"] = _SELECTORS
    elif option.form == "version":
        schema["pattern"] = schema["pattern"].removeprefix("^$|")  # an editor's empty box is no setting
    elif option.form == "table from rules to severities":
        schema["propertyNames"] = {"enum": [*RULE_NAMES, *RULE_NAMES.values()]}
    return {"description": f"{option.documentation} Default: {option.default}.", **schema}


def schema() -> dict[str, Any]:
    """The JSON Schema of the file; the same holds for the table `[tool.pallas-lsp]` of `pyproject.toml`."""
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "Settings of pallas-lsp",
        "type": "object",
        "properties": {option.key: schema_of(option) for option in OPTIONS},
        "additionalProperties": False,
        "definitions": {"selector": _SELECTOR},
    }


def generated() -> dict[Path, str]:
    """The text of the file, by its path."""
    return {SCHEMA: json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"}


def main() -> int:
    """Writes the file."""
    for path, text in generated().items():
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

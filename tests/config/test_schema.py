"""The JSON Schema of the settings files: what editors complete and underline before anything of ours runs."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from pallas_lsp.config import OPTIONS, ConfigError, layer_from_assignment, problems_in
from scripts import generate_schema

SCHEMA: dict[str, Any] = json.loads(generate_schema.SCHEMA.read_text(encoding="utf-8"))


def test_the_schema_that_ships_is_that_of_the_options() -> None:
    for path, text in generate_schema.generated().items():
        assert path.read_text(encoding="utf-8") == text, "run `make docs`"
    assert list(SCHEMA["properties"]) == [option.key for option in OPTIONS]


def admits(schema: dict[str, Any], value: object) -> bool:
    """Whether a value is valid; of JSON Schema only what the file uses."""
    if "$ref" in schema:
        return admits(SCHEMA["definitions"]["selector"], value)
    if "anyOf" in schema:
        return any(admits(each, value) for each in schema["anyOf"])
    if "enum" in schema:
        return value in schema["enum"]
    kinds = {"array": list, "object": dict, "string": str, "boolean": bool}
    if not isinstance(value, kinds[schema["type"]]):
        return False
    if isinstance(value, list):
        return all(admits(schema["items"], item) for item in value)
    if isinstance(value, dict):
        known, others = schema.get("properties", {}), schema["additionalProperties"]
        names = schema.get("propertyNames")
        return all(
            (names is None or admits(names, key))
            and (key in known or others is not False)
            and admits(known.get(key, others), item)
            for key, item in value.items()
        )
    return not isinstance(value, str) or re.search(schema.get("pattern", ""), value) is not None


@pytest.mark.parametrize(
    "text",
    [
        *(option.example for option in OPTIONS if option.key != "extend"),
        'select = ["ALL"]',
        'select = ["PAL9"]',
        'select = ["returns"]',
        "unsafe-fixes = 1",
        'target-jax = "new"',
        'target-jax = ""',
        'severity = { PAL001 = "fatal" }',
        'severity = { PAL0 = "error" }',
        "slect = []",
        "exclude = [1]",
    ],
)
def test_the_schema_and_the_reader_agree(text: str) -> None:
    key, _, value = text.partition(" = ")
    try:
        layer_from_assignment(text)
        is_valid = True
    except ConfigError:
        is_valid = False
    assert (problems_in("/p/pallas-lsp.toml", text) == ()) == is_valid
    if text != 'select = ["PAL9"]':  # a prefix that no rule has yet: the schema is not that strict
        written = re.sub(r"([\w-]+|\"[^\"]*\") = ", lambda found: f'"{found[1].strip(chr(34))}": ', value)
        assert admits(SCHEMA, {key: json.loads(written)}) == is_valid

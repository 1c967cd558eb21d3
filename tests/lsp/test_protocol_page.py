"""docs/protocol.md says of every method whether it is supported, and is right about it."""

from __future__ import annotations

from lsprotocol import types

from scripts import generate_protocol


def test_the_page_is_that_of_the_server() -> None:
    for path, text in generate_protocol.generated().items():
        assert path.read_text(encoding="utf-8") == text, "run `make docs`"


def test_every_method_is_on_the_page() -> None:
    assert generate_protocol.REMARKS.keys() == types.METHOD_TO_TYPES.keys()
    assert {types.TEXT_DOCUMENT_DIAGNOSTIC, types.WORKSPACE_DIAGNOSTIC, types.EXIT} <= generate_protocol.handled()
    assert {types.WINDOW_LOG_MESSAGE, types.PROGRESS, types.WORKSPACE_APPLY_EDIT} <= generate_protocol.sent()

"""JSON-RPC 2.0 as LSP uses it: bytes to a checked message, and the refusals of what is not one."""

from __future__ import annotations

import enum
import json
from typing import Any, NamedTuple

Message = dict[str, Any]
MessageId = int | str

CANCEL_REQUEST = "$/cancelRequest"


class ErrorCode(enum.IntEnum):
    """The error codes that this server sends (LSP 3.17, ErrorCodes)."""

    PARSE_ERROR = -32700
    INVALID_REQUEST = -32600
    METHOD_NOT_FOUND = -32601
    INVALID_PARAMS = -32602
    INTERNAL_ERROR = -32603
    SERVER_NOT_INITIALIZED = -32002
    REQUEST_FAILED = -32803
    CONTENT_MODIFIED = -32801
    REQUEST_CANCELLED = -32800


class Refusal(NamedTuple):
    """Why bytes are not a message. `id` is the request's, None when it cannot be known."""

    id: MessageId | None
    code: ErrorCode
    reason: str

    def reply(self) -> Message:
        """The error response to send."""
        return error_response(self.id, self.code, self.reason)


def decode(body: bytes) -> Message | Refusal:
    """Reads the content part of a message.

    A message that is returned has `jsonrpc` 2.0, a `method` that is a string or no `method` at all, and an `id` that is
    a number or a string if it has both.
    """
    try:
        message = json.loads(body)
    except (ValueError, RecursionError) as error:
        return Refusal(None, ErrorCode.PARSE_ERROR, f"not JSON: {error}")
    if isinstance(message, list):
        return Refusal(None, ErrorCode.INVALID_REQUEST, "a batch; LSP has none")
    if not isinstance(message, dict):
        return Refusal(None, ErrorCode.INVALID_REQUEST, "a message is an object")
    # The id of a response belongs to one of our own requests: an answer with it would be taken for something else.
    id = message.get("id") if "method" in message and is_id(message.get("id")) else None
    if message.get("jsonrpc") != "2.0":
        return Refusal(id, ErrorCode.INVALID_REQUEST, "`jsonrpc` must be 2.0")
    if "method" not in message:
        if "id" not in message or ("result" in message) == ("error" in message):
            return Refusal(None, ErrorCode.INVALID_REQUEST, "neither a request, nor a notification, nor a response")
        return message
    if not isinstance(message["method"], str):
        return Refusal(id, ErrorCode.INVALID_REQUEST, "`method` must be a string")
    if "id" in message and id is None:
        return Refusal(None, ErrorCode.INVALID_REQUEST, "`id` must be an integer or a string")
    return message


def encode(message: Message) -> bytes:
    """The content part of a message."""
    return json.dumps(message, separators=(",", ":")).encode()


def is_id(value: object) -> bool:
    """Whether a value may identify a request: an integer or a string."""
    return isinstance(value, (int, str)) and not isinstance(value, bool)


def is_request(message: Message) -> bool:
    """Whether the sender waits for an answer to this."""
    return "method" in message and "id" in message


def response(id: MessageId, result: object) -> Message:
    """A successful answer."""
    return {"jsonrpc": "2.0", "id": id, "result": result}


def error_response(id: MessageId | None, code: ErrorCode, reason: str) -> Message:
    """An answer that says why there is no result. `id` is None only when the request's id could not be read."""
    return {"jsonrpc": "2.0", "id": id, "error": {"code": int(code), "message": reason}}

"""pygls' protocol, made to answer by the specification (LSP 3.17, JSON-RPC 2.0) whatever it is sent."""

from __future__ import annotations

import contextlib
import logging
from typing import Any

from cattrs import ClassValidationError, transform_error
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.protocol import LanguageServerProtocol

from pallas_lsp.lsp.bootstrap import Session
from pallas_lsp.lsp.jsonrpc import CANCEL_REQUEST, ErrorCode, Message, Refusal, encode, is_id

logger = logging.getLogger(__name__)

# Of pygls' own handlers only these are kept: the others would keep a second copy of the texts.
_KEPT_FROM_PYGLS = frozenset({types.SHUTDOWN, types.SET_TRACE})


class Protocol(LanguageServerProtocol):
    """Gives messages to handlers, and refuses what must be refused before pygls sees it."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.is_shut_down = False
        for method in self.fm.builtin_features.keys() - _KEPT_FROM_PYGLS:
            del self.fm.builtin_features[method]

    def connect(self, session: Session) -> None:
        """Sends to a client from now on."""
        self._session = session
        with contextlib.suppress(ValueError):
            self.trace = types.TraceValue(session.params.get("trace", types.TraceValue.Off))
        self.set_writer(_Writer(session), include_headers=False)

    def rehearse(self, request: object, answer: object) -> None:
        """Reads and writes messages of these kinds without sending them: the first ones take longest."""
        self._converter.structure(self._converter.unstructure(request), type(request))
        self._converter.unstructure(answer)

    def dispatch(self, message: Message | Refusal) -> None:
        """Handles one message of the client."""
        if self.trace != types.TraceValue.Off and isinstance(message, dict):
            self._trace(message)
        if isinstance(message, Refusal):
            self._refuse(message)
        elif "method" not in message:
            self._take_answer(message)
        elif "id" in message:
            self._take_request(message)
        else:
            self._take_notification(message)

    def _trace(self, message: Message) -> None:
        """Tells the client what has come from it (LSP 3.17, LogTrace); its parameters only if it wants all."""
        name = message.get("method", "response")
        text = f"Received {name} ({message['id']})" if "id" in message else f"Received {name}"
        content = message.get("params", message.get("result", message.get("error")))
        verbose = encode({"content": content}).decode() if self.trace == types.TraceValue.Verbose else None
        self.notify(types.LOG_TRACE, types.LogTraceParams(text, verbose))

    def _take_request(self, message: Message) -> None:
        method, id = message["method"], message["id"]
        if self.is_shut_down:
            self._refuse(Refusal(id, ErrorCode.INVALID_REQUEST, "the server is shut down"))
        elif method == types.INITIALIZE:
            self._refuse(Refusal(id, ErrorCode.INVALID_REQUEST, "the server is initialized already"))
        elif id in self._session.inbox.cancelled:
            self._refuse(Refusal(id, ErrorCode.REQUEST_CANCELLED, "cancelled"))
        elif not self._handles(method):
            self._refuse(Refusal(id, ErrorCode.METHOD_NOT_FOUND, f"{method} is not supported"))
        elif _is_notification(method):
            self._refuse(Refusal(id, ErrorCode.INVALID_REQUEST, f"{method} is a notification: it has no `id`"))
        else:
            try:
                request = self.structure_message(message)
            except JsonRpcException as error:
                self._refuse(Refusal(id, ErrorCode.INVALID_PARAMS, _reason(error)))
                return
            self.handle_message(request)
            self.is_shut_down = method == types.SHUTDOWN

    def _take_notification(self, message: Message) -> None:
        method = message["method"]
        if method == CANCEL_REQUEST:
            params = message.get("params")
            if not isinstance(params, dict) or not is_id(params.get("id")):
                return
            self._session.inbox.cancelled.discard(params["id"])
        elif self.is_shut_down or not self._handles(method):
            return
        try:
            notification = self.structure_message(message)
        except JsonRpcException as error:
            logger.error("%s is malformed: %s", method, _reason(error))
            return
        self.handle_message(notification)

    def _take_answer(self, message: Message) -> None:
        try:
            answer = self.structure_message(message)
        except JsonRpcException as error:
            # Whoever waits for the answer must not wait for ever.
            reason = types.ResponseError(ErrorCode.INVALID_PARAMS, _reason(error))
            answer = types.ResponseErrorMessage(id=message["id"], error=reason)
        self.handle_message(answer)

    def _handles(self, method: str) -> bool:
        return method in self.fm.features or method in self.fm.builtin_features

    def _refuse(self, refusal: Refusal) -> None:
        self._session.send(encode(refusal.reply()))


class _Writer:
    """What pygls writes to."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def write(self, data: bytes) -> None:
        self._session.send(data)

    def close(self) -> None:
        """Nothing: the transport is closed by whoever opened it."""


def _is_notification(method: str) -> bool:
    """Whether the specification has no response to a method."""
    known = types.METHOD_TO_TYPES.get(method)
    return known is not None and known[1] is None


def _reason(error: JsonRpcException) -> str:
    cause = error.__cause__
    if isinstance(cause, ClassValidationError):
        return "; ".join(transform_error(cause, path="message"))
    return str(cause)

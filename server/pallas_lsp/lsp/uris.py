"""URIs of documents and paths of files (LSP 3.17, URI). The URI that a client sent is never rewritten."""

from __future__ import annotations

import os
import re
from urllib.parse import quote, unquote

# RFC 3986, appendix B. `urllib` raises for what it takes for a malformed host; here any text is a URI.
_PARTS = re.compile(r"(?:([^:/?#]+):)?(?://([^/?#]*))?([^?#]*)")
_DRIVE = re.compile(r"/[A-Za-z]:")


def to_path(uri: str) -> str:
    """The path of a `file` URI; empty for another scheme, and for the `file://` of a buffer without a name."""
    parts = _PARTS.match(uri)
    if parts is None or parts[1] != "file":
        return ""
    path = _unquoted(parts[3])
    if parts[2] and path:
        path = f"//{_unquoted(parts[2])}{path}"
    elif _DRIVE.match(path):
        path = path[1].lower() + path[2:]
    return path.replace("/", os.sep)


def from_path(path: str) -> str:
    """The `file` URI of an absolute path."""
    path = path.replace(os.sep, "/")
    if not path.startswith("/"):
        path = f"/{path}"
    if path.startswith("//"):
        return f"file:{_quoted(path)}"
    return f"file://{_quoted(path)}"


def _unquoted(text: str) -> str:
    return unquote(text, errors="surrogateescape")


def _quoted(path: str) -> str:
    """Percent-encodes the bytes of a path; a name that is not UTF-8 keeps its own (PEP 383)."""
    return quote(path, errors="surrogateescape")

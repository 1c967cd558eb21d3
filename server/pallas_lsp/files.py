"""Reads files of which nothing is known: those of a project that somebody else has made."""

# Paths stay strings here, as in `gitignore`.
# ruff: noqa: PTH123

from __future__ import annotations

import os
import stat

MAX_BYTES = 8 * 1024 * 1024
"""A larger file is not read: it is no source, and its tree would take more than a gigabyte."""


class UnreadableError(OSError):
    """A file that is not read although there is one; `strerror` is for the user."""


def content(path: str, limit: int = MAX_BYTES) -> bytes:
    """What is in a regular file of at most `limit` bytes.

    A pipe or a device may go on for ever, or never begin, and a link may lead to one.

    Raises:
      OSError: it cannot be read, is no regular file, or is too large.
    """
    try:
        # Opening a pipe that nobody writes to would wait.
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except ValueError as error:  # the name has a NUL character
        raise UnreadableError(0, str(error), path) from None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise UnreadableError(0, "not a regular file", path)
    with open(descriptor, "rb") as file:
        data = file.read(limit + 1)
        if len(data) > limit:
            raise UnreadableError(0, f"larger than {limit // 1024 // 1024} MiB", path)
        return data

"""Puts fixed text back into its file, whole or not at all."""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path


class ChangedMeanwhile(Exception):
    """The file no longer holds what was checked."""


def replace_contents(path: str, before: bytes, after: bytes) -> None:
    """Replaces the contents of a file in one step, so that a reader, or a crash, never meets half of it.

    A link is followed to its file. Permissions stay. Other hard links of the file keep the old contents: package
    managers share files with their caches that way, and a cache must not be changed through one of its users.

    Args:
      path: absolute.
      before: what the file held when it was read.
      after: what it shall hold.

    Raises:
      ChangedMeanwhile: it holds something else by now.
      OSError: it cannot be written.
    """
    target = Path(path).resolve()
    with target.open("r+b") as file:  # Opened for writing: a file that is write-protected is not to be replaced.
        status = os.fstat(file.fileno())
        if file.read() != before:
            raise ChangedMeanwhile
    temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    temporary.unlink(missing_ok=True)  # Of a process with the same number that was killed.
    # Nobody else may read it before it has the permissions of the file.
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    with os.fdopen(descriptor, "wb") as file:
        try:
            file.write(after)
            file.flush()
            os.fsync(file.fileno())
            with contextlib.suppress(OSError, AttributeError):  # Only root may give it away; Windows cannot.
                os.chown(temporary, status.st_uid, status.st_gid)
            temporary.chmod(stat.S_IMODE(status.st_mode))
            file.close()
            now = target.stat()
            if (now.st_mtime_ns, now.st_size, now.st_ino) != (status.st_mtime_ns, status.st_size, status.st_ino):
                raise ChangedMeanwhile
            temporary.replace(target)
        except BaseException:
            file.close()
            temporary.unlink(missing_ok=True)
            raise

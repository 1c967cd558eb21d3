"""Ends the server when the editor is gone without a word (LSP 3.17, InitializeParams.processId)."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable

_INTERVAL = 1.0


def watch_parent(process_id: int, on_death: Callable[[], object]) -> None:
    """Calls `on_death`, from a thread of its own, once the process does not exist any more.

    A process that cannot be seen now, such as that of an editor outside of the server's container, is not watched.
    """

    def watch() -> None:
        if _wait_for_death(process_id):
            on_death()

    threading.Thread(target=watch, name="parent", daemon=True).start()


if sys.platform == "win32":

    def _wait_for_death(process_id: int) -> bool:
        import ctypes

        synchronize, infinite = 0x00100000, 0xFFFFFFFF
        kernel32 = ctypes.windll.kernel32
        handle = kernel32.OpenProcess(synchronize, False, process_id)
        if not handle:
            return False
        kernel32.WaitForSingleObject(handle, infinite)
        kernel32.CloseHandle(handle)
        return True

else:

    def _wait_for_death(process_id: int) -> bool:
        if not _exists(process_id):
            return False
        while _exists(process_id):
            time.sleep(_INTERVAL)
        return True

    def _exists(process_id: int) -> bool:
        try:
            os.kill(process_id, 0)
        except (ProcessLookupError, OverflowError):  # OverflowError: no process has such a number
            return False
        except PermissionError:
            return True
        return True

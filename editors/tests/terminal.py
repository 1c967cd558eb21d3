"""Editors in a terminal, used by keys and by what is on the screen: tmux has both."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

DEADLINE = 40.0


class Terminal:
    """A terminal in which one program runs.

    Args:
      folder: where the program starts; the socket of tmux is there as well.
      command: the program.
      environment: variables besides those of this process.
    """

    def __init__(self, folder: Path, command: Sequence[str | Path], environment: Mapping[str, str]) -> None:
        self._tmux = ["tmux", "-S", str(folder / "tmux"), "-f", os.devnull]
        variables = ["env", *(f"{name}={value}" for name, value in environment.items())]
        size = ["-x", "110", "-y", "30"]
        subprocess.run(
            [*self._tmux, "new-session", "-d", *size, "-c", folder, "--", *variables, *map(str, command)], check=True
        )

    def stop(self) -> None:
        """Ends the program."""
        subprocess.run([*self._tmux, "kill-server"], check=False)

    @property
    def screen(self) -> str:
        """What is to be seen."""
        shown = subprocess.run([*self._tmux, "capture-pane", "-p"], capture_output=True, text=True, check=False)
        return shown.stdout

    def see(self, text: str) -> None:
        """Waits until a text is on the screen."""
        end = time.monotonic() + DEADLINE
        while text not in (screen := self.screen):
            assert time.monotonic() < end, f"never saw {text!r}:\n{screen}"
            time.sleep(0.1)

    def save(self, keys: str, file: Path, wanted: str) -> None:
        """Types the command that saves a file, which must then hold what is wanted."""
        self.press(keys, "Enter")
        end = time.monotonic() + DEADLINE
        while file.read_text(encoding="utf-8") != wanted:
            assert time.monotonic() < end, f"{file.name} is not as wanted:\n{self.screen}"
            time.sleep(0.1)

    def press(self, *keys: str) -> None:
        """Presses keys, by tmux's names; a longer text is typed."""
        subprocess.run([*self._tmux, "send-keys", *keys], check=True)

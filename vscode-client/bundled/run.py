"""Starts the bundled pallas-lsp: only what is bundled is imported, whatever else is installed."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / "libs"))

from pallas_lsp.__main__ import start

start()

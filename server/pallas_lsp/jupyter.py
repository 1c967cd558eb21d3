"""How JupyterLab finds the server: the entry point `jupyter_lsp_spec_v1`, read by the package jupyter-lsp."""

from __future__ import annotations

import sys
from typing import Any


def specification(_manager: object) -> dict[str, dict[str, Any]]:
    """The server's specification, in version 2 of the form that jupyter-lsp takes.

    Args:
      _manager: the LanguageServerManager; it is of no use here.
    """
    return {
        "pallas-lsp": {
            "version": 2,
            "display_name": "pallas-lsp",
            # The interpreter that JupyterLab's server runs with has this package; `pallas-lsp` may not be on PATH.
            "argv": [sys.executable, "-m", "pallas_lsp", "server"],
            "languages": ["python"],
            "mime_types": ["text/python", "text/x-ipython", "text/x-python"],
        }
    }

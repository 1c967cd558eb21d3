"""`pytest --pallas-lsp`: checks the files with kernels that the tests have imported.

Pytest imports this module at every start where the package is installed, so it imports nothing itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the option."""
    parser.getgroup("pallas-lsp").addoption(
        "--pallas-lsp",
        action="store_true",
        help="check the files with Pallas kernels that the tests import, and fail if there are findings",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Loads all else when the option is there."""
    if config.getoption("pallas_lsp"):
        from pallas_lsp.runtime.pytest_report import KernelReport

        config.pluginmanager.register(KernelReport(config), "pallas-lsp-report")

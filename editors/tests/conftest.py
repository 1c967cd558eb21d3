"""What the tests of all editors share. They run with the Python of the environment that `install.sh` makes."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from programs import TWO_KERNELS

if TYPE_CHECKING:
    from playwright.sync_api import Browser

IMAGES = Path(__file__).resolve().parents[2] / "docs" / "images"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Keeps a screenshot of every open window when a test fails, beside its files."""
    report = yield
    if report.failed and isinstance(item, pytest.Function) and "browser" in item.funcargs:
        pages = [page for context in item.funcargs["browser"].contexts for page in context.pages]
        for number, page in enumerate(pages):
            image = item.funcargs["tmp_path"] / f"failed-{number}.png"
            page.screenshot(path=image)
            report.sections.append(("screenshot", str(image)))
    return report


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A headless Chromium that keeps to itself."""
    from playwright.sync_api import sync_playwright

    program = shutil.which("chromium")
    if program is None:
        pytest.skip("needs chromium")
    quiet = ["--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"]
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(
            executable_path=program, args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", *quiet]
        )
        yield launched
        launched.close()


@pytest.fixture(scope="session")
def only_python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for PATH that holds `python3` and nothing else."""
    folder = tmp_path_factory.mktemp("bin")
    (folder / "python3").symlink_to(Path(getattr(sys, "_base_executable", sys.executable)).resolve())
    return folder


@pytest.fixture
def kernels(tmp_path: Path) -> Path:
    """A file with two kernels that return their results, alone in a folder."""
    folder = tmp_path / "work"
    folder.mkdir()
    file = folder / "kernels.py"
    file.write_text(TWO_KERNELS, encoding="utf-8")
    return file


@pytest.fixture
def picture() -> Callable[[bytes, str], None]:
    """Keeps a screenshot in docs/images, if the variable SCREENSHOTS is set: `make screenshots`."""

    def keep(image: bytes, name: str) -> None:
        if os.environ.get("SCREENSHOTS"):
            IMAGES.mkdir(exist_ok=True)
            (IMAGES / name).write_bytes(image)

    return keep

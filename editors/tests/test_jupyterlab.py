"""JupyterLab with jupyterlab-lsp finds the server by the entry point of our package: nothing is configured."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from code_server import until
from playwright.sync_api import Browser, expect
from processes import end_group
from programs import MESSAGE, TWO_KERNELS


@pytest.fixture
def jupyter(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """The address of a JupyterLab, and the folder that it shows."""
    folder = tmp_path / "work"
    folder.mkdir()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    homes = {name: str(tmp_path / name.lower()) for name in ("HOME", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR")}
    notification = tmp_path / "settings" / "@jupyterlab" / "apputils-extension" / "notification.jupyterlab-settings"
    notification.parent.mkdir(parents=True)
    notification.write_text('{"fetchNews": "false"}')
    homes["JUPYTERLAB_SETTINGS_DIR"] = str(tmp_path / "settings")
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", f"--ServerApp.port={port}"]
    command += ["--IdentityProvider.token=", f"--ServerApp.root_dir={folder}"]
    with (tmp_path / "log").open("wb") as log:
        process = subprocess.Popen(
            command, env={**os.environ, **homes}, stdout=log, stderr=log, start_new_session=True, cwd=folder
        )

        def answers() -> bool:
            try:
                return bool(urllib.request.urlopen(f"{address}/api").status == 200)
            except (urllib.error.URLError, ConnectionError):
                return False

        until(answers, "JupyterLab answers")
        yield address, folder
        end_group(process)


def test_cells_of_a_notebook_are_checked(
    browser: Browser, jupyter: tuple[str, Path], picture: Callable[[bytes, str], None]
) -> None:
    address, folder = jupyter
    kernel, launch = TWO_KERNELS.split("\n\n\ndef add(")
    cells = [
        {"cell_type": "code", "id": name, "metadata": {}, "source": source, "outputs": [], "execution_count": None}
        for name, source in (("one", f"%matplotlib inline\n{kernel}"), ("two", f"def add({launch}"))
    ]
    metadata = {"kernelspec": {"name": "python3", "display_name": "Python 3"}, "language_info": {"name": "python"}}
    (folder / "nb.ipynb").write_text(
        json.dumps({"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5})
    )
    page = browser.new_context(viewport={"width": 1200, "height": 760}).new_page()
    page.set_default_timeout(90_000)
    page.goto(f"{address}/lab/tree/nb.ipynb")
    page.wait_for_selector(".jp-Notebook .cm-content")
    marks = page.locator(".jp-Notebook .cm-lintRange-error")
    expect(marks).to_have_count(2, timeout=90_000)
    marks.first.hover(force=True)
    expect(page.locator(".cm-tooltip-lint, .cm-tooltip", has_text=MESSAGE).first).to_be_visible(timeout=30_000)
    picture(page.screenshot(), "jupyterlab.png")
    page.context.close()

"""VS Code, as code-server serves it, in a headless Chromium."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

from playwright.sync_api import Browser, Locator, Page, TimeoutError, expect
from processes import descendants, end_group

ENVIRONMENT = Path(sys.prefix)
EXTENSION = Path(__file__).resolve().parents[2] / "vscode-client" / "pallas-lsp.vsix"
DEADLINE = 60.0
"""Seconds for anything to happen."""

_NODE = ENVIRONMENT / "bin" / "node"
_ENTRY = ENVIRONMENT / "code-server" / "node_modules" / "code-server" / "out" / "node" / "entry.js"
_NO_GALLERY = json.dumps(
    dict.fromkeys(("serviceUrl", "itemUrl", "resourceUrlTemplate", "controlUrl", "nlsBaseUrl"), "")
)
_QUIET: Mapping[str, Any] = {
    "chat.disableAIFeatures": True,
    "editor.accessibilitySupport": "off",
    "editor.minimap.enabled": False,
    "extensions.autoCheckUpdates": False,
    "extensions.autoUpdate": False,
    "files.autoSave": "off",
    "git.enabled": False,
    "telemetry.telemetryLevel": "off",
    "update.mode": "none",
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    "workbench.startupEditor": "none",
    "workbench.tips.enabled": False,
}


def until(condition: Callable[[], Any], what: str) -> Any:
    """The first true value of a condition; it is asked again and again, and fails in words."""
    end = time.monotonic() + DEADLINE
    while not (value := condition()):
        assert time.monotonic() < end, f"never came true: {what}"
        time.sleep(0.05)
    return value


class CodeServer:
    """A running code-server with the packaged extension installed.

    Args:
      folder: for its data; empty.
      browser: shows its windows.
      settings: of the user, besides those that keep it quiet.
      path: the folders of PATH.
      trust: whether new workspaces have to be trusted first.
    """

    def __init__(
        self, folder: Path, browser: Browser, *, path: list[Path], settings: Mapping[str, Any] = {}, trust: bool = False
    ) -> None:
        # One context for all windows: the workbench comes from its cache.
        self.context = browser.new_context(viewport={"width": 1200, "height": 760})
        user = folder / "data" / "User"
        user.mkdir(parents=True)
        (user / "settings.json").write_text(json.dumps({**_QUIET, **settings}))
        (folder / "config.yaml").write_text("auth: none\n")
        common = ["--config", folder / "config.yaml", "--user-data-dir", folder / "data"]
        command = [_NODE, _ENTRY, *common, "--extensions-dir", folder / "extensions"]
        environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("VSCODE_")},
            "PATH": os.pathsep.join(map(str, path)),
            "EXTENSIONS_GALLERY": _NO_GALLERY,
            "VSCODE_CLI": "1",  # Else PATH is what a login shell makes of it.
        }
        subprocess.run(
            [*command, "--install-extension", EXTENSION], env=environment, cwd=folder, check=True, capture_output=True
        )
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        options = ["--bind-addr", f"127.0.0.1:{self.port}", "--auth", "none", "--disable-telemetry"]
        options += ["--disable-update-check", "--disable-getting-started-override", "--disable-file-downloads"]
        if not trust:
            options.append("--disable-workspace-trust")
        self._log = (folder / "log").open("wb")
        self.process = subprocess.Popen(
            [*command, *options],
            env=environment,
            cwd=folder,
            stdout=self._log,
            stderr=self._log,
            start_new_session=True,
        )
        until(self._answers, "code-server answers")

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/healthz") as answer:
                return bool(answer.status == 200)
        except (urllib.error.URLError, ConnectionError):
            return False

    def stop(self) -> None:
        """Ends it, with all language servers."""
        self.context.close()
        end_group(self.process)
        self._log.close()

    def language_servers(self, folder: str = "") -> set[int]:
        """The processes of pallas-lsp that run, by their ids."""
        lines = descendants(self.process.pid).items()
        return {process for process, line in lines if re.search(r"(run\.py|pallas-lsp|wrapper\.py) server", line)}

    def open(self, workspace: Path, file: Path | None = None) -> Window:
        """A window on a folder, or on a `.code-workspace` file; with a file in the editor."""
        kind = "workspace" if workspace.suffix == ".code-workspace" else "folder"
        address = f"http://127.0.0.1:{self.port}/?{kind}={quote(str(workspace))}"
        if file is not None:
            remote = f"vscode-remote://127.0.0.1:{self.port}{quote(str(file))}"
            address += f"&payload={quote(json.dumps([['openFile', remote]]))}"
        page = self.context.new_page()
        page.set_default_timeout(DEADLINE * 1000)
        page.goto(address)
        page.wait_for_selector(".monaco-workbench")
        if file is not None:
            page.wait_for_selector(f".tab[data-resource-name='{file.name}']")
        return Window(page)


class Window:
    """A window of VS Code, used as a person does: by keys, and by what is to be seen."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def close(self) -> None:
        """Closes it."""
        self.page.close()

    @property
    def squiggles(self) -> Locator:
        """The underlined errors of the editors in view."""
        return self.page.locator(".monaco-editor .squiggly-error")

    def expect_squiggles(self, number: int) -> None:
        """Waits for a number of underlined errors."""
        expect(self.squiggles).to_have_count(number, timeout=DEADLINE * 1000)

    def press_until(self, keys: str, shown: Locator) -> None:
        """Presses a key; again if nothing comes of it, for a busy workbench loses keys."""
        for attempt in range(5):
            self.page.keyboard.press(keys)
            try:
                shown.first.wait_for(timeout=6000)
                return
            except TimeoutError:
                if attempt == 4:
                    raise
                self.page.keyboard.press("Escape")

    def run(self, command: str) -> None:
        """Runs a command by its title in the palette."""
        self.press_until("F1", self.page.locator(".quick-input-widget input"))
        self._choose(command)

    def choose(self, text: str) -> None:
        """Chooses an entry of a list that asks."""
        self.page.locator(".quick-input-list .monaco-list-row", has_text=text).first.wait_for()
        self._choose(text)

    def _choose(self, text: str) -> None:
        """Types into the list that is open; entries that begin otherwise may come first."""
        rows = self.page.locator(".quick-input-list .monaco-list-row")
        self.page.keyboard.type(text)
        rows.filter(has_text=text).first.wait_for()
        focused = self.page.locator(".quick-input-list .monaco-list-row.focused")
        for _ in range(20):
            if focused.first.inner_text().startswith(text):
                break
            self.page.keyboard.press("ArrowDown")
        self.page.keyboard.press("Enter")

    def problems(self) -> Locator:
        """The rows of the Problems panel, which is opened."""
        panel = self.page.locator(".markers-panel")
        if not panel.is_visible():
            self.press_until("Control+Shift+M", panel)
        return panel.locator(".monaco-list-row")

    def go_to_problem(self, text: str) -> None:
        """Puts the cursor on a problem, by the Problems panel."""
        self.problems().filter(has_text=text).first.dblclick()
        self.page.wait_for_selector(".monaco-editor.focused")
        self.page.mouse.move(600, 420)  # A hover of the list would take the focus.

    def quick_fix(self, title: str, before_choosing: Callable[[], None] = lambda: None) -> None:
        """Opens the menu of quick fixes and chooses one, by keys."""
        row = self.page.locator(".action-widget .monaco-list-row", has_text=title).first
        self.press_until("Control+.", row)
        before_choosing()
        for _ in range(12):
            if "focused" in (row.get_attribute("class") or ""):
                break
            self.page.keyboard.press("ArrowDown")
        self.page.keyboard.press("Enter")

    def save(self, file: Path, wanted: Callable[[str], bool]) -> None:
        """Saves the editor; the file must come to be as wanted."""
        self.page.keyboard.press("Control+S")
        until(lambda: wanted(file.read_text(encoding="utf-8")), f"{file.name} is saved as expected")

    def button(self, name: str) -> Locator:
        """A button of a dialog or panel."""
        return self.page.locator("a.monaco-button", has_text=name).last

    def notification(self, text: str) -> Locator:
        """A notification that holds a text; waits for it."""
        found = self.page.locator(".notification-list-item", has_text=text).first
        found.wait_for()
        return found

    def expect_status(self, *texts: str) -> None:
        """Waits until the status item of the language, which is shown on hovering over `{}`, holds these texts."""

        def holds() -> bool:
            self.page.mouse.move(600, 420)
            self.page.locator("#status\\.languageStatus").first.hover()
            shown = self.page.locator(".hover-language-status", has_text="Pallas").first
            shown.wait_for()
            return all(text in shown.inner_text() for text in texts)

        until(holds, f"the status item says {texts}")

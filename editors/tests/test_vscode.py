"""The packaged extension in the real VS Code."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from code_server import CodeServer, Window, until
from playwright.sync_api import Browser, expect
from programs import BOTH_FIXED, FIRST_FIXED, FIX, MESSAGE, TWO_KERNELS

Picture = Callable[[bytes, str], None]


@pytest.fixture(scope="module")
def code_server(tmp_path_factory: pytest.TempPathFactory, browser: Browser, only_python: Path) -> Iterator[CodeServer]:
    """Has Python, and no pallas-lsp: the bundled server runs."""
    server = CodeServer(tmp_path_factory.mktemp("code"), browser, path=[only_python])
    yield server
    server.stop()


@pytest.fixture
def window(code_server: CodeServer, kernels: Path) -> Iterator[Window]:
    """The file with two kernels, in a window of its own."""
    opened = code_server.open(kernels.parent, kernels)
    opened.expect_squiggles(2)
    yield opened
    opened.close()


def settings(folder: Path, values: dict[str, Any]) -> None:
    """Writes the settings of a workspace."""
    (folder / ".vscode").mkdir(exist_ok=True)
    (folder / ".vscode" / "settings.json").write_text(json.dumps(values))


def test_a_kernel_is_reported_and_fixed(window: Window, kernels: Path, picture: Picture) -> None:
    rows = window.problems()
    expect(rows.filter(has_text=MESSAGE)).to_contain_text("PAL001")
    picture(window.page.screenshot(), "vscode-problems.png")
    window.go_to_problem(MESSAGE)
    window.page.locator(
        ".lightBulbWidget, .codicon-gutter-lightbulb, .codicon-gutter-lightbulb-auto-fix"
    ).first.wait_for()
    window.quick_fix(FIX, lambda: picture(window.page.screenshot(), "vscode-quick-fix.png"))
    window.expect_squiggles(1)
    window.save(kernels, lambda text: text == FIRST_FIXED)
    window.run("Pallas: Fix All in File")
    window.expect_squiggles(0)
    window.save(kernels, lambda text: text == BOTH_FIXED)


def test_hovering_tells_what_jax_says(window: Window, picture: Picture) -> None:
    hover = window.page.locator(".monaco-hover", has_text=MESSAGE).first
    window.squiggles.first.hover(force=True)  # The text lies over it.
    hover.wait_for()
    expect(hover.get_by_role("link", name="PAL001")).to_be_visible()
    picture(window.page.screenshot(), "vscode-hover.png")


def test_the_status_item_tells_version_and_kernels(window: Window, picture: Picture) -> None:
    window.expect_status("Pallas: 2 kernels", "(bundled)")
    picture(window.page.screenshot(), "vscode-status.png")


def test_the_server_is_restarted_and_comes_back_after_a_crash(
    code_server: CodeServer, window: Window, kernels: Path
) -> None:
    (first,) = code_server.language_servers()
    window.page.locator(".monaco-editor .view-line").first.click()
    window.run("Pallas: Restart Server")
    (second,) = until(lambda: code_server.language_servers() - {first}, "another server runs")
    until(lambda: first not in code_server.language_servers(), "the first server has ended")
    window.expect_squiggles(2)
    os.kill(second, signal.SIGKILL)
    until(lambda: code_server.language_servers() - {first, second}, "a third server runs")
    window.go_to_problem(MESSAGE)
    window.quick_fix(FIX)
    window.expect_squiggles(1)


def test_files_are_fixed_on_save(code_server: CodeServer, kernels: Path) -> None:
    settings(kernels.parent, {"editor.codeActionsOnSave": {"source.fixAll.pallas-lsp": "explicit"}})
    window = code_server.open(kernels.parent, kernels)
    window.expect_squiggles(2)
    window.page.locator(".monaco-editor .view-line").first.click()
    window.page.keyboard.press("Control+Home")
    window.page.keyboard.type("#")
    window.save(kernels, lambda text: text == f"#{BOTH_FIXED}")
    window.close()


def test_all_files_of_a_workspace_are_fixed_after_a_look(
    code_server: CodeServer, kernels: Path, picture: Picture
) -> None:
    others = [kernels.with_name(name) for name in ("one.py", "two.py")]
    for other in others:
        other.write_text(TWO_KERNELS)
    files = [kernels, *others]
    window = code_server.open(kernels.parent, kernels)
    window.expect_squiggles(2)
    window.page.locator(".monaco-editor .view-line").first.click()
    window.run("Pallas: Fix All in Workspace")
    window.button("Preview").click()
    window.button("Apply").wait_for()
    picture(window.page.screenshot(), "vscode-preview.png")
    window.page.locator(".bulk-edit-panel .monaco-list-row", has_text="kernels.py").locator(".monaco-checkbox").click()
    window.button("Apply").click()
    window.expect_squiggles(0)
    window.page.locator(".monaco-editor .view-line").first.click()
    window.save(kernels, lambda text: text == BOTH_FIXED)
    assert [other.read_text() for other in others] == [TWO_KERNELS, TWO_KERNELS]
    window.run("Pallas: Fix All in Workspace")
    window.button("Apply All").click()
    until(lambda: {file.read_text() for file in files} == {BOTH_FIXED}, "all files are fixed")
    window.close()


def test_a_rule_is_explained(window: Window) -> None:
    window.go_to_problem(MESSAGE)
    window.run("Pallas: Show Rule")
    window.choose("PAL002")
    window.page.locator(".tab", has_text="Preview PAL002.md").first.wait_for()


def test_settings_of_the_editor_hold_for_their_folder(code_server: CodeServer, kernels: Path) -> None:
    one, two = kernels.parent / "one", kernels.parent / "two"
    for folder in (one, two):
        folder.mkdir()
        (folder / f"{folder.name}.py").write_text(TWO_KERNELS)
    settings(two, {"pallas-lsp.ignore": ["PAL001"]})
    workspace = kernels.parent / "both.code-workspace"
    workspace.write_text(json.dumps({"folders": [{"path": "one"}, {"path": "two"}]}))
    window = code_server.open(workspace, two / "two.py")
    window.expect_status("Pallas: 2 kernels")
    window.expect_squiggles(0)
    settings(two, {"pallas-lsp.ignore": []})
    window.expect_squiggles(2)
    window.close()


def test_what_jax_says_in_a_task_becomes_a_problem(code_server: CodeServer, kernels: Path) -> None:
    settings(kernels.parent, {"pallas-lsp.ignore": ["ALL"]})
    said = (
        f"ValueError: The kernel function in the pallas_call add_kernel at {kernels}:5 should return None. It returns"
    )
    task = {"label": "run kernels", "type": "shell", "command": f"echo '{said}'", "problemMatcher": ["$pallas"]}
    task["group"] = {"kind": "build", "isDefault": True}
    (kernels.parent / ".vscode" / "tasks.json").write_text(json.dumps({"version": "2.0.0", "tasks": [task]}))
    window = code_server.open(kernels.parent, kernels)
    window.page.locator(".monaco-editor .view-line").first.click()
    window.press_until("Control+Shift+B", window.page.locator(".terminal-outer-container .xterm"))
    row = window.problems().filter(has_text="add_kernel at").first
    row.wait_for()
    expect(row).to_contain_text("[Ln 5")
    window.close()


def test_notebooks_are_checked_and_fixed(code_server: CodeServer, kernels: Path) -> None:
    kernel, launch = TWO_KERNELS.split("\n\n\ndef add(")
    cells = [
        {"cell_type": "code", "metadata": {}, "source": source.splitlines(True), "outputs": [], "execution_count": None}
        for source in (f"%matplotlib inline\n{kernel}", f"def add({launch}")
    ]
    notebook = kernels.with_name("nb.ipynb")
    notebook.write_text(
        json.dumps(
            {"cells": cells, "metadata": {"language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5}
        )
    )
    window = code_server.open(kernels.parent, kernels)
    window.expect_squiggles(2)  # Extensions are ready: a notebook that is opened before is shown as JSON.
    window.page.locator(".explorer-viewlet .monaco-list-row", has_text="nb.ipynb").first.dblclick()
    window.page.wait_for_selector(".notebook-editor .cell-list-container")
    squiggles = window.page.locator(".notebook-editor .squiggly-error")
    expect(squiggles).to_have_count(2, timeout=60_000)
    line = window.page.locator(".notebook-editor .view-line", has_text="x_ref[...] + y_ref[...]").first
    line.click()
    window.page.wait_for_selector(".notebook-editor .monaco-editor.focused")
    window.quick_fix(FIX)
    expect(squiggles).to_have_count(1, timeout=60_000)
    window.save(notebook, lambda text: "o_ref[...] = x_ref[...] + y_ref[...]" in text)
    assert "%matplotlib inline" in notebook.read_text()
    window.problems().filter(has_text="nb.ipynb").first.wait_for()
    window.close()


def test_the_walkthrough_opens_an_example(code_server: CodeServer, kernels: Path, picture: Picture) -> None:
    window = code_server.open(kernels.parent)
    window.page.wait_for_selector(".explorer-viewlet .monaco-list-row")
    window.run("Welcome: Open Walkthrough...")
    window.choose("Get started with Pallas kernels")
    window.page.locator(".getting-started-step", has_text="Open an example").first.wait_for()
    picture(window.page.screenshot(), "vscode-walkthrough.png")
    window.page.locator(".getting-started-step .monaco-button", has_text="Open the Example").first.click()
    window.expect_squiggles(1)
    window.close()


def test_another_server_is_started_when_the_settings_name_one(code_server: CodeServer, kernels: Path) -> None:
    """And one that is too old is said to be, with the command that upgrades it."""
    program = kernels.with_name("wrapper.py")
    libraries = Path(__file__).resolve().parents[2] / "vscode-client" / "bundled" / "libs"
    program.write_text(
        f"#!{sys.executable}\nimport sys\nsys.path.insert(0, {str(libraries)!r})\nimport pallas_lsp\n"
        "pallas_lsp.__version__ = '0.0.9'\nfrom pallas_lsp.__main__ import start\nstart()\n"
    )
    program.chmod(0o755)
    window = code_server.open(kernels.parent, kernels)
    window.expect_squiggles(2)
    settings(kernels.parent, {"pallas-lsp.path": "${workspaceFolder}/wrapper.py"})
    expect(window.notification("is version 0.0.9")).to_contain_text("pip install --upgrade pallas-lsp")
    window.expect_squiggles(2)
    settings(kernels.parent, {"pallas-lsp.path": "${workspaceFolder}/missing"})
    window.notification("there is no file")
    window.close()


def test_without_python_the_lack_is_explained(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, browser: Browser, kernels: Path, picture: Picture
) -> None:
    server = CodeServer(tmp_path_factory.mktemp("bare"), browser, path=[tmp_path])
    try:
        window = server.open(kernels.parent, kernels)
        notification = window.notification("no Python 3.10 or newer was found")
        expect(notification).to_contain_text("Install Python")
        window.expect_status("Pallas: stopped")
        picture(window.page.screenshot(), "vscode-no-python.png")
        window.close()
    finally:
        server.stop()


def test_an_untrusted_workspace_is_checked_and_nothing_in_it_is_run(
    tmp_path_factory: pytest.TempPathFactory, browser: Browser, only_python: Path, kernels: Path
) -> None:
    trace = kernels.with_name("it-ran")
    program = kernels.with_name("pallas-lsp")
    program.write_text(f"#!/bin/sh\ntouch '{trace}'\n")
    program.chmod(0o755)
    settings(
        kernels.parent,
        {
            "pallas-lsp.path": str(program),
            "pallas-lsp.interpreter": str(program),
            "python.defaultInterpreterPath": str(program),
        },
    )
    quiet = {"security.workspace.trust.startupPrompt": "never"}
    folder = tmp_path_factory.mktemp("careful")
    server = CodeServer(folder, browser, path=[kernels.parent, only_python], settings=quiet, trust=True)
    try:
        window = server.open(kernels.parent, kernels)
        window.page.locator(".statusbar-item", has_text="Restricted Mode").first.wait_for()
        window.expect_squiggles(2)
        assert not trace.exists()
        window.close()
    finally:
        server.stop()

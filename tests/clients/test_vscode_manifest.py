"""What the VS Code extension says about the server is what the server says about itself."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pallas_lsp
from pallas_lsp.config import OPTIONS, layer_from_options
from scripts import generate_editor_settings

CLIENT = Path(__file__).resolve().parents[2] / "vscode-client"
MANIFEST = json.loads((CLIENT / "package.json").read_text(encoding="utf-8"))


def test_the_settings_are_those_of_the_server() -> None:
    for path, text in generate_editor_settings.generated().items():
        assert path.read_text(encoding="utf-8") == text, "run `make docs`"


def test_the_server_takes_every_setting_as_the_editor_writes_it() -> None:
    defaults = {
        name.removeprefix("pallas-lsp."): schema["default"]
        for name, schema in generate_editor_settings.properties().items()
    }
    layer = layer_from_options({name: value for name, value in defaults.items() if name != "targetJax"})
    assert {*layer, "target-jax"} == {option.key for option in OPTIONS if not option.only_in_files}


def test_the_server_and_the_extension_have_one_version() -> None:
    lock = json.loads((CLIENT / "package-lock.json").read_text(encoding="utf-8"))
    versions = {MANIFEST["version"], lock["version"], lock["packages"][""]["version"]}
    assert versions == {pallas_lsp.__version__}


def test_the_lock_file_names_no_registry() -> None:
    assert "resolved" not in (CLIENT / "package-lock.json").read_text(encoding="utf-8")


def test_the_bundle_holds_what_the_server_requires() -> None:
    root = CLIENT.parent
    pinned = re.findall(r"^([\w-]+)==", (CLIENT / "bundled" / "requirements.txt").read_text(encoding="utf-8"), re.M)
    project = (root / "pyproject.toml").read_text(encoding="utf-8")
    dependencies = project.partition("dependencies = [")[2].partition("]")[0]
    required = re.findall(r'"([\w-]+)[^"]*"', dependencies)
    assert set(required) <= {name.replace("_", "-") for name in pinned}


def test_commands_of_the_palette_are_not_those_that_the_server_registers() -> None:
    """The language client registers each of the server's commands in the editor, and fails if it exists already."""
    from pallas_lsp.lsp.capabilities import client_of, initialize_result

    client = client_of({"capabilities": {"workspace": {"applyEdit": True}}})
    served = initialize_result(client)["capabilities"]["executeCommandProvider"]["commands"]
    contributed = {command["command"] for command in MANIFEST["contributes"]["commands"]}
    assert contributed.isdisjoint({*served, "pallas-lsp.verifyKernel"})


def test_the_licence_is_that_of_the_project() -> None:
    assert (CLIENT / "LICENSE").read_bytes() == (CLIENT.parent / "LICENSE").read_bytes()

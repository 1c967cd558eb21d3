"""Diagnostics of files that nobody has opened (LSP 3.17, Workspace Diagnostics), and of those that belong together."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from lsp.client import VSCODE, Client, Json

KERNEL = "import jax.experimental.pallas\n\ndef add_one(x_ref, o_ref):\n    return x_ref[...] + 1\n"
LAUNCH = (
    "import jax\nfrom jax.experimental import pallas as pl\nimport kernels\n\n"
    "def run(x):\n    return pl.pallas_call(kernels.add_one, out_shape=jax.ShapeDtypeStruct((8,), 'int32'))(x)\n"
)
FIXED = KERNEL.replace("return x_ref[...]", "o_ref[...] = x_ref[...]")
WHOLE = {"diagnosticMode": "workspace"}


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def started(client: Client, folder: Path, capabilities: Json = VSCODE, options: Any = WHOLE) -> Json:
    """Initializes, and waits until the workspace was looked through."""
    result = client.initialize(capabilities, options=options, folders=[folder])
    while not asked(client)["items"]:
        pass
    return result


def asked(client: Client, previous: Json | None = None, **more: Any) -> Any:
    previous_ids = [{"uri": uri, "value": value} for uri, value in (previous or {}).items()]
    return client.request("workspace/diagnostic", {"previousResultIds": previous_ids, **more})


def summary(items: list[Json]) -> dict[str, Any]:
    return {
        item["uri"]: [found["code"] for found in item["items"]] if item["kind"] == "full" else "unchanged"
        for item in items
    }


def ids(items: list[Json]) -> dict[str, str]:
    return {item["uri"]: item["resultId"] for item in items if "resultId" in item}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path / "kernels.py", KERNEL)
    write(tmp_path / "use.py", LAUNCH)
    return tmp_path


def test_it_is_offered_to_those_who_want_all_files(fresh: Client, folder: Path) -> None:
    result = started(fresh, folder)
    assert result["capabilities"]["diagnosticProvider"]["workspaceDiagnostics"] is True


def test_open_files_only_is_the_default(fresh: Client) -> None:
    result = fresh.initialize(VSCODE)
    assert result["capabilities"]["diagnosticProvider"]["workspaceDiagnostics"] is False


def test_files_on_disk_have_reports(fresh: Client, folder: Path) -> None:
    started(fresh, folder)
    uri = (folder / "kernels.py").as_uri()
    items = asked(fresh)["items"]
    assert summary(items) == {uri: ["PAL001"]}
    assert [item["version"] for item in items] == [None]
    assert summary(asked(fresh, ids(items))["items"]) == {uri: "unchanged"}


def test_the_text_in_the_editor_counts_and_comes_first(fresh: Client, folder: Path) -> None:
    started(fresh, folder)
    kernels, use = (folder / "kernels.py").as_uri(), (folder / "use.py").as_uri()
    fresh.open(use, LAUNCH, version=4)
    items = asked(fresh)["items"]
    assert [(item["uri"], item["version"]) for item in items] == [(use, 4), (kernels, None)]
    fresh.open(kernels, FIXED, version=7)
    assert summary(asked(fresh)["items"]) == {use: [], kernels: []}
    fresh.close(kernels)
    assert summary(asked(fresh)["items"]) == {use: [], kernels: ["PAL001"]}


def test_a_report_goes_when_its_file_is_mended_deleted_or_excluded(fresh: Client, folder: Path) -> None:
    started(fresh, folder)
    kernels = folder / "kernels.py"
    known = ids(asked(fresh)["items"])
    watched = {"changes": [{"uri": kernels.as_uri(), "type": 2}]}
    write(kernels, FIXED)
    fresh.notify("workspace/didChangeWatchedFiles", watched)
    assert summary(asked(fresh, known)["items"]) == {kernels.as_uri(): []}
    write(kernels, KERNEL + "\n")
    fresh.notify("workspace/didChangeWatchedFiles", watched)
    known = ids(asked(fresh)["items"])
    write(folder / "pallas-lsp.toml", 'extend-exclude = ["kernels.py"]\n')
    fresh.notify("workspace/didChangeWatchedFiles", watched)
    assert summary(asked(fresh, known)["items"]) == {kernels.as_uri(): []}
    (folder / "pallas-lsp.toml").unlink()
    known = ids(asked(fresh)["items"])
    kernels.unlink()
    fresh.notify("workspace/didDeleteFiles", {"files": [{"uri": kernels.as_uri()}]})
    assert summary(asked(fresh, known)["items"]) == {kernels.as_uri(): []}


def test_what_is_ignored_or_installed_has_no_reports(fresh: Client, folder: Path) -> None:
    own = KERNEL + LAUNCH.replace("kernels.add_one", "add_one")
    write(folder / ".git" / "HEAD", "")
    write(folder / ".gitignore", "/generated/\nscratch_*.py\n")
    write(folder / "environment" / "pyvenv.cfg", "")
    for name in ("generated/a.py", "scratch_b.py", "environment/lib/c.py", "node_modules/d.py", "build/e.py"):
        write(folder / name, own)
    write(folder / "src" / "f.py", own)
    started(fresh, folder)
    assert summary(asked(fresh)["items"]).keys() == {
        (folder / "kernels.py").as_uri(),
        (folder / "src" / "f.py").as_uri(),
    }


def test_all_roots_have_reports(fresh: Client, tmp_path: Path) -> None:
    roots = [tmp_path / "one", tmp_path / "two"]
    for root in roots:
        write(root / "kernels.py", KERNEL)
        write(root / "use.py", LAUNCH)
    write(roots[1] / "pallas-lsp.toml", 'severity = { PAL001 = "hint" }\n')
    fresh.initialize(VSCODE, options=WHOLE, folders=roots)
    while len(items := asked(fresh)["items"]) < 2:
        pass
    severities = {item["uri"]: [found["severity"] for found in item["items"]] for item in items}
    assert severities == {(roots[0] / "kernels.py").as_uri(): [1], (roots[1] / "kernels.py").as_uri(): [4]}
    removed = {"event": {"added": [], "removed": [{"uri": roots[0].as_uri(), "name": "one"}]}}
    fresh.notify("workspace/didChangeWorkspaceFolders", removed)
    assert summary(asked(fresh, ids(items))["items"])[(roots[0] / "kernels.py").as_uri()] == []


def test_reports_come_one_by_one_to_those_who_take_them_so(fresh: Client, folder: Path) -> None:
    started(fresh, folder)
    fresh.open((folder / "use.py").as_uri(), LAUNCH)
    assert asked(fresh, partialResultToken="a token")["items"] == []
    parts = [message["params"] for message in fresh.received if message["method"] == "$/progress"]
    assert [part["token"] for part in parts] == ["a token"] * 2
    assert [summary(part["value"]["items"]) for part in parts] == [
        {(folder / "use.py").as_uri(): []},
        {(folder / "kernels.py").as_uri(): ["PAL001"]},
    ]


def test_a_client_that_asks_again_and_again_waits_for_a_change(fresh: Client, folder: Path) -> None:
    started(fresh, folder)
    known = ids(asked(fresh)["items"])
    previous = [{"uri": uri, "value": value} for uri, value in known.items()]
    id = fresh.begin("workspace/diagnostic", {"previousResultIds": previous, "partialResultToken": 1})
    fresh.take_all()
    assert not any(message["method"] == "$/progress" for message in fresh.received)
    fresh.open((folder / "kernels.py").as_uri(), FIXED)
    assert fresh.finish(id) == {"items": []}
    part = fresh.notification("$/progress")
    assert summary(part["value"]["items"]) == {(folder / "kernels.py").as_uri(): []}


def test_the_wait_for_a_change_can_be_cancelled(fresh: Client, folder: Path) -> None:
    started(fresh, folder)
    previous = [{"uri": uri, "value": value} for uri, value in ids(asked(fresh)["items"]).items()]
    id = fresh.begin("workspace/diagnostic", {"previousResultIds": previous, "partialResultToken": 1})
    fresh.take_all()
    fresh.notify("$/cancelRequest", {"id": id})
    assert fresh.response(id)["error"]["code"] == -32800
    assert fresh.exit() == 0


def test_a_kernel_and_its_launch_in_two_documents_are_reported_together(fresh: Client, folder: Path) -> None:
    capabilities = copy.deepcopy(VSCODE)
    capabilities["textDocument"]["diagnostic"]["relatedDocumentSupport"] = True
    started(fresh, folder, capabilities)
    kernels, use = (folder / "kernels.py").as_uri(), (folder / "use.py").as_uri()
    fresh.open(kernels, KERNEL)
    fresh.open(use, LAUNCH)
    fresh.open((folder / "other.py").as_uri(), "x = 1\n")
    report = fresh.request("textDocument/diagnostic", {"textDocument": {"uri": kernels}})
    assert [found["code"] for found in report["items"]] == ["PAL001"]
    assert {uri: other["items"] for uri, other in report["relatedDocuments"].items()} == {use: []}
    # The launch goes: what was found in the kernel goes with the answer about the launch.
    fresh.change(use, 2, "import kernels\n")
    report = fresh.request("textDocument/diagnostic", {"textDocument": {"uri": use}})
    assert {uri: other["items"] for uri, other in report["relatedDocuments"].items()} == {kernels: []}


def test_diagnostics_carry_the_name_of_their_rule(fresh: Client, folder: Path) -> None:
    started(fresh, folder)
    (item,) = asked(fresh)["items"]
    (found,) = item["items"]
    assert found["data"] == {"name": "returning-kernel"}
    assert found["codeDescription"]["href"].rstrip("/").endswith("rules/returning-kernel")

"""Projects that somebody else has made: files that are none, names that are odd, links that lead away."""

from __future__ import annotations

import os
import subprocess
import sys
import unicodedata
from pathlib import Path
from typing import Any

import pytest

from pallas_lsp.files import MAX_BYTES, content
from pallas_lsp.lsp import uris
from tests.cli.test_process import KERNEL, environment, execute
from tests.lsp.client import SERVER, VSCODE, Client

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="no such files there"),
    pytest.mark.timeout(60),
]

LINE = "k.py:6:5: PAL001"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with one kernel, which is the current one."""
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    (folder / "k.py").write_text(KERNEL)
    return folder


def found(*arguments: str) -> list[str]:
    """The findings of a run over the current folder."""
    done = execute("check", "-q", "--no-cache", "--output-format", "concise", *arguments)
    assert "mistake in pallas-lsp" not in done.stderr
    return [row[: row.index("PAL") + 6] for row in done.stdout.splitlines() if "PAL" in row]


def endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


def silent(path: Path) -> None:
    os.mkfifo(path)


def folder(path: Path) -> None:
    path.mkdir()


def dangling(path: Path) -> None:
    path.symlink_to("nowhere")


def circular(path: Path) -> None:
    path.symlink_to(path.name)


@pytest.mark.parametrize("make", [endless, silent, folder, dangling, circular])
@pytest.mark.parametrize(
    "name", ["requirements.txt", "uv.lock", ".gitignore", "other.py", "__init__.py", "jax_kernels.py"]
)
def test_what_is_no_file_is_not_read(project: Path, name: str, make: Any) -> None:
    (project / ".git").mkdir()
    make(project / name)
    (project / "k.py").write_text(KERNEL + "import other\n")
    assert found() == [LINE]


@pytest.mark.parametrize("make", [endless, silent])
def test_settings_that_are_no_file(project: Path, make: Any) -> None:
    make(project / "pyproject.toml")
    assert found() == [LINE]


@pytest.mark.parametrize("make", [endless, silent])
def test_settings_that_extend_what_is_no_file(project: Path, tmp_path: Path, make: Any) -> None:
    make(tmp_path / "elsewhere.toml")
    (project / "pallas-lsp.toml").write_text('extend = "../elsewhere.toml"\n')
    done = execute("check")
    assert done.returncode == 2
    assert "there is no configuration in" in done.stderr


def test_settings_that_extend_a_file_of_the_system_show_nothing_of_it(project: Path, tmp_path: Path) -> None:
    (tmp_path / "passwords").write_text("root:secret\n")
    (project / "pallas-lsp.toml").write_text('extend = "../passwords"\n')
    done = execute("check")
    assert done.returncode == 2
    assert "is not TOML" in done.stderr
    assert "secret" not in done.stderr + done.stdout


def test_links_in_a_circle_and_out_of_the_project(project: Path, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.py").write_text(KERNEL)
    (project / "circle").symlink_to(project, target_is_directory=True)
    (project / "out").symlink_to(tmp_path / "outside", target_is_directory=True)
    assert found() == [LINE]


def test_files_that_vanish_while_they_are_searched_for(project: Path) -> None:
    for number in range(3):
        (project / f"gone{number}.py").symlink_to(f"deleted{number}.py")
    assert found() == [LINE]
    assert execute("check", "-q", "gone0.py").returncode == 2


@pytest.mark.skipif(
    os.geteuid() == 0 if hasattr(os, "geteuid") else True, reason="everything is readable for this user"
)
def test_what_may_not_be_read(project: Path) -> None:
    (project / "locked").mkdir(mode=0)
    (project / "locked.py").write_text(KERNEL)
    (project / "locked.py").chmod(0)
    assert found() == [LINE]


def test_the_limit_of_what_is_read(tmp_path: Path) -> None:
    path = tmp_path / "k.py"
    with path.open("wb") as file:
        file.truncate(MAX_BYTES)
    assert len(content(str(path))) == MAX_BYTES
    with path.open("wb") as file:
        file.truncate(2**40)  # a terabyte without a block on the disk
    with pytest.raises(OSError, match="larger than 8 MiB"):
        content(str(path))
    done = execute("check", str(path))
    assert (done.returncode, "larger than 8 MiB" in done.stderr) == (2, True)


@pytest.mark.parametrize("name", ["a\0b", "/dev/zero", "/", "nowhere"])
def test_what_cannot_be_read_is_an_error_of_the_system(name: str) -> None:
    with pytest.raises(OSError):
        content(name)


NAMES = [
    "with spaces",
    'it\'s "quoted"',
    "Zoë 漢字 🐍",
    "100%",
    "100%20",
    "a#b?c",
    "[x]{y}*",
    "semi;colon&co",
    "\\back",
]


@pytest.mark.parametrize("name", [*NAMES, unicodedata.normalize("NFD", "Zoë"), "line\nbreak", "tab\there", "-flag"])
def test_any_name_of_a_workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    (tmp_path / name).mkdir()
    (tmp_path / name / "k.py").write_text(KERNEL)
    monkeypatch.chdir(tmp_path / name)
    assert execute("check", "-q", "--fix").returncode == 0
    assert found() == []


@pytest.mark.parametrize("name", [*NAMES, unicodedata.normalize("NFD", "Zoë"), "line\nbreak", "undecodable \udcff"])
def test_a_uri_of_any_path_leads_back(name: str) -> None:
    uri = uris.from_path(f"/w/{name}/k.py")
    assert uri.isascii()
    assert uris.to_path(uri) == f"/w/{name}/k.py"


def test_a_workspace_with_an_odd_name_in_an_editor(tmp_path: Path) -> None:
    workspace = tmp_path / "Zoë's 100% [x] #1"
    workspace.mkdir()
    (workspace / "pallas-lsp.toml").write_text('ignore = ["PAL001"]\n')
    (workspace / "k.py").write_text(KERNEL)
    (workspace / os.fsdecode(b"\xff.py")).write_text(KERNEL)
    with Client(SERVER) as client:
        client.initialize(VSCODE, options={"diagnosticMode": "workspace"}, folders=[workspace])
        uri = (workspace / "k.py").as_uri()
        client.open(uri, KERNEL)
        asked = client.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})
        assert asked["items"] == []  # the settings of the folder hold
        (workspace / "pallas-lsp.toml").unlink()
        client.notify("workspace/didChangeWatchedFiles", {"changes": []})
        assert len(client.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})["items"]) == 1
        reports = client.request("workspace/diagnostic", {"previousResultIds": []})["items"]
        assert any(report["uri"].endswith("/%FF.py") and report["items"] for report in reports)
        assert client.stderr == ""


URIS = [
    "file:///c%3A/Users/a%20b/k.py",
    "file:///C:/Users/k.py",
    "file://server/share/k.py",
    "file:///%00/k.py",
    "file:///" + "../" * 50 + "etc/k.py",
    "file:///a/%2e%2e/%2e%2e/k.py",
    "file:///" + "a/" * 3000 + "k.py",
    "file:///%ff%fe.py",
    "file://",
    "file:",
    "",
    "untitled:Untitled-1",
    "http://[::1/k.py",
    "vscode-notebook-cell:/a.ipynb#%00",
    "\ud800",
]


def test_any_uri_is_a_document() -> None:
    with Client(SERVER) as client:
        client.initialize({})
        for uri in URIS:
            client.open(uri, KERNEL)
        for uri in URIS:
            assert len(client.published(uri)) == 1, uri
        assert client.exit() == 0
        assert client.stderr == ""


def test_a_cache_that_is_a_trap(project: Path, tmp_path: Path) -> None:
    """A project could come with a cache whose names lead to files of the user."""
    precious = tmp_path / "precious"
    precious.write_text("mine")
    execute("check")
    cache = project / ".pallas_lsp_cache"
    (file,) = cache.glob("*.json")
    file.unlink()
    program = (
        "import os, sys, pathlib; from pallas_lsp.cli.main import run\n"
        f"pathlib.Path({str(file)!r}).with_suffix(f'.{{os.getpid()}}.tmp').symlink_to({str(precious)!r})\n"
        f"pathlib.Path({str(file)!r}).symlink_to('/dev/zero'); sys.exit(run(['check', '-q']))"
    )
    done = subprocess.run([sys.executable, "-c", program], env=environment(), capture_output=True, timeout=60)
    assert done.returncode == 1
    assert precious.read_text() == "mine"
    assert file.is_file()
    assert not file.is_symlink()

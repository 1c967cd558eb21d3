"""A check runs nothing, fetches nothing and writes nothing of a project, whatever stands in it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from pallas_lsp.cli.writing import ChangedMeanwhile, replace_contents
from tests.cli.test_process import FIXED, KERNEL, environment
from tests.lsp.client import SERVER, Client

AUDITED = """\
import json, os, sys
events = []
def see(event, arguments):
    if event in ("import", "exec", "compile"):
        events.append((event, str(arguments[1] if event == "import" and arguments[1] else arguments[0])[:300]))
    elif event == "open" and isinstance(arguments[0], (str, bytes)):
        writes = arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT) if isinstance(arguments[2], int) else 0
        events.append(("write" if writes else "read", os.fsdecode(arguments[0])))
    elif event.startswith(("socket", "subprocess", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "urllib")):
        events.append((event, ""))
sys.addaudithook(see)
from pallas_lsp.cli.main import run
code = run(sys.argv[1:])
sys.stdout.flush()
print(json.dumps([code, events]), file=sys.stderr)
"""
EVIL = "import os\nos.system('touch /tmp/never')\nopen('trace', 'w').close()\n"


@pytest.fixture
def hostile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project whose modules leave a trace when they are imported, also in the place of modules of the checker."""
    folder = tmp_path / "project"
    folder.mkdir()
    for name in ("helper", "sitecustomize", "conftest", "setup", "jax", "json", "click", "tomllib", "pallas_lsp"):
        (folder / f"{name}.py").write_text(EVIL)
    (folder / "k.py").write_text("import helper\n" + KERNEL + EVIL)
    (folder / "pyproject.toml").write_text('[build-system]\nbuild-backend = "setup"\nrequires = ["evil"]\n')
    (folder / "requirements.txt").write_text("jax @ https://example.com/jax.whl\n--index-url https://example.com\n")
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.parametrize("arguments", [("check", "--no-cache"), ("check", "--fix"), ("check", "--diff")])
def test_a_check_runs_and_fetches_nothing(hostile: Path, arguments: tuple[str, ...]) -> None:
    program = hostile.parent / "audited.py"
    program.write_text(AUDITED)
    done = subprocess.run([sys.executable, program, *arguments], capture_output=True, text=True, env=environment())
    code, events = json.loads(done.stderr.splitlines()[-1])
    assert code in (0, 1)
    assert not (hostile / "trace").exists()
    inside = [(event, name) for event, name in events if str(hostile) in name and event not in ("read", "write")]
    assert inside == []
    loud = {event for event, _ in events if event not in ("import", "exec", "compile", "read", "write")}
    assert loud == set()
    written = {Path(name).name for event, name in events if event == "write" and str(hostile) in name}
    assert not {name for name in written if not name.endswith((".tmp", "CACHEDIR.TAG", ".gitignore"))} - {"k.py"}
    assert "--fix" in arguments or "k.py" not in written


def test_a_server_runs_nothing_and_logs_no_contents(hostile: Path) -> None:
    with Client(SERVER, cwd=hostile.parent) as client:
        client.initialize({}, folders=[hostile])
        uri = (hostile / "k.py").as_uri()
        secret = "password_of_the_user"
        client.open(uri, KERNEL.replace("add_one", secret) + f"x = ({secret}\n")
        assert client.published(uri)
        change = {"textDocument": {"uri": uri, "version": "x"}, "contentChanges": [secret]}
        client.notify("textDocument/didChange", change)
        client.notify("textDocument/didOpen", {"textDocument": {"uri": uri, "version": secret, "text": secret}})
        client.take_all()
        assert not (hostile / "trace").exists()
        logged = [message for message in client.received if message["method"] == "window/logMessage"]
        assert len(logged) >= 2
        assert secret not in json.dumps(logged)
        assert secret not in client.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_fix_that_is_killed_leaves_the_old_or_the_new_file(tmp_path: Path) -> None:
    """The process stops at each of its writes in turn, and is killed there."""
    path = tmp_path / "k.py"
    program = (
        "import os, sys, signal\n"
        "left = int(sys.argv[1])\n"
        "def see(event, arguments):\n"
        "    global left\n"
        "    if event in ('open', 'os.rename', 'os.chmod', 'os.chown', 'os.remove') and 'k.py' in str(arguments[0]):\n"
        "        left -= 1\n"
        "        if left < 0: os.kill(os.getpid(), signal.SIGKILL)\n"
        "sys.addaudithook(see)\n"
        "from pallas_lsp.cli.main import run\n"
        "sys.exit(run(['check', '--fix', '-q', '--no-cache', sys.argv[2]]))"
    )
    seen = set()
    for stop in range(30):
        path.write_text(KERNEL)
        path.chmod(0o640)
        done = subprocess.run([sys.executable, "-c", program, str(stop), str(path)], env=environment())
        assert path.read_text() in (KERNEL, FIXED)
        assert path.stat().st_mode & 0o777 == 0o640
        seen.add((done.returncode, path.read_text() == FIXED))
        if done.returncode == 0:
            break
    assert (-signal.SIGKILL, False) in seen
    assert (0, True) in seen
    left = [name.name for name in tmp_path.iterdir() if name.name != "k.py"]
    assert all(name.startswith(".k.py.") for name in left)  # no search finds these, and the next fix goes on


def test_a_file_that_changed_between_the_look_and_the_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "k.py"
    path.write_bytes(b"a")
    fsync = os.fsync

    def edit(descriptor: int) -> None:
        fsync(descriptor)
        path.write_bytes(b"edited by hand")

    monkeypatch.setattr(os, "fsync", edit)
    with pytest.raises(ChangedMeanwhile):
        replace_contents(str(path), b"a", b"b")
    assert [(entry.name, entry.read_bytes()) for entry in tmp_path.iterdir()] == [("k.py", b"edited by hand")]


def test_nobody_else_can_read_a_fix_of_a_private_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "k.py"
    path.write_bytes(b"a")
    path.chmod(0o600)
    modes = []
    fsync = os.fsync

    def look(descriptor: int) -> None:
        modes.append(os.fstat(descriptor).st_mode & 0o777)
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", look)
    replace_contents(str(path), b"a", b"b")
    assert modes == [0o600]


def test_two_servers_in_one_workspace(tmp_path: Path) -> None:
    (tmp_path / "k.py").write_text(KERNEL)
    uri = (tmp_path / "k.py").as_uri()
    with Client(SERVER) as one, Client(SERVER) as other:
        for client in (one, other):
            client.initialize({}, folders=[tmp_path])
            client.open(uri, KERNEL)
        assert one.published(uri) == other.published(uri) != []
        assert [entry.name for entry in tmp_path.iterdir()] == ["k.py"]

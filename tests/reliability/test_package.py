"""What is in the package that users install."""

from __future__ import annotations

import zipfile
from pathlib import Path, PurePosixPath

import pytest

ROOT = Path(__file__).parents[2]


def test_the_wheel_holds_the_package_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build = pytest.importorskip("hatchling.build")
    monkeypatch.chdir(ROOT)
    with zipfile.ZipFile(tmp_path / build.build_wheel(str(tmp_path))) as wheel:
        names = {name for name in wheel.namelist() if not PurePosixPath(name).parts[0].endswith(".dist-info")}
        about = {PurePosixPath(name).name for name in set(wheel.namelist()) - names}
    server = ROOT / "server"
    expected = {path.relative_to(server).as_posix() for path in (server / "pallas_lsp").rglob("*.py")}
    assert names == expected | {"pallas_lsp/py.typed", "pallas_lsp/schema.json"}
    assert about == {"METADATA", "WHEEL", "RECORD", "LICENSE", "entry_points.txt"}

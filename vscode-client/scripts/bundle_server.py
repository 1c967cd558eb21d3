"""Puts the server and what it needs into `bundled/libs`: `npm run bundle-server`."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

CLIENT = Path(__file__).resolve().parents[1]
LIBRARIES = CLIENT / "bundled" / "libs"
PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check", "-qq")
# Wheels that name no platform and no version of Python; some packages have faster ones beside them.
PURE = ("--only-binary=:all:", "--platform=any", "--implementation=py", "--abi=none", "--python-version=3.10")


def main() -> int:
    """Makes the folder anew."""
    shutil.rmtree(LIBRARIES, ignore_errors=True)
    install = (*PIP, "install", "--no-deps", "--no-compile", "--target", str(LIBRARIES))
    subprocess.run([*install, *PURE, "--requirement", str(CLIENT / "bundled" / "requirements.txt")], check=True)
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([*PIP, "wheel", "--no-deps", "--wheel-dir", folder, str(CLIENT.parent)], check=True)
        subprocess.run([*install, *map(str, Path(folder).glob("pallas_lsp-*.whl"))], check=True)
    shutil.rmtree(LIBRARIES / "bin", ignore_errors=True)
    native = [path.name for path in LIBRARIES.rglob("*") if path.suffix in {".so", ".pyd", ".dylib"}]
    if native:
        print(f"not pure Python: {', '.join(native)}", file=sys.stderr)
    return 1 if native else 0


if __name__ == "__main__":
    sys.exit(main())

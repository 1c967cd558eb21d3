"""The workspace around an open document: a file that nobody opened launches its kernels."""

from __future__ import annotations

from pathlib import Path

from lsp.client import Client

KERNEL = "def add_one(x_ref, o_ref):\n    return x_ref[...] + 1\n"
LAUNCH = (
    "import jax\nfrom jax.experimental import pallas as pl\nimport kernels\n\n"
    "def run(x):\n    return pl.pallas_call(kernels.add_one, out_shape=x)(x)\n"
)


def test_a_launch_on_disk_makes_a_kernel_of_an_open_function(tmp_path: Path, fresh: Client) -> None:
    (tmp_path / "use.py").write_text(LAUNCH, encoding="utf-8")
    kernels = tmp_path / "kernels.py"
    kernels.write_text(KERNEL, encoding="utf-8")
    fresh.initialize({"textDocument": {"publishDiagnostics": {"relatedInformation": True}}}, folders=[tmp_path])
    fresh.open(kernels.as_uri(), KERNEL)
    published = fresh.notification(
        "textDocument/publishDiagnostics",
        lambda params: params["uri"] == kernels.as_uri() and params["diagnostics"] != [],
    )
    (found,) = published["diagnostics"]
    assert (found["code"], found["range"]["start"]["line"]) == ("PAL001", 1)
    assert [place["location"]["uri"] for place in found["relatedInformation"]] == [(tmp_path / "use.py").as_uri()]
    assert fresh.exit() == 0

"""How long an editor waits: this server and others, on the same files, in one run.

    python bench/latency.py                 a table of medians, and of ratios to ruff
    python bench/latency.py --smoke         few repetitions, for a report in continuous integration
    python bench/latency.py --file PATH     measures on a file of yours besides

Other servers take part when they are installed: ruff, ty, pylsp. Each is asked for diagnostics where it can be asked,
else waited for. An edit changes a number in the middle of the file to another one, so that the program changes and not
only its layout. Times are those that this client sees, in milliseconds: from writing the change to having read and
decoded the answer.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from client import Client


class Server(NamedTuple):
    """A server that takes part.

    Args:
      name: in the table.
      command: that starts it.
      pulls: whether it answers requests for diagnostics.
    """

    name: str
    command: tuple[str, ...]
    pulls: bool


class Sample(NamedTuple):
    """A file to measure on: its name in the table, its text, and the 0-based line of a number at its end."""

    name: str
    text: str
    line: int


class Times(NamedTuple):
    """What was measured with one server on one file, in milliseconds; memory in MB."""

    initialized: float
    first: float
    edit: float
    action: float | None
    memory: float


_KERNEL = """
def kernel_{n}(x_ref, y_ref, o_ref, *, scale):
    x, y = x_ref[...], y_ref[...]

    @pl.when(pl.program_id(0) == 0)
    def _():
        o_ref[...] = jnp.zeros_like(o_ref)

    for step in range(4):
        product = jnp.dot(x, y, preferred_element_type=jnp.float32)
        o_ref[...] += product * scale + step
    offset = {n}


def launch_{n}(x, y):
    return pl.pallas_call(
        functools.partial(kernel_{n}, scale=2.0),
        grid=(4,),
        in_specs=[pl.BlockSpec((8, 128), lambda i: (i, 0)), pl.BlockSpec((128, 128), lambda i: (0, 0))],
        out_specs=pl.BlockSpec((8, 128), lambda i: (i, 0)),
        out_shape=jax.ShapeDtypeStruct((32, 128), jnp.float32),
    )(x, y)

"""
_IMPORTS = "import functools\n\nimport jax\nimport jax.numpy as jnp\nfrom jax.experimental import pallas as pl\n"
_RETURNING = """
def add(x_ref, o_ref):
    return x_ref[...] + 1


out = pl.pallas_call(add, out_shape=jax.ShapeDtypeStruct((8,), jnp.float32))
"""


def samples(extra: list[Path]) -> Iterator[Sample]:
    """Modules of kernels, a large class of them, a long kernel module of JAX, and files of the user."""
    for count in (4, 100, 400):
        body = "".join(_KERNEL.format(n=number) for number in range(count))
        yield _sample(f"{_lines(body)} lines of kernels", _IMPORTS + body + _RETURNING)
    methods = "".join(_KERNEL.format(n=number) for number in range(160)).replace("\n", "\n    ")
    yield _sample(f"a class of {_lines(methods)} lines", f"{_IMPORTS}\n\nclass Kernels:\n{methods}\n{_RETURNING}")
    found = importlib.util.find_spec("jax")
    if found is not None and found.origin is not None:
        path = Path(found.origin).parent / "experimental/pallas/ops/tpu/splash_attention/splash_attention_kernel.py"
        extra = [path, *extra] if path.exists() else extra
    for path in extra:
        text = path.read_text(encoding="utf-8")
        yield _sample(f"{path.name}, {_lines(text)} lines", text + _RETURNING)


def _lines(text: str) -> int:
    return text.count("\n")


def _sample(name: str, text: str) -> Sample:
    lines = text.split("\n")
    middle = len(lines) // 2
    candidates = sorted(range(len(lines)), key=lambda line: abs(line - middle))
    inside = (line for line in candidates if lines[line].startswith("    ") and lines[line][-1:].isdigit())
    return Sample(name, text, next(inside))


def servers() -> Iterator[Server]:
    """This server, and the others that are installed."""
    yield Server("pallas-lsp", (sys.executable, "-m", "pallas_lsp", "server"), pulls=True)
    for name, arguments, pulls in (("ruff", ("server",), True), ("ty", ("server",), True), ("pylsp", (), False)):
        path = shutil.which(name, path=os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", ""))))
        if path is not None:
            yield Server(name, (path, *arguments), pulls)


def measure(server: Server, sample: Sample, edits: int) -> Times:
    """Opens a file in a new process of a server, edits it, and asks for code actions."""
    with tempfile.TemporaryDirectory() as folder, Client(server.command, pulls=server.pulls) as client:
        path = Path(folder) / "module.py"
        path.write_text(sample.text, encoding="utf-8")
        uri = path.as_uri()
        client.initialize(folder)
        initialized = time.perf_counter() - client.started
        client.open(uri, sample.text)
        found = client.diagnostics(uri, 1)
        first = time.perf_counter() - client.started
        column = len(sample.text.split("\n")[sample.line]) - 1
        times = []
        for version in range(2, 2 + edits):
            times.append(_timed(lambda version=version: _edit(client, uri, version, sample.line, column)))
        action = None
        if any(item.get("code") == "PAL001" for item in found):
            last = sample.text.count("\n")
            span = {"start": {"line": last - 7, "character": 0}, "end": {"line": last, "character": 0}}
            asked = {"textDocument": {"uri": uri}, "range": span, "context": {"diagnostics": [], "only": ["quickfix"]}}
            action = _timed(lambda: client.request("textDocument/codeAction", asked)) * 1000
        return Times(initialized * 1000, first * 1000, statistics.median(times) * 1000, action, client.memory())


def _edit(client: Client, uri: str, version: int, line: int, column: int) -> None:
    client.insert(uri, version, line, column, str(version % 10), width=1)
    client.diagnostics(uri, version)


def _timed(action: Callable[[], object]) -> float:
    began = time.perf_counter()
    action()
    return time.perf_counter() - began


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--smoke", action="store_true")
    parser.add_argument("--file", type=Path, action="append", default=[])
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rounds, edits = (1, 6) if options.smoke else (5, 30)
    taking_part = list(servers())
    table = []
    for sample in samples(options.file):
        # In turns, so that what else the machine does meets all of them.
        measured: dict[str, list[Times]] = {server.name: [] for server in taking_part}
        for _ in range(rounds):
            for server in taking_part:
                measured[server.name].append(measure(server, sample, edits))
        for name, all_times in measured.items():
            columns = zip(*all_times, strict=True)
            medians = Times(*(None if None in column else statistics.median(column) for column in columns))  # type: ignore[arg-type]
            table.append((sample.name, name, medians))
    if options.json:
        print(json.dumps([{"file": file, "server": name, **times._asdict()} for file, name, times in table], indent=1))
        return
    reference = {file: times for file, name, times in table if name == "ruff"}
    print("| file | server | initialize | first diagnostics | edit | ratio to ruff | code action | memory |")
    print("|---|---|--:|--:|--:|--:|--:|--:|")
    for file, name, times in table:
        ratio = f"{times.edit / reference[file].edit:.2f}" if file in reference else ""
        action = "" if times.action is None else f"{times.action:.1f} ms"
        print(
            f"| {file} | {name} | {times.initialized:.0f} ms | {times.first:.0f} ms | {times.edit:.1f} ms | {ratio} "
            f"| {action} | {times.memory:.0f} MB |"
        )


if __name__ == "__main__":
    main()

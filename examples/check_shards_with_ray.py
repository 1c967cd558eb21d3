"""Checks a monorepo or a corpus shard by shard, with Ray: one process here for each processor, or a whole cluster.

    python examples/check_shards_with_ray.py [--shards N] [--check-option=OPTION]... [PATHS]... > findings.jsonl

Writes one finding a line, in the same order as one run of `pallas-lsp check --output-format json-lines`, and exits as
that does: 0 nothing was found, 1 something was, 2 something could not be checked.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import ray

CHECK = (sys.executable, "-m", "pallas_lsp", "check")

# The engine runs many at a time, so each keeps to one process; a cache is of no use to machines that have it not.
OF_A_SHARD = ("--files-from", "-", "--output-format", "json-lines", "--quiet", "--no-cache", "--jobs", "1")


class Shard(NamedTuple):
    """What came of checking a part of the files.

    Args:
      code: the exit code.
      findings: a JSON object a line.
      messages: what could not be done, a line each.
    """

    code: int
    findings: bytes
    messages: bytes


def files_to_check(paths: Iterable[str]) -> list[bytes]:
    """The files that a run would check, as absolute paths in its order."""
    shown = subprocess.run((*CHECK, "--show-files", *paths), stdout=subprocess.PIPE, check=True)
    return shown.stdout.splitlines()


def shards_of(files: list[bytes], count: int) -> Iterator[list[bytes]]:
    """The files in parts of about the same size. Neighbours stay together: they share what they import."""
    for number in range(count):
        shard = files[len(files) * number // count : len(files) * (number + 1) // count]
        if shard:
            yield shard


def check_shard(files: list[bytes], options: tuple[str, ...] = ()) -> Shard:
    """Checks some files of a project, as parts of all of it: any engine can call this, on any machine that has them."""
    names = b"\0".join(files) + b"\0"
    done = subprocess.run((*CHECK, *OF_A_SHARD, *options), input=names, capture_output=True)
    if done.returncode not in (0, 1, 2):  # It was killed, perhaps for want of memory: Ray tries again.
        raise RuntimeError(f"a shard of {len(files)} files ended with code {done.returncode}")
    return Shard(done.returncode, done.stdout, done.stderr)


def main() -> int:
    """Runs the shards, and writes what they found in the order of the files."""
    parser = argparse.ArgumentParser(description="Check files shard by shard, with Ray.")
    parser.add_argument("paths", nargs="*", default=["."], metavar="PATHS")
    parser.add_argument("--shards", type=int, default=16, metavar="N", help="parts to check on their own; default: 16")
    parser.add_argument("--check-option", action="append", default=[], metavar="OPTION", help="for pallas-lsp check")
    asked = parser.parse_args()
    try:
        files = files_to_check(asked.paths)
    except subprocess.CalledProcessError as error:  # It has said why on standard error.
        return int(error.returncode)
    ray.init(log_to_driver=False)
    task = ray.remote(num_cpus=1, max_retries=2, retry_exceptions=[RuntimeError])(check_shard)
    running = [task.remote(shard, tuple(asked.check_option)) for shard in shards_of(files, asked.shards)]
    code = 0
    for each in running:
        shard: Shard = ray.get(each)
        sys.stdout.buffer.write(shard.findings)
        sys.stderr.buffer.write(shard.messages)
        code = max(code, shard.code)
    return code


if __name__ == "__main__":
    sys.exit(main())

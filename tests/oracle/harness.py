"""Small Pallas programs that JAX itself judges: how they are read, run and compared.

Every file under `cases/`, `fixed/` and `more/` is a program with a `run()`, sometimes a `reference()` in numpy, and a
first line that states, as JSON in a comment, what JAX does with it and what the checker has to say:

  expect     "returns": `run()` raises "... should return None"; "other-error": it raises something else;
             "ok": it does not raise. `expected_exception_regex` matches what is raised.
  lint       "report": the checker has a finding of `RULES`, the rules about returned values; "silent": it has none;
             "optional": both are fine.
  sibling    only if there is one: the rule about another mistake that reports the program.
  fix        "golden": `fixed/` holds the same program after a good rewrite, and the tool's own rewrite must do the
             same under JAX; "none": there is no rewrite that is certain to be right.
  reference  "both": `run()` agrees with `reference()` as it stands; "fixed": only once rewritten; "none": not compared.
  since      only if it does not hold everywhere: the oldest of the releases that were tried (JAX 0.6.2, 0.9.2, 0.10.2
             and 0.12.0; where names do not tell, 0.4.38 and 0.5.3) for which it does. Older ones lack a function or a
             keyword that the program uses.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import sys
import types
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

os.environ.setdefault("JAX_PLATFORMS", "cpu")

ROOT = Path(__file__).parent
RULES = frozenset({"PAL001", "PAL002", "PAL003"})
NONE_ERROR = re.compile(r"(should|must) return None")


@dataclass(frozen=True, slots=True)
class Case:
    """One program and what its header says."""

    path: Path
    expect: str
    exception: str
    lint: str
    sibling: str
    fix: str
    reference: str
    since: tuple[int, ...]

    @property
    def text(self) -> str:
        """The program, line endings as they are in the file."""
        return self.path.read_bytes().decode("utf-8")

    @property
    def golden(self) -> Path:
        """Where the hand-made rewrite is."""
        return self.path.parent.parent / "fixed" / self.path.name


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a program did: what `run()` gave, what `reference()` gave if there is one, or what was raised."""

    value: Any = None
    expected: Any = None
    exception: BaseException | None = None

    @property
    def message(self) -> str:
        """The exception as one text, empty if there was none."""
        return "" if self.exception is None else f"{type(self.exception).__name__}: {self.exception}"


def read_case(path: Path) -> Case:
    """Parses the header of a program."""
    with path.open(encoding="utf-8") as lines:
        header = json.loads(next(lines).removeprefix("# "))
    return Case(
        path,
        header["expect"],
        header["expected_exception_regex"],
        header["lint"],
        header.get("sibling", ""),
        header["fix"],
        header["reference"],
        tuple(map(int, header.get("since", "0").split("."))),
    )


def programs(kind: str) -> list[Case]:
    """All programs of a kind, `cases` or `fixed`, of the shared set and of ours, in the order of their names."""
    return [read_case(path) for parent in (ROOT, ROOT / "more") for path in sorted((parent / kind).glob("*.py"))]


def name_of(case: Case) -> str:
    """The id of the test of a case."""
    return case.path.stem


def skip_on_older_jax(*cases: Case) -> None:
    """Skips a test whose programs need a newer JAX than the installed one.

    Their headers say so; for a release that is older than those which the headers were tried with, what they use of JAX
    and the release lacks. A program that is to raise another error is skipped for a name only, not for a keyword.
    """
    import jax

    from tests.oracle.releases import OLDEST_IN_HEADERS, missing_name

    needed = max(case.since for case in cases)
    if jax.__version_info__ < needed:
        pytest.skip(f"needs JAX {'.'.join(map(str, needed))}")
    if jax.__version_info__ < OLDEST_IN_HEADERS:
        for case in cases:
            lacking = missing_name(case.text)
            if lacking and (case.expect != "other-error" or "(" not in lacking):
                pytest.skip(f"JAX {jax.__version__} has no {lacking}")


def execute(path: Path) -> Outcome:
    """Runs a program in this process, quietly: all of it, then its `run()` if it has one."""
    module = types.ModuleType(f"case_{path.stem}")
    module.__file__ = str(path)
    noise = io.StringIO()
    with contextlib.redirect_stdout(noise), contextlib.redirect_stderr(noise), registered(module):
        try:
            exec(compile(path.read_bytes(), str(path), "exec"), module.__dict__)
            value = on_host(getattr(module, "run", nothing)())
        except Exception as exception:
            return Outcome(exception=exception)
        return Outcome(value, getattr(module, "reference", nothing)())


def nothing() -> None:
    """Stands for a function that a program does not have."""


@contextlib.contextmanager
def registered(module: types.ModuleType) -> Iterator[None]:
    """Keeps the module in `sys.modules`, where dataclasses look up their own, and its warnings to itself."""
    sys.modules[module.__name__] = module
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        del sys.modules[module.__name__]


def on_host(tree: Any) -> Any:
    """Waits for the arrays of a PyTree and copies them to numpy; an error inside a computation surfaces here."""
    import jax
    import numpy

    return jax.tree.map(lambda leaf: numpy.asarray(leaf) if isinstance(leaf, jax.Array) else leaf, tree)


def difference(value: Any, expected: Any) -> str:
    """How two PyTrees of arrays differ (structure, shape, dtype, values to 1e-4), empty if they do not."""
    import jax
    import numpy

    if jax.tree.structure(value) != jax.tree.structure(expected):
        return f"structure {jax.tree.structure(value)}, not {jax.tree.structure(expected)}"
    for pair in zip(jax.tree.leaves(value), jax.tree.leaves(expected), strict=True):
        got, want = map(numpy.asarray, pair)
        if (got.shape, got.dtype) != (want.shape, want.dtype):
            return f"{got.dtype}{got.shape}, not {want.dtype}{want.shape}"
        if not numpy.allclose(got.astype(numpy.float64), want.astype(numpy.float64), rtol=1e-4):
            return f"values differ: {got} instead of {want}"
    return ""

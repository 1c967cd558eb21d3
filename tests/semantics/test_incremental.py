"""What a project has learned from earlier versions never shows: every version is checked as if it were the first."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from pallas_lsp.check import check
from pallas_lsp.findings import Report
from pallas_lsp.semantics.project import Project

MODULE = """\
import functools
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl

FLAG = True
OUT = jax.ShapeDtypeStruct((8,), jnp.float32)
OTHER = OUT


def double(v):
    return v * 2


def copy(src, dst):
    dst[...] = src[...]


def launch(kernel, x, **keywords):
    return pl.pallas_call(kernel, out_shape=OUT, **keywords)(x)


def make(n):
    def kernel(x_ref, o_ref):
        return x_ref[...] + n
    return kernel


def passing(f):
    @functools.wraps(f)
    def wrapper(*args):
        return f(*args)
    return wrapper


def first(x_ref, o_ref):
    return double(x_ref[...])


def second(x_ref, o_ref):
    return copy(x_ref, o_ref)


@passing
def third(x_ref, o_ref, *, scale=2):
    if FLAG:
        return x_ref[...] * scale
    o_ref[...] = x_ref[...]


@functools.partial(pl.pallas_call, out_shape=OUT)
def fourth(x_ref, o_ref):
    @pl.when(x_ref[0] > 0)
    def _():
        return x_ref[...]


chosen = first if FLAG else second


def run(x):
    a = pl.pallas_call(chosen, out_shape=OUT)(x)
    b = launch(functools.partial(third, scale=3), x)
    c = launch(make(1), x)
    return a + b + c + fourth(x) + launch(second, x)
"""

CLASS = (
    "\n\nclass Base:\n    def call(self, kernel, x):\n        return pl.pallas_call(kernel, out_shape=OUT)(x)\n"
    "\n\nclass Kernels(Base):\n    scale = 2\n\n    def __init__(self):\n        self.body = first\n"
    + "".join(
        f"""
    def kernel{number}(self, x_ref, o_ref):
        o_ref[...] = x_ref[...] * {number}
        {"return x_ref[...] * self.scale" if number % 3 == 0 else ""}

    def run{number}(self, x):
        return self.call(self.kernel{number}, x) + self.call(self.body, x)
"""
        for number in range(16)
    )
)

LINES = [
    "FLAG = False",
    "FLAG = True",
    "OUT = (OTHER, OTHER)",
    "first = second",
    "    return x_ref[...]",
    "    return",
    "    return None",
    "    return copy(x_ref, o_ref)",
    "def double(v):",
    "    return v",
    "from jax.experimental.pallas import pallas_call as double",
    "import numpy as pl",
    "        return x_ref[...] + 1",
    "        self.body = second",
    "    scale = None",
    "    def kernel3(self, x_ref, o_ref):",
    "class Base:",
    "    global FLAG",
    "Kernels.kernel3 = second",
    "from pallas import *",
    "x = (",
    '"""',
    "",
    "@passing",
    "def second(x_ref, o_ref):",
]


def said(report: Report) -> list[object]:
    return [(finding, [str(fix) for fix in finding.fixes()]) for finding in report.findings] + list(report.notices)


def edited(text: str, chance: random.Random) -> str:
    lines = text.split("\n")
    place = chance.randrange(len(lines))
    match chance.randrange(6):
        case 0:
            del lines[place]
        case 1:
            lines.insert(place, chance.choice(LINES))
        case 2:
            lines[place] = chance.choice(LINES)
        case 3:
            other = chance.randrange(len(lines))
            lines[place], lines[other] = lines[other], lines[place]
        case 4:
            words = lines[place].split(" ")
            words[chance.randrange(len(words))] = chance.choice(["first", "second", "FLAG", "x_ref", "return", "OUT"])
            lines[place] = " ".join(words)
        case 5:
            stop = min(len(lines), place + chance.randrange(1, 12))
            block = lines[place:stop]
            del lines[place:stop]
            target = chance.randrange(len(lines) + 1)
            lines[target:target] = block
    return "\n".join(lines)


@pytest.mark.parametrize("seed", range(24))
def test_edits_of_one_file(seed: int) -> None:
    chance = random.Random(seed)
    text = MODULE + (CLASS if seed % 2 else "")
    project = Project()
    history = [text]
    for _ in range(12):
        assert said(check(text, path="m.py", project=project)) == said(check(text, path="m.py")), text
        text = chance.choice(history) if chance.random() < 0.15 else edited(text, chance)
        history.append(text)


@pytest.mark.parametrize("seed", range(8))
def test_edits_of_two_files(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    kernels, rest = MODULE.split("def run(x):")
    launches = (
        "from kernels import *\nimport kernels\nimport jax\nfrom jax.experimental import pallas as pl\n"
        "def run(x):" + rest + "\ny = pl.pallas_call(kernels.first, out_shape=kernels.OUT)(x)\n"
    )
    texts = {"kernels.py": kernels, "launches.py": launches}
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    project = Project((tmp_path,))
    project.index()
    for _ in range(10):
        name = chance.choice(sorted(texts))
        texts[name] = edited(texts[name], chance)
        project.update(str(tmp_path / name), texts[name])
        fresh = Project((tmp_path,))
        fresh.index()
        for other, text in texts.items():
            fresh.update(str(tmp_path / other), text)
        for other, text in texts.items():
            path = str(tmp_path / other)
            assert said(check(text, path=path, project=project)) == said(check(text, path=path, project=fresh))


def test_one_edit_follows_only_what_depends_on_it() -> None:
    project = Project()
    before = check(MODULE + CLASS, path="m.py", project=project)
    pieces = _pieces(project)
    after = check((MODULE + CLASS).replace("* 15", "* 150"), path="m.py", project=project)
    new = [name for name, piece in _pieces(project).items() if pieces.get(name) is not piece]
    assert len(before.findings) == len(after.findings) > 0
    # The class is another one, and `run15` launches the method that was edited.
    assert sorted(new) == ["Kernels", "run15"]


def _pieces(project: Project) -> dict[str, object]:
    """What was followed in the current version, by the name of the class or function."""
    module = project.module("m.py")
    assert module is not None
    found: dict[str, object] = {}
    stack = list(module.parsed.chunks)
    while stack:
        chunk = stack.pop()
        stack += chunk.members
        for key, value in chunk.memo.items():
            if type(value).__name__ == "Piece":
                statement = key[1] if isinstance(key, tuple) else chunk.statements[0]
                name = getattr(statement, "name", None)
                if name is not None:
                    found[name if isinstance(key, tuple) or chunk.members else f"{name} at module level"] = value
    return found

"""How much is done anew after an edit: counted, since counts do not depend on the machine."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from pallas_lsp.check import check
from pallas_lsp.semantics import analysis
from pallas_lsp.semantics.interpreter import Interpreter
from pallas_lsp.semantics.project import Project

IMPORTS = """\
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl

"""


def kernel(number: int) -> str:
    return f"""
def kernel_{number}(x_ref, o_ref):
    value = x_ref[...]
    o_ref[...] = value + {number}


def launch_{number}(x):
    return pl.pallas_call(kernel_{number}, out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype))(x)

"""


def method(number: int) -> str:
    lines = kernel(number).replace("pl.pallas_call(", "pl.pallas_call(self.").splitlines(keepends=True)
    text = "".join(f"    {line}" if line.strip() else line for line in lines)
    return text.replace("(x_ref", "(self, x_ref").replace(f"launch_{number}(x)", f"launch_{number}(self, x)")


MODULE = IMPORTS + "".join(kernel(number) for number in range(100))
CLASS = IMPORTS + "class Test:\n" + "".join(method(number) for number in range(100))


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Counts pieces of modules that are run, functions that are followed, and expressions."""
    counted: Counter[str] = Counter()

    def count(owner: type, name: str, label: str) -> None:
        original = getattr(owner, name)

        def counting(*arguments: Any, **keywords: Any) -> Any:
            counted[label] += 1
            return original(*arguments, **keywords)

        monkeypatch.setattr(owner, name, counting)

    count(Interpreter, "_run_piece", "pieces")
    count(analysis._Search, "_followed", "functions")
    count(Interpreter, "evaluate", "expressions")
    return counted


def edited(work: Counter[str], before: str, after: str) -> dict[str, int]:
    """What an edit costs once a module is known: chunks that are parsed, and the rest."""
    project = Project()
    check(before, path="m.py", project=project)
    work.clear()
    check(after, path="m.py", project=project)
    module = project.module("m.py")
    assert module is not None
    return {"chunks": module.parsed.parsed, **work}


def test_an_edit_of_a_kernel_follows_its_launch_and_no_other(work: Counter[str]) -> None:
    done = edited(work, MODULE, MODULE.replace("value + 50", "value * 2 + 50"))
    assert (done["chunks"], done["pieces"], done["functions"]) == (1, 1, 1)
    assert done["expressions"] < 60


def test_an_edit_of_a_launch_follows_that_launch(work: Counter[str]) -> None:
    done = edited(work, MODULE, MODULE.replace("pl.pallas_call(kernel_50,", "pl.pallas_call(kernel_51,"))
    assert (done["chunks"], done["pieces"], done["functions"]) == (1, 1, 1)


def test_an_edit_of_nothing_follows_nothing(work: Counter[str]) -> None:
    text = MODULE + "\n\nvalue = 1\n"
    assert edited(work, text, text.replace("value = 1\n", "value = 12\n")) == {"chunks": 1}


@pytest.mark.parametrize(
    ("old", "new"),
    [("value + 50", "value * 2 + 50"), ("pl.pallas_call(self.kernel_50,", "pl.pallas_call(self.kernel_51,")],
)
def test_an_edit_in_a_large_class_parses_one_member(work: Counter[str], old: str, new: str) -> None:
    done = edited(work, CLASS, CLASS.replace(old, new))
    assert done["chunks"] == 1
    assert done["functions"] <= 2
    assert done["expressions"] < 120


def test_the_cost_of_an_edit_does_not_grow_with_the_file(work: Counter[str]) -> None:
    costs = []
    for size in (10, 100, 1000):
        text = IMPORTS + "".join(kernel(number) for number in range(size))
        costs.append(edited(work, text, text.replace("value + 5\n", "value * 2 + 5\n")))
    assert costs[0] == costs[1] == costs[2]


def test_the_same_text_costs_nothing(work: Counter[str]) -> None:
    edited(work, MODULE, MODULE)
    assert not work

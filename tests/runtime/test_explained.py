"""`explained()`: the errors that JAX raises get a note with the fix, and no other error changes."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from pallas_lsp.runtime import explained
from tests.runtime.programs import load, output_of

KERNEL = """\
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl


def add_one(x_ref, o_ref):
    return x_ref[...] + 1


def run():
    x = jnp.arange(8.0)
    return pl.pallas_call(add_one, out_shape=jax.ShapeDtypeStruct((8,), jnp.float32), interpret=True)(x)
"""

CORE_MAP = """\
import jax
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

mesh = pltpu.create_tensorcore_mesh("x", num_cores=1)


def run():
    @pl.core_map(mesh)
    def body():
        return 1
"""


def said(error: BaseException) -> str:
    """All that Python would print of an error."""
    return "\n".join([str(error), *getattr(error, "__notes__", ())])


@pytest.mark.jax
def test_as_a_context_manager(tmp_path: Path) -> None:
    program = load(tmp_path, KERNEL, "kernel")
    with pytest.raises(ValueError, match="should return None") as caught, explained():
        program.run()
    text = said(caught.value)
    assert f"{tmp_path}/kernel.py:7:5: PAL001 returning-kernel" in text
    assert f"{tmp_path}/kernel.py:12:12: `add_one` is given to `pallas_call` here." in text
    assert "Store the result in `o_ref[...]`." in text
    assert "-    return x_ref[...] + 1\n+    o_ref[...] = x_ref[...] + 1\n" in text


@pytest.mark.jax
def test_as_a_decorator_and_once_only(tmp_path: Path) -> None:
    program = load(tmp_path, KERNEL, "kernel")
    run = explained()(explained()(program.run))
    with pytest.raises(ValueError, match="should return None") as caught:
        run()
    assert said(caught.value).count("PAL001") == 1
    assert run.__name__ == "run"


@pytest.mark.jax
def test_core_map(tmp_path: Path) -> None:
    import jax

    if jax.__version_info__ < (0, 9):
        pytest.skip("runs on a TPU only")
    program = load(tmp_path, CORE_MAP, "mapped")
    with pytest.raises(ValueError, match="should return None") as caught, explained():
        program.run()
    assert f"{tmp_path}/mapped.py:11:9: PAL001 returning-kernel" in said(caught.value)


@pytest.mark.jax
def test_python_prints_it_below_the_error(tmp_path: Path) -> None:
    text = f"{KERNEL}\n\nfrom pallas_lsp.runtime import explained\n\nwith explained():\n    run()\n"
    (tmp_path / "kernel.py").write_text(text, encoding="utf-8")
    output = output_of(tmp_path, "kernel.py")
    _, _, after = output.partition("\nValueError: The kernel function")
    assert "+    o_ref[...] = x_ref[...] + 1\n" in after


def test_an_error_that_no_rule_knows_is_left_alone() -> None:
    error = ValueError("too bad")
    with pytest.raises(ValueError, match="too bad"), explained():
        raise error
    assert said(error) == "too bad"


def test_an_error_whose_mistake_is_not_found_names_the_rule() -> None:
    with pytest.raises(ValueError, match="Invalid out_shape type") as caught, explained():
        raise ValueError("Invalid out_shape type: <class 'int'>")
    assert "PAL104 out-shape" in said(caught.value)


def test_exits_are_no_errors() -> None:
    with pytest.raises(SystemExit), explained():
        sys.exit(3)


def test_without_an_error_nothing_happens() -> None:
    @explained()
    def three() -> int:
        return 3

    assert three() == 3


def test_before_python_3_11_the_message_gets_longer() -> None:
    class Old(ValueError):
        """An error that takes no notes, as before Python 3.11."""

        add_note = property()

    with pytest.raises(Old) as caught, explained():
        raise Old("Invalid out_shape type: <class 'int'>", 7)
    assert caught.value.args[0].startswith("Invalid out_shape type: <class 'int'>\n\nPAL104")
    assert caught.value.args[1] == 7

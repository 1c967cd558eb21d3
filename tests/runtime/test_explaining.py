"""An error of JAX is explained by the finding of the rule that quotes it."""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path

import pytest

from pallas_lsp.rules.base import Rule
from pallas_lsp.rules.pages import page_of
from pallas_lsp.rules.registry import RULES
from pallas_lsp.runtime.explaining import as_text, explain_traceback
from pallas_lsp.runtime.messages import MESSAGES, codes_for, place_in
from pallas_lsp.semantics.jax_api import ENTRY_POINTS, Outcome
from tests.oracle.test_rule_pages import block, outcome_of
from tests.runtime.programs import output_of

QUOTING = [rule for rule in RULES if block(page_of(rule), "What JAX says") is not None]

SAID_SINCE = {"PAL304": (0, 9), "PAL110": (0, 6), "PAL601": (0, 10)}
"""The releases that were tried first with which JAX tells the mistake; before, an assertion fails, or nothing does."""


@pytest.mark.parametrize("rule", QUOTING, ids=lambda rule: rule.code)
def test_the_message_that_a_rule_quotes_leads_to_the_rule(rule: type[Rule]) -> None:
    assert rule.code in codes_for(block(page_of(rule), "What JAX says") or "")


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ({Outcome.RAISES: "PAL001", Outcome.RAISES_OTHERWISE: "PAL003"}[row.outcome], text)
        for row in ENTRY_POINTS.values()
        for _, text in row.says
    ],
)
def test_every_wording_of_every_release_leads_to_its_rule(code: str, says: str) -> None:
    assert code in codes_for(says.format(name="k at kernel.py:5", tree="PyTreeDef(*)"))


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("PAL403", "AttributeError: __enter__\nmore output of the program"),
        ("PAL109", "TypeError: 'MemoryRef' object is not iterable"),
        ("PAL110", "ValueError: Unknown backend in compiler_params: mosaic"),
        ("PAL204", "TypeError: object of type 'function' has no len()"),
        (
            "PAL307",
            "TypeError: lax.dynamic_update_slice requires arguments to have the same dtypes, got float32, int32.",
        ),
        (
            "PAL311",
            "TracerIntegerConversionError: The __index__() method was called on traced array with shape int32[]",
        ),
    ],
)
def test_what_older_releases_and_pythons_say(code: str, text: str) -> None:
    assert code in codes_for(text)


def test_the_table_names_rules_that_there_are() -> None:
    assert {code for _, codes in MESSAGES for code in codes} <= {rule.code for rule in RULES}


def test_the_place_that_a_message_speaks_of() -> None:
    says = "ValueError: The kernel function in the pallas_call add_one at C:\\p\\kernel.py:5 should return None."
    assert place_in(says) == ("C:\\p\\kernel.py", 5, "add_one")
    assert place_in("ValueError: no place") is None


@pytest.mark.jax
@pytest.mark.parametrize("rule", QUOTING, ids=lambda rule: rule.code)
def test_a_real_traceback_leads_to_the_finding(rule: type[Rule], tmp_path: Path) -> None:
    import traceback

    import jax

    if jax.__version_info__ < SAID_SINCE.get(rule.code, (0,)):
        pytest.skip(f"JAX {jax.__version__} says nothing of it, or something else")
    (tmp_path / "pallas-lsp.toml").write_text(f'target-jax = "{jax.__version__}"\n', encoding="utf-8")
    outcome = outcome_of(tmp_path, block(page_of(rule), "Example"))
    assert outcome.exception is not None
    text = "".join(traceback.format_exception(outcome.exception))
    explanation = explain_traceback(f"2026-01-01 some log\n{text}\nmore of it\n")
    assert explanation is not None
    assert explanation.rule is rule, outcome.message
    assert explanation.finding is not None
    assert explanation.path == str(tmp_path / "kernel.py")


KERNEL = """\
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl


def fine(x_ref, o_ref):
    o_ref[...] = x_ref[...]


def first(x_ref, o_ref):
    return x_ref[...] + 1


def second(x_ref, o_ref):
    return x_ref[...] + 2


def run(kernel):
    x = jnp.arange(8.0)
    return pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((8,), jnp.float32), interpret=True)(x)


def run_first():
    return run(first)


def run_second():
    return run(second)
"""


@pytest.mark.jax
@pytest.mark.parametrize(
    ("run", "filtering"),
    [
        ("import kernel; kernel.run_second()", "auto"),
        ("import kernel; kernel.run_second()", "off"),
        ("import kernel; kernel.run_second()", "remove_frames"),
        ("import jax, kernel; jax.jit(kernel.run_second)()", "remove_frames"),
        (
            "import kernel\ntry:\n  kernel.run_second()\nexcept ValueError as e:\n  raise RuntimeError('x') from e",
            "auto",
        ),
    ],
)
def test_of_several_findings_the_one_that_was_met(tmp_path: Path, run: str, filtering: str) -> None:
    (tmp_path / "kernel.py").write_text(KERNEL, encoding="utf-8")
    text = output_of(tmp_path, "-c", run, JAX_TRACEBACK_FILTERING=filtering)
    explanation = explain_traceback(text)
    assert explanation is not None and explanation.finding is not None
    assert explanation.finding.group.startswith("second:")
    shown = as_text(explanation, lambda path: Path(path).name)
    assert shown.startswith("kernel.py:15:5: PAL001 returning-kernel\nThe kernel function in the pallas_call second")
    assert "`second` is given to `pallas_call` here." in shown
    assert "-    return x_ref[...] + 2\n+    o_ref[...] = x_ref[...] + 2\n" in shown


@pytest.mark.jax
@pytest.mark.parametrize("style", ["long", "short", "native", "line"])
def test_the_output_of_pytest(tmp_path: Path, style: str) -> None:
    (tmp_path / "kernel.py").write_text(KERNEL, encoding="utf-8")
    test = "import kernel\n\ndef test():\n    kernel.run_second()\n"
    (tmp_path / "test_kernel.py").write_text(test, encoding="utf-8")
    text = output_of(tmp_path, "-m", "pytest", "-p", "no:cacheprovider", f"--tb={style}")
    explanation = explain_traceback(text)
    assert explanation is not None and explanation.finding is not None
    assert explanation.finding.group.startswith("second:")


def test_a_kernel_in_another_file_than_its_launch(tmp_path: Path) -> None:
    imports, _, rest = KERNEL.partition("\n\n\n")
    kernels, _, launch = rest.partition("def run(")
    (tmp_path / "kernels.py").write_text(f"{imports}\n\n\n{kernels}", encoding="utf-8")
    launching = f"{imports}\nfrom kernels import first, second\n\n\ndef run({launch}"
    (tmp_path / "launch.py").write_text(launching, encoding="utf-8")
    text = f"""\
        Traceback (most recent call last):
          File "{tmp_path}/launch.py", line 17, in run_second
          File "{tmp_path}/launch.py", line 9, in run
        ValueError: The kernel function in the pallas_call second at {tmp_path}/kernels.py:14 should return None. It \
        returns a PyTree: PyTreeDef(*)
        """
    explanation = explain_traceback(textwrap.dedent(text))
    assert explanation is not None and explanation.finding is not None
    assert explanation.path == str(tmp_path / "kernels.py")
    assert explanation.finding.group.startswith("second:")


def test_without_the_file_the_rule_is_named() -> None:
    text = (
        'Traceback (most recent call last):\n  File "/nowhere/kernel.py", line 9, in run\n'
        "ValueError: The kernel function in the pallas_call k at /nowhere/kernel.py:5 should return None."
        " It returns a PyTree: PyTreeDef(*)\n"
    )
    explanation = explain_traceback(text)
    assert explanation is not None and explanation.finding is None
    assert as_text(explanation) == (
        "PAL001 returning-kernel: A kernel returns a value instead of storing it.\n"
        "The mistake is not seen in the files of the traceback.\n"
        "See https://pallas-lsp.readthedocs.io/en/latest/rules/returning-kernel/\n"
    )


def test_an_error_that_no_rule_knows() -> None:
    text = 'Traceback (most recent call last):\n  File "/p/k.py", line 9, in run\nValueError: too bad\n'
    assert explain_traceback(text) is None


def test_nothing_is_imported_or_run(tmp_path: Path) -> None:
    (tmp_path / "kernel.py").write_text(f"raise SystemExit\n{KERNEL}", encoding="utf-8")
    text = (
        f'Traceback (most recent call last):\n  File "{tmp_path}/kernel.py", line 21, in run\n'
        f"ValueError: The kernel function in the pallas_call first at {tmp_path}/kernel.py:11 should return None."
        " It returns a PyTree: PyTreeDef(*)\n"
    )
    explain_traceback(text)
    assert "kernel" not in sys.modules

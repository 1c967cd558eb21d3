"""The invariants of the design: who may import what, what a start costs, and that a check never fails."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pallas_lsp
from pallas_lsp.check import check
from pallas_lsp.config import DEFAULT
from pallas_lsp.findings import Report
from pallas_lsp.rules.base import Rule
from pallas_lsp.rules.pages import page_of
from pallas_lsp.rules.registry import RULES
from scripts.generate_rule_pages import generated, stale
from tests.examples import examples
from tests.oracle.harness import programs

ROOT = Path(pallas_lsp.__file__).parent
MODULES = sorted(ROOT.rglob("*.py"))

LAYERS = [
    *("findings", "text", "files", "globs", "gitignore", "config", "suppressions", "target", "syntax", "semantics"),
    *("rewrite", "rules", "check", "outline", "conversions", "fixing", "runtime", "verify", "notebooks", "lsp", "cli"),
    *("jupyter", "pytest_plugin", "__main__"),
]
"""The parts of the package from the bottom to the top: each may import itself and what stands before it."""

THIRD_PARTY = {
    "config": {"tomli", "tomllib"},
    "target": {"packaging"},
    "runtime": {"pytest"},
    "verify": {"jax", "numpy"},  # in the process that it starts
    "pytest_plugin": {"pytest"},
    "lsp": {"cattrs", "lsprotocol", "pygls", "websockets"},
    "cli": {"click"},
}
"""What a part may import besides the standard library; the others nothing."""


def layer_of(path: Path) -> str:
    """The part of the package that a module belongs to; empty for the package itself."""
    first = path.relative_to(ROOT).parts[0]
    return first.removesuffix(".py").removesuffix("__init__")


def imported(path: Path) -> Iterator[tuple[int, str]]:
    """The line and the dotted name of everything that a module imports, also inside functions."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: a relative import"
            assert node.module is not None
            yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_module_imports_only_the_standard_library_and_what_its_layer_may(path: Path) -> None:
    allowed = sys.stdlib_module_names | {"pallas_lsp"} | THIRD_PARTY.get(layer_of(path), set())
    assert [(line, name) for line, name in imported(path) if name.partition(".")[0] not in allowed] == []


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_module_imports_only_downwards(path: Path) -> None:
    layer = layer_of(path)
    below = {"", "__version__", *LAYERS[: LAYERS.index(layer) + 1]} if layer else set()
    inside = [(line, name.split(".")[1]) for line, name in imported(path) if name.partition(".")[0] == "pallas_lsp"]
    assert [(line, name) for line, name in inside if name not in below] == []


def test_layers_are_the_parts_of_the_package() -> None:
    assert {layer_of(path) for path in MODULES} == {"", *LAYERS}


@pytest.mark.parametrize(
    ("imports", "absent"),
    [
        ("pallas_lsp.__main__, pallas_lsp.lsp", "pygls lsprotocol libcst jax click"),
        ("pallas_lsp.lsp.server, pallas_lsp.check", "libcst jax click"),
        ("pallas_lsp.cli.check, pallas_lsp.check", "pygls lsprotocol libcst jax asyncio"),
        ("pallas_lsp.fixing", "pygls lsprotocol libcst jax"),
        ("pallas_lsp.runtime", "pygls lsprotocol libcst jax click pytest"),
        ("pallas_lsp.pytest_plugin", "pytest jax click pallas_lsp.findings pallas_lsp.check pallas_lsp.runtime"),
    ],
)
def test_importing_does_not_pull_in(imports: str, absent: str) -> None:
    program = f"import sys, {imports}; print(*sorted(set(sys.modules) & set({absent.split()!r})))"
    environment = {**os.environ, "PYTHONPATH": str(ROOT.parent)}
    output = subprocess.check_output([sys.executable, "-c", program], env=environment, text=True)
    assert output.strip() == ""


FRAGMENTS = [
    *("pl.pallas_call(", "k", "x_ref", "o_ref", "[...]", " = ", "return ", "def ", "lambda ", "(", ")", ":", ",", "*"),
    *("import jax", "from jax.experimental import pallas as pl", "@", "out_shape=", "functools.partial(", "async "),
    *("\n", "\n    ", "\n  ", "\t", "\\\n", "\r\n", "\f", "\0", ";", '"""', "'", "#", "# pallas: ignore[PAL001]"),
    *("\ufeff", "\u2028", "\u00e9", "\U0001d499", "\ud800", "if ", "else:", "match ", "case ", "for ", "while "),
    *("with ", "try:", "finally:", "class ", "yield ", "None", "1", "pl.pallas_call(k, out_shape=x)(x)\n"),
    "def k(x_ref, o_ref):\n    return x_ref[...]\n",
]


@examples(150)
@given(st.text(st.characters()) | st.lists(st.sampled_from(FRAGMENTS), max_size=60).map("".join))
def test_check_gives_a_report_for_any_text(text: str) -> None:
    report = check(text, DEFAULT)
    assert isinstance(report, Report)


@examples(150)
@given(
    st.sampled_from([case.path for case in programs("cases")]),
    st.floats(0, 1),
    st.integers(0, 12),
    st.lists(st.sampled_from(FRAGMENTS), max_size=3).map("".join),
)
def test_check_gives_a_report_for_a_program_being_edited(path: Path, where: float, cut: int, typed: str) -> None:
    program = path.read_bytes().decode("utf-8")
    start = int(where * len(program))
    edited = program[:start] + typed + program[start + cut :]
    report = check(edited, DEFAULT, path=str(path))
    assert isinstance(report, Report)
    rows = edited.count("\n") + edited.count("\r") + 1
    for finding in report.findings:
        assert finding.range.start <= finding.range.end
        assert finding.range.end.line < rows


def test_rule_pages_and_the_table_in_the_readme_are_what_make_docs_writes() -> None:
    for path, text in generated().items():
        assert path.read_text(encoding="utf-8") == text, f"{path.name} is out of date: make docs"
    assert stale() == []


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_rule_page_has_the_four_headings(rule: type[Rule]) -> None:
    headings = [row for row in page_of(rule).splitlines() if row.startswith("## ")]
    assert headings == ["## What it does", "## What JAX says", "## Example", "## Fixed"]

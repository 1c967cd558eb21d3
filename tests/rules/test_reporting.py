"""What settings and comments make of a finding, for each rule."""

from __future__ import annotations

from typing import Any

import pytest

from pallas_lsp.check import check
from pallas_lsp.config import Settings
from pallas_lsp.findings import Severity
from pallas_lsp.rules.base import Rule
from pallas_lsp.rules.missing_name import MissingName
from pallas_lsp.rules.registry import RULES
from pallas_lsp.rules.unused_ignore import UnusedIgnore
from pallas_lsp.text import SourceText
from tests.rules.support import LAUNCH, PRELUDE, finding, findings

_K = "def k(x_ref, o_ref):\n    o_ref[...] = o_ref[...] * 2\n"


def _launched(arguments: str) -> str:
    return _K + f"{{before}}pl.pallas_call(k, {arguments})(x){{comment}}\n"


def _mapped(spec: str) -> str:
    return _launched(f"out_shape=OUT, grid=(2,), in_specs=[{spec}]")


MISTAKES = {
    "PAL001": "def k(x_ref, o_ref):\n    {before}return x_ref[...]{comment}\n" + LAUNCH,
    "PAL002": "@plgpu.kernel(out_type=OUT)\ndef k(x_ref, o_ref):\n    {before}return x_ref[...]{comment}\n",
    "PAL003": (
        "def k(x_ref, o_ref):\n    @pl.when(x_ref[0] > 0)\n"
        "    def _():\n        {before}return x_ref[...]{comment}\n" + LAUNCH
    ),
    "PAL101": (_K + "{before}pl.pallas_call(k, out_shape=OUT)(x, x){comment}\n"),
    "PAL102": _launched("out_shape=OUT, in_specs=None"),
    "PAL103": _launched("out_shape=OUT, out_specs=[pl.BlockSpec()]"),
    "PAL104": _launched("out_shape=(8,)"),
    "PAL105": _launched("out_shape=OUT, grid=(1,), grid_spec=pl.GridSpec(grid=(1,))"),
    "PAL106": _launched("out_shape=OUT, grid=(2.0,)"),
    "PAL107": _launched("out_shape=OUT, num_warps=4"),
    "PAL108": ("{before}pl.pallas_call(out_shape=OUT)(lambda x_ref, o_ref: None){comment}\n"),
    "PAL109": _launched("out_shape=OUT, scratch_shapes=None"),
    "PAL110": _launched("out_shape=OUT, compiler_params=dict(mosaic=1)"),
    "PAL111": _launched("out_shape=OUT, input_output_aliases=[(0, 0)]"),
    "PAL112": (_K + "{before}" + LAUNCH.rstrip() + "{comment}\n"),
    "PAL201": _mapped("pl.BlockSpec((4,), lambda: (0,))"),
    "PAL202": _mapped("pl.BlockSpec((4,), lambda i: (i, 0))"),
    "PAL203": _mapped("pl.BlockSpec((4,), lambda i: (i / 2,))"),
    "PAL204": _mapped("pl.BlockSpec(4, lambda i: (i,))"),
    "PAL205": _mapped("pl.BlockSpec((1, 4), lambda i: (0, i))"),
    "PAL206": _mapped("pl.BlockSpec((4,), lambda i: (i + x,))"),
    "PAL207": _mapped("pl.BlockSpec((4,), lambda i: (i or 1,))"),
    "PAL301": "def k(x_ref, o_ref):\n    {before}o_ref[...] = x_ref + 1{comment}\n" + LAUNCH,
    "PAL302": "def k(x_ref, o_ref):\n    {before}o_ref = x_ref[...] + 1{comment}\n" + LAUNCH,
    "PAL303": "def k(x_ref, o_ref):{comment}\n    y = x_ref[...]\n" + LAUNCH,
    "PAL304": "def k(x_ref, o_ref):\n    {before}o_ref[...] = x_ref{comment}\n" + LAUNCH,
    "PAL305": (
        "def k(x_ref, o):\n    {before}o[...] = x_ref[...]{comment}\npl.pallas_call(k, out_shape=dict(y=OUT))(x)\n"
    ),
    "PAL306": "def k(x_ref, o_ref):\n    {before}o_ref[...] = 1.0{comment}\n" + LAUNCH,
    "PAL307": "def k(x_ref, o_ref):\n    {before}o_ref[0] = 1{comment}\n" + LAUNCH,
    "PAL308": "def k(x_ref, o_ref):\n    {before}x_ref[0] = 1.0{comment}\n    o_ref[...] = x_ref[...]\n" + LAUNCH,
    "PAL309": (
        "def k(x_ref, o_ref):\n    y = x_ref[...]\n    {before}y[0] = 1.0{comment}\n    o_ref[...] = y\n" + LAUNCH
    ),
    "PAL310": "def k(x_ref, o_ref):\n    {before}o_ref[...].at[0].set(1.0){comment}\n" + LAUNCH,
    "PAL311": (
        "def k(x_ref, o_ref):\n    i = pl.program_id(0)\n    {before}o_ref[i : i + 1] = x_ref[0:1]{comment}\n"
        "pl.pallas_call(k, grid=(8,), out_shape=OUT)(x)\n"
    ),
    "PAL401": "def k(x_ref, o_ref):\n    {before}assert x_ref[0] > 0{comment}\n    o_ref[...] = x_ref[...]\n" + LAUNCH,
    "PAL402": "def k(x_ref, o_ref):\n    {before}o_ref[...] = x_ref[...] * int(x_ref[0]){comment}\n" + LAUNCH,
    "PAL403": "def k(x_ref, o_ref):\n    {before}pl.when(x_ref[0] > 0){comment}\n    o_ref[...] = x_ref[...]\n"
    + LAUNCH,
    "PAL404": (
        "def k(x_ref, o_ref):\n    {before}lax.fori_loop(0, 8, lambda i, c: None, 0){comment}\n"
        "    o_ref[...] = x_ref[...]\n" + LAUNCH
    ),
    "PAL405": "def k(x_ref, o_ref):\n    {before}o_ref[...] = x_ref[...] * pl.program_id(0){comment}\n" + LAUNCH,
    "PAL501": "def k(x_ref, o_ref):\n    {before}o_ref[...] = x_ref[...] + x{comment}\n" + LAUNCH,
    "PAL502": (
        "def k(x_ref, o_ref, sem):\n    o_ref[...] = x_ref[...]\n"
        "    {before}pltpu.make_async_copy(x_ref, o_ref, sem){comment}\n"
        "pl.pallas_call(k, out_shape=OUT, scratch_shapes=[pltpu.SemaphoreType.DMA])(x)\n"
    ),
}
"""For each rule, a program with one finding."""


def enabled(rule: type[Rule], **settings: Any) -> Settings:
    """Settings with which a rule is on, whatever its default."""
    return Settings(**{"extend_select": () if rule.default else (rule.code,), **settings})


CODE_RULES = tuple(rule for rule in RULES if rule not in (UnusedIgnore, MissingName))
"""The rules about code for any JAX: test_unused_ignore.py and test_missing_name.py have the others."""

each_rule = pytest.mark.parametrize("rule", CODE_RULES, ids=lambda rule: rule.code)


def mistake(rule: type[Rule], comment: str = "", before: str = "") -> str:
    return MISTAKES[rule.code].format(comment=comment, before=before)


@each_rule
def test_a_finding_says_which_rule_it_is_of(rule: type[Rule]) -> None:
    one = finding(mistake(rule), enabled(rule))
    assert (one.code, one.name, one.severity, one.tags) == (rule.code, rule.name, rule.severity, ())


@each_rule
def test_severity(rule: type[Rule]) -> None:
    assert finding(mistake(rule), enabled(rule, severity={rule.code: Severity.HINT})).severity is Severity.HINT
    assert finding(mistake(rule), enabled(rule, severity={"PAL999": Severity.HINT})).severity is rule.severity


@each_rule
@pytest.mark.parametrize(
    ("select", "extend", "ignore", "reported"),
    [
        ("{code}", "", "", True),
        ("PAL", "", "", True),
        ("PAL999", "", "", False),
        ("PAL999", "{code}", "", True),
        ("", "", "{code}", False),
        ("", "", "{code:.4}", False),
        ("", "", "PAL999", True),
        ("{code}", "", "PAL", True),
    ],
)
def test_selection(rule: type[Rule], select: str, extend: str, ignore: str, reported: bool) -> None:
    def codes(text: str) -> tuple[str, ...]:
        return (text.format(code=rule.code),) if text else ()

    by_default = () if select or rule.default or not reported else (rule.code,)
    settings = Settings(select=codes(select) or None, extend_select=codes(extend) + by_default, ignore=codes(ignore))
    assert bool(findings(mistake(rule), settings)) is reported


def test_nothing_is_selected() -> None:
    assert [findings(text.format(comment="", before=""), Settings(select=())) for text in MISTAKES.values()] == [
        ()
    ] * len(MISTAKES)


@each_rule
@pytest.mark.parametrize(
    ("comment", "reported"),
    [
        ("# pallas: ignore", False),
        ("# pallas: ignore[{code}]", False),
        ("# pallas: ignore[{name}]", False),
        ("# noqa", False),
        ("# noqa: {code}", False),
        ("# pallas: ignore[PAL999]", True),
        ("# noqa: E501", True),
        ("# why", True),
    ],
)
def test_comments(rule: type[Rule], comment: str, reported: bool) -> None:
    written = comment.format(code=rule.code, name=rule.name)
    settings = enabled(rule, ignore=(UnusedIgnore.code,))
    assert bool(findings(mistake(rule, f"  {written}"), settings)) is reported
    assert len(findings(f"{written}\n" + mistake(rule), settings)) == 1  # it is about its own line


@each_rule
def test_a_comment_for_the_whole_file(rule: type[Rule]) -> None:
    assert findings(mistake(rule) + f"# pallas: ignore-file[{rule.code}]\n", enabled(rule)) == ()


@pytest.mark.parametrize(
    "rule", [rule for rule in CODE_RULES if "{before}" in MISTAKES[rule.code]], ids=lambda rule: rule.code
)
def test_the_place_is_in_code_points(rule: type[Rule]) -> None:
    plain, shifted = (PRELUDE + mistake(rule, before=before) for before in ("", "'ä🐍'; "))
    (one,), (other,) = (check(text, enabled(rule)).findings for text in (plain, shifted))
    assert SourceText(plain).slice(one.range) == SourceText(shifted).slice(other.range)
    assert one.range.start.line == one.range.end.line
    assert other.range.start.character == one.range.start.character + len("'ä🐍'; ")


@pytest.mark.parametrize("rule", [rule for rule in CODE_RULES if rule.code[3] not in "12"], ids=lambda rule: rule.code)
def test_a_finding_names_the_kernel_and_its_launch(rule: type[Rule]) -> None:
    one = finding(mistake(rule), enabled(rule))
    assert len(one.related) == 1
    assert one.group


def test_findings_come_in_the_order_of_the_text() -> None:
    rules = [rule for rule in CODE_RULES[::-1] if rule.default]
    text = "".join(mistake(rule).replace("k(", f"{rule.code}(").replace("(k", f"({rule.code}") for rule in rules)
    assert [one.code for one in findings(text)] == [rule.code for rule in rules]

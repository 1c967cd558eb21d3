"""`pallas-lsp rule`, `version` and `server`, and what the documentation says of them."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

import pallas_lsp
from pallas_lsp import lsp
from pallas_lsp.__main__ import main
from pallas_lsp.config import OPTIONS, Option
from pallas_lsp.rules.base import Rule
from pallas_lsp.rules.registry import RULES
from scripts.generate_reference import DOCS, generated


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_a_rule_by_code_and_by_name(cli: Any, rule: type[Rule]) -> None:
    by_code = cli("rule", rule.code)
    assert by_code == cli("rule", rule.name) == cli("rule", rule.code.lower())
    assert by_code.code == 0
    assert by_code.out.startswith(f"{rule.name} ({rule.code})\n")
    for heading in ("What it does", "What JAX says", "Example", "Fixed"):
        assert f"\n{heading}\n" in by_code.out
    assert "```" not in by_code.out


def test_a_rule_in_markdown(cli: Any) -> None:
    out = cli("rule", "PAL001", "--output-format", "markdown").out
    assert out.startswith("# returning-kernel (PAL001)\n\nSeverity: error. It is on by default.\n\n")
    assert "\n## Example\n```python\n" in out


def test_a_rule_in_json(cli: Any) -> None:
    entry = cli("rule", "PAL001", "--output-format", "json").json
    assert {key: entry[key] for key in ("code", "name", "severity", "default")} == {
        "code": "PAL001",
        "name": "returning-kernel",
        "severity": "error",
        "default": True,
    }
    assert "\n" not in entry["summary"]
    assert entry["summary"] in " ".join(entry["explanation"].split())


def test_the_settings(cli: Any) -> None:
    assert cli("config").out.splitlines() == [option.key for option in OPTIONS]
    assert list(cli("config", "--output-format", "json").json) == [option.key for option in OPTIONS]


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.key)
def test_a_setting(cli: Any, option: Option) -> None:
    text = cli("config", option.key).out
    assert text.startswith(f"{option.key}\n\n{option.documentation[:20]}")
    assert f"\nForm: {option.form}\nDefault: {option.default}\n" in text
    assert cli("config", option.key, "--output-format", "json").json["example"] == option.example


def test_an_unknown_setting(cli: Any) -> None:
    assert cli("config", "selct") == (2, "", "pallas-lsp: error: there is no setting `selct`; did you mean `select`?\n")
    assert cli("config", "qq").err == "pallas-lsp: error: there is no setting `qq`\n"


def test_all_rules(cli: Any) -> None:
    entries = cli("rule", "--all", "--output-format", "json").json
    assert [entry["code"] for entry in entries] == [rule.code for rule in RULES]
    text = cli("rule", "--all").out
    assert all(f"{rule.name} ({rule.code})\n" in text for rule in RULES)


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("PA001", "; did you mean `PAL001` (returning-kernel)?"),
        ("droped-result", "; did you mean `PAL002` (dropped-result)?"),
        ("zzz", ""),
    ],
)
def test_an_unknown_rule(cli: Any, word: str, hint: str) -> None:
    assert cli("rule", word) == (2, "", f"pallas-lsp: error: there is no rule `{word}`{hint}\n")


@pytest.mark.parametrize("arguments", [(), ("PAL001", "--all")])
def test_one_rule_or_all(cli: Any, arguments: tuple[str, ...]) -> None:
    assert cli("rule", *arguments) == (2, "", "pallas-lsp: error: expected the code or name of a rule, or --all\n")


def test_version(cli: Any) -> None:
    assert cli("version") == (0, f"pallas-lsp {pallas_lsp.__version__}\n", "")
    assert cli("--version").out == f"pallas-lsp {pallas_lsp.__version__}\n"
    assert json.loads(cli("version", "--output-format", "json").out) == {
        "version": pallas_lsp.__version__,
        "python": ".".join(map(str, sys.version_info[:3])),
    }


@pytest.mark.parametrize(
    ("arguments", "served"),
    [
        ((), ("stdio", "127.0.0.1", 0)),
        (("--stdio",), ("stdio", "127.0.0.1", 0)),
        (("--tcp", "--port", "2087"), ("tcp", "127.0.0.1", 2087)),
        (("--ws", "--host", "::1"), ("ws", "::1", 0)),
    ],
)
def test_server(cli: Any, monkeypatch: Any, arguments: tuple[str, ...], served: tuple[str, str, int]) -> None:
    calls: list[tuple[object, ...]] = []
    monkeypatch.setattr(lsp, "serve", lambda *how: calls.append(how) or 7)
    assert cli("server", *arguments).code == 7
    assert calls == [served]


@pytest.mark.parametrize("arguments", [["server"], ["server", "--stdio"]])
def test_the_server_of_an_editor_starts_without_the_command_line(monkeypatch: Any, arguments: list[str]) -> None:
    monkeypatch.setattr(lsp, "serve", lambda: 7)
    monkeypatch.setattr(sys, "argv", ["pallas-lsp", *arguments])
    monkeypatch.setitem(sys.modules, "pallas_lsp.cli.main", None)
    assert main() == 7


def test_a_port_that_is_none(cli: Any) -> None:
    code, _, err = cli("server", "--tcp", "--port", "99999")
    assert code == 2
    assert err.startswith("pallas-lsp: error: Invalid value for '--port'")


@pytest.mark.parametrize("path", generated(), ids=lambda path: path.name)
def test_the_documentation_is_up_to_date(path: Path) -> None:
    assert path.read_text(encoding="utf-8") == generated()[path], "run scripts/generate_reference.py"


def test_the_comments_and_files_in_the_documentation_are_the_real_ones() -> None:
    from pallas_lsp.config import FILE_NAMES
    from pallas_lsp.suppressions import Suppressions

    text = (DOCS / "configuration.md").read_text(encoding="utf-8")
    assert all(f"`{name}`" in text for name in FILE_NAMES)
    comments = [comment for row in re.findall(r"^\| (`#.*?) \|", text, re.M) for comment in re.findall("`(.*?)`", row)]
    assert len(comments) == 10
    for comment in comments:
        (directive,) = Suppressions.of(comment).directives
        assert (directive.names is not None) == ("PAL001" in comment)

"""Which rules and files a setting means."""

from __future__ import annotations

import pytest

from pallas_lsp.config import RULE_NAMES, ConfigError, Pattern, Patterns, Settings, layer_from_options, settings_for
from pallas_lsp.rules.registry import RULES


def test_the_known_rules_are_the_registered_ones() -> None:
    assert {rule.code: rule.name for rule in RULES} == RULE_NAMES


@pytest.mark.parametrize(
    ("settings", "enabled"),
    [
        (Settings(), "on"),
        (Settings(select=()), ""),
        (Settings(select=("PAL",)), "on off"),
        (Settings(select=("",)), "on off"),
        (Settings(select=("PAL001",)), "on"),
        (Settings(select=("PAL1",)), "off"),
        (Settings(extend_select=("PAL1",)), "on off"),
        (Settings(ignore=("PAL001",)), ""),
        (Settings(ignore=("",)), ""),
        (Settings(select=("PAL",), ignore=("PAL",)), ""),
        (Settings(select=("PAL0",), ignore=("PAL",)), "on"),
        (Settings(select=("PAL",), ignore=("PAL0",)), "off"),
        (Settings(extend_select=("PAL1",), ignore=("PAL10",)), "on"),
    ],
)
def test_the_longest_prefix_decides(settings: Settings, enabled: str) -> None:
    rules = {"on": ("PAL001", True), "off": ("PAL101", False)}
    assert " ".join(name for name, (code, default) in rules.items() if settings.enables(code, default)) == enabled


def settings_of(**options: object) -> Settings:
    layer = layer_from_options({key.replace("_", "-"): value for key, value in options.items()}, root="/p")
    return settings_for("/p/k.py", overrides=layer, isolated=True)


def test_names_and_all_are_selectors() -> None:
    assert settings_of(select=["returning-kernel"]).select == ("PAL001",)
    assert settings_of(ignore=["ALL"]).ignore == ("",)


@pytest.mark.parametrize(
    ("ignores", "path", "reported"),
    [
        ({"tests/**": ["ALL"]}, "/p/tests/a/k.py", False),
        ({"tests/**": ["ALL"]}, "/p/src/k.py", True),
        ({"tests/**": ["PAL002"]}, "/p/tests/k.py", True),
        ({"k.py": ["PAL001"]}, "/p/src/k.py", False),
        ({"*.pyi": ["PAL"]}, "/p/k.pyi", False),
        ({"!src/**": ["returning-kernel"]}, "/p/k.py", False),
        ({"!src/**": ["returning-kernel"]}, "/p/src/k.py", True),
    ],
)
def test_per_file_ignores_win_over_every_selection(ignores: dict[str, list[str]], path: str, reported: bool) -> None:
    settings = settings_of(per_file_ignores=ignores, select=["PAL001"])
    assert settings.enables("PAL001", True, path) is reported


def test_a_text_without_a_path_is_in_no_pattern() -> None:
    assert settings_of(per_file_ignores={"!src/**": ["ALL"]}).enables("PAL001", True)


@pytest.mark.parametrize(
    ("glob", "path", "matches"),
    [
        ("build", "/p/build", True),
        ("build", "/p/a/build", True),
        ("build/", "/p/a/build", True),
        ("build", "/p/build2", False),
        ("*.py", "/p/a/k.py", True),
        ("?.py", "/p/a/k.py", True),
        ("[a-k].py", "/p/k.py", True),
        ("[!a-k].py", "/p/k.py", False),
        ("[]x].py", "/p/].py", True),
        ("[a&&b].py", "/p/&.py", True),
        ("{a,k}.py", "/p/k.py", True),
        ("{a,k}.py", "/p/b.py", False),
        ("a/k.py", "/p/a/k.py", True),
        ("a/k.py", "/p/b/a/k.py", False),
        ("./a/k.py", "/p/a/k.py", True),
        ("a/../k.py", "/p/k.py", True),
        ("../q/k.py", "/q/k.py", True),
        ("**/a/*.py", "/p/a/k.py", True),
        ("**/a/*.py", "/p/x/y/a/k.py", True),
        ("a/**", "/p/a/b/c.py", True),
        ("a/**/c.py", "/p/a/c.py", True),
        ("a/**/c.py", "/p/a/b/b/c.py", True),
        ("a/*.py", "/p/a/b/c.py", True),
        ("/p/a", "/p/a", True),
        ("a.b", "/p/aXb", False),
        ("a(b)+", "/p/a(b)+", True),
    ],
)
def test_patterns(glob: str, path: str, matches: bool) -> None:
    assert Patterns((Pattern(glob, "/p"),)).matches(path) is matches


def test_special_characters_of_the_folder_are_no_pattern() -> None:
    assert Patterns((Pattern("a/k.py", "/p[1]{x}*"),)).matches("/p[1]{x}*/a/k.py")
    assert not Patterns((Pattern("a/k.py", "/p*"),)).matches("/pq/a/k.py")


def test_no_pattern_matches_nothing() -> None:
    assert not Patterns(()).matches("/p/k.py")


@pytest.mark.parametrize("glob", ["[a", "{a", "a{b,{c}", "[z-a]"])
def test_a_pattern_that_is_none(glob: str) -> None:
    with pytest.raises(ConfigError, match="is not a pattern"):
        settings_of(exclude=[glob])

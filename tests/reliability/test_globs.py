"""Globs mean what a plain regular expression says, and no glob takes long, whatever it is matched against."""

from __future__ import annotations

import re
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pallas_lsp.config import ConfigError, Pattern, Patterns, layer_from_options
from pallas_lsp.gitignore import ignore_pattern
from pallas_lsp.globs import ACROSS, FOLDERS, WITHIN, Wildcard, expression
from tests.examples import examples

PLAIN = {FOLDERS: "(?:.*/)?", WITHIN: "[^/]*", ACROSS: ".*"}


def globs(star: Wildcard) -> st.SearchStrategy[list[str | Wildcard]]:
    """Parts of globs in which `**/` starts a name, as it does in all that is written."""
    pieces = st.sampled_from([["a"], ["b"], [star], ["[^/]"], ["a", "/"], ["/", FOLDERS], ["a", "/", FOLDERS]])
    start = st.sampled_from([[], [FOLDERS]])
    return st.tuples(start, st.lists(pieces, max_size=7)).map(lambda drawn: [*drawn[0], *chain.from_iterable(drawn[1])])


@examples(400)
@given(st.sampled_from([WITHIN, ACROSS]).flatmap(globs), st.lists(st.text("ab/", max_size=9), min_size=1, max_size=8))
def test_short_wildcards_match_what_greedy_ones_do(parts: list[str | Wildcard], paths: list[str]) -> None:
    greedy = re.compile("".join(PLAIN[part] if isinstance(part, Wildcard) else part for part in parts), re.S)
    short = re.compile(expression(parts), re.S)
    for path in paths:
        assert bool(short.fullmatch(path)) is bool(greedy.fullmatch(path)), path


@pytest.mark.parametrize(
    ("glob", "path"),
    [("*a" * 60 + "b", "a" * 255), ("**/a/" * 60 + "b", "a/" * 2000), ("**/*a/" * 60 + "b", "a/" * 2000)],
)
def test_many_wildcards_take_no_longer(glob: str, path: str) -> None:
    # Greedy ones would try more ways than there are atoms in the universe.
    assert not Patterns((Pattern(glob, "/"),)).matches("/" + path)
    pattern = ignore_pattern(glob)
    assert pattern is not None
    assert not re.fullmatch(pattern.expression, path, re.S)


def test_alternatives_are_written_out_and_counted() -> None:
    assert Patterns((Pattern("{a,b{c,d*}}{x,y}", ""),)).matches("/bdxxy")
    assert not Patterns((Pattern("{a,b{c,d*}}{x,y}", ""),)).matches("/bd")
    with pytest.raises(ConfigError, match="too many alternatives"):
        layer_from_options({"exclude": ["{a,b}" * 20]}, root="/")


@pytest.mark.parametrize("glob", ["a" * 5000, "{" * 5000])
def test_a_pattern_that_is_longer_than_any_path(glob: str) -> None:
    with pytest.raises(ConfigError, match="too long"):
        layer_from_options({"exclude": [glob]}, root="/")

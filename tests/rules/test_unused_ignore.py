"""PAL901: which comments are unused, and what is left when they are gone."""

from __future__ import annotations

import pytest

from pallas_lsp.check import check
from pallas_lsp.config import Settings
from rules.support import LAUNCH, PRELUDE, applied, finding, findings

GOOD = "def k(x_ref, o_ref):\n    o_ref[...] = x_ref[...]"
BAD = "def k(x_ref, o_ref):\n    return x_ref[...]"


def said(text: str) -> list[tuple[str, str]]:
    return [(one.code, one.message) for one in findings(text)]


@pytest.mark.parametrize(
    ("text", "fixed"),
    [
        (f"{GOOD}  # pallas: ignore\n{LAUNCH}", f"{GOOD}\n{LAUNCH}"),
        (f"{GOOD}  # pallas: ignore[PAL001]\n{LAUNCH}", f"{GOOD}\n{LAUNCH}"),
        (f"{GOOD}  # pallas: ignore[returning-kernel, PAL002]\n{LAUNCH}", f"{GOOD}\n{LAUNCH}"),
        (f"{GOOD}\n# pallas: ignore-file\n{LAUNCH}", f"{GOOD}\n{LAUNCH}"),
        (f"{GOOD}\n    # pallas: off[PAL003]\n{LAUNCH}", f"{GOOD}\n{LAUNCH}"),
        (f"{GOOD}  # pallas: ignore  # noqa: E501\n{LAUNCH}", f"{GOOD}  # noqa: E501\n{LAUNCH}"),
        (f"{GOOD}  # about it  # pallas: ignore\n{LAUNCH}", f"{GOOD}  # about it\n{LAUNCH}"),
        (f"{GOOD}  # pallas: ignore because\n{LAUNCH}", f"{GOOD}  # because\n{LAUNCH}"),
        (f"{LAUNCH}# pallas: ignore", f"{LAUNCH}"),
    ],
)
def test_an_unused_comment_goes(text: str, fixed: str) -> None:
    assert said(text) == [("PAL901", "This comment hides no finding.")]
    (fix,) = finding(text).fixes()
    assert (fix.title, applied(text, fix)) == ("Delete the comment", fixed)


def test_an_unused_name_goes() -> None:
    text = f"{BAD}  # pallas: ignore[PAL003, PAL001, dropped-result]\n{LAUNCH}"
    assert said(text) == [("PAL901", "This comment hides no finding of `dropped-result`, `PAL003`.")]
    (fix,) = finding(text).fixes()
    assert applied(text, fix) == f"{BAD}  # pallas: ignore[PAL001]\n{LAUNCH}"


@pytest.mark.parametrize(
    "text",
    [
        f"{BAD}  # pallas: ignore\n{LAUNCH}",
        f"{BAD}  # pallas: ignore[PAL001]\n{LAUNCH}",
        f"{BAD}  # pallas: ignore[returning-kernel]\n{LAUNCH}",
        f"# pallas: off\n{BAD}\n# pallas: on\n{LAUNCH}",
        f"# pallas: ignore-file[PAL001]\n{BAD}\n{LAUNCH}",
        f"{GOOD}  # noqa\n{LAUNCH}",
        f"{GOOD}  # noqa: PAL001\n{LAUNCH}",
        f"{GOOD}  # pallas: ignore[E501]\n{LAUNCH}",
        f"{GOOD}\n{LAUNCH.rstrip()}  # pallas: ignore[PAL112]\n",
        f'text = "# pallas: ignore"\n{GOOD}\n{LAUNCH}',
    ],
)
def test_a_comment_that_is_used_or_not_ours_stays(text: str) -> None:
    assert said(text) == []


@pytest.mark.parametrize("settings", [Settings(), Settings(ignore=("PAL001",)), Settings(select=("PAL901",))])
def test_what_a_rule_that_is_off_would_find_counts(settings: Settings) -> None:
    assert check(f"{PRELUDE}{BAD}  # pallas: ignore[PAL001]\n{LAUNCH}", settings).findings == ()
    unused = check(f"{PRELUDE}{GOOD}  # pallas: ignore[PAL001]\n{LAUNCH}", settings).findings
    assert [one.code for one in unused] == ["PAL901"]


def test_the_comment_does_not_hide_that_it_is_unused() -> None:
    assert said(f"{GOOD}  # pallas: ignore[PAL901, PAL001]\n{LAUNCH}") == [("PAL901", "This comment hides no finding.")]

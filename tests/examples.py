"""How many examples a property is tried with: hundreds that never change, or thousands that always do.

`make nightly` is `pytest --hypothesis-profile=nightly`: `NIGHTLY` times as many, each time others.
"""

from __future__ import annotations

from typing import Any

from hypothesis import settings

NIGHTLY = 20


def number_of(count: int) -> int:
    """`count`, or `NIGHTLY` times as many under the nightly profile."""
    return count * (NIGHTLY if settings.get_current_profile_name() == "nightly" else 1)


def examples(count: int = 100, **more: Any) -> settings:
    """The settings of a property that is tried with `count` examples, more of them under the nightly profile."""
    nightly = settings.get_current_profile_name() == "nightly"
    return settings(deadline=None, derandomize=not nightly, print_blob=True, max_examples=number_of(count), **more)

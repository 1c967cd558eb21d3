"""Incremental equals from scratch, and parses no more than what changed."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from tests.syntax.support import SIMPLE, all_chunks, content, parsed, sources

ROOT = Path(__file__).parents[2]
REAL = [ROOT / "examples" / "returning_kernels.py", ROOT / "server" / "pallas_lsp" / "syntax" / "module.py"]
CLASS = "class Large(Base):\n" + "".join(
    f"    @d\n    def m{number}(self, x):\n        return x + {number}\n\n" for number in range(40)
)
FUNCTION = "def f(x):\n    return (x +\n            1)\n"
MODULE = f"import a\n\nX = 1\n\n\n{FUNCTION}\n\n{CLASS}\ndef g():\n    '''doc'''\n\ny = 2\n"

INSERTED = [
    *["(", ")", "[", "]", "{", "}", '"', "'", '"""', "'''", "\\", "#", ":", ",", "\n", "\r", "\r\n", " ", "    ", "\t"],
    *[
        "\f",
        "\0",
        "\ufeff",
        "\ud800",
        "🐍",
        "ä",
        "def ",
        "class C:\n",
        "else:\n",
        "except:\n",
        "@",
        "f'{",
        "async ",
        "x",
    ],
    *["\n\n\n", "\n# c\n", "if x:\n    pass\n", "    y = 1\n", "\nclass D:\n" + "    x = 1\n" * 101],
    *[f"\n{statement}\n" for statement in SIMPLE],
]


def edited(text: str, chance: random.Random) -> str:
    """The text after one edit as people make them: most are small, some move or drop whole lines."""
    place = chance.randrange(len(text) + 1)
    lines = text.split("\n")
    first = chance.randrange(len(lines))
    last = min(len(lines), first + chance.randrange(1, 10))
    match chance.randrange(8):
        case 0 | 1:
            return text[:place] + text[place + 1 :]
        case 2 | 3 | 4:
            return text[:place] + chance.choice(INSERTED) + text[place:]
        case 5:
            return "\n".join(lines[:first] + lines[last:])
        case 6:
            target = chance.randrange(len(lines) + 1)
            return "\n".join(lines[:target] + lines[first:last] + lines[target:])
        case _:
            stop = place + chance.randrange(40)
            return text[:place] + chance.choice(INSERTED) + text[stop:]


def follow(text: str, chance: random.Random, steps: int) -> None:
    """Edits a text again and again; each version is compared with a parse from scratch."""
    module = parsed(text)
    history = [text]
    for _ in range(steps):
        text = chance.choice(history) if chance.random() < 0.2 else edited(text, chance)
        history.append(text)
        module = parsed(text, module)
        assert content(module) == content(parsed(text)), repr(text)
        assert "".join(chunk.text for chunk in module.chunks) == text


@examples(40)
@given(sources(), st.integers(0, 2**32))
def test_any_edits_of_any_module(text: str, seed: int) -> None:
    follow(text, random.Random(seed), 8)


@examples(12)
@given(st.integers(0, 2**32))
def test_edits_of_a_module_with_a_large_class(seed: int) -> None:
    follow(MODULE, random.Random(seed), 15)


@pytest.mark.parametrize("path", REAL, ids=lambda path: path.name)
@examples(4)
@given(seed=st.integers(0, 2**32))
def test_edits_of_real_modules(path: Path, seed: int) -> None:
    follow(path.read_text("utf-8"), random.Random(seed), 8)


@examples(40)
@given(sources(), sources())
def test_from_any_module_to_any_other(one: str, other: str) -> None:
    assert content(parsed(other, parsed(one))) == content(parsed(other))


EDITS = {
    "nothing": ("", "", 0),
    "a number in a function": ("x +\n", "x + 2 +\n", 1),
    "a name at module level": ("X = 1", "XX = 1", 1),
    "a comment": ("X = 1\n", "X = 1  # one\n", 1),
    "the first method": ("return x + 0\n", "return x - 0\n", 1),
    "a method in the middle": ("return x + 20\n", "return x - 20\n", 1),
    "the last method": ("return x + 39\n", "return x - 39\n", 1),
    "a new line in a method": ("return x + 20\n", "x += 1\n        return x + 20\n", 1),
    "a new method": ("    @d\n    def m7(", "    def new(self): pass\n    @d\n    def m7(", 1),
    "the header of the class": ("Large(Base)", "Large(Other)", 0),
    "a docstring": ("doc", "docs", 1),
    "the last line": ("y = 2", "y = 3", 1),
}


@pytest.mark.parametrize(("old", "new", "number"), EDITS.values(), ids=EDITS)
def test_one_edit_parses_one_chunk(old: str, new: str, number: int) -> None:
    before = parsed(MODULE)
    edited = MODULE.replace(old, new, 1)
    after = parsed(edited, before)
    kept = {*all_chunks(before)}
    fresh = [chunk for chunk in all_chunks(after) if chunk not in kept]
    assert after.parsed == number
    # A class is put together anew around its members.
    assert len([chunk for chunk in fresh if not chunk.members]) == number
    assert content(after) == content(parsed(edited))


def test_a_parse_from_scratch_parses_every_chunk_once() -> None:
    module = parsed(MODULE)
    assert module.parsed == len([chunk for chunk in all_chunks(module) if not chunk.members])


def test_a_moved_function_is_kept() -> None:
    one, two = "def one():\n    return 1\n", "def two():\n    return 2\n"
    module = parsed(f"{two}{one}x = 1\n", parsed(f"{one}{two}x = 1\n"))
    assert module.parsed == 0


@pytest.mark.parametrize("size", [100, 1000])
def test_typing_in_a_long_module_costs_the_same(size: int) -> None:
    text = "".join(f"def f{number}(x):\n    return x\n" for number in range(size))
    module = parsed(text)
    counts = []
    for typed in ("y", "y ", "y =", "y = (", "y = (1", "y = (1)", "y = (1)\n"):
        place = text.index("def f50(")
        module = parsed(f"{text[:place]}{typed}\n{text[place:]}", module)
        counts.append(module.parsed)
    assert max(counts) <= 2


def test_typing_in_the_header_of_a_large_class_parses_no_member() -> None:
    module = parsed(MODULE)
    for typed in ("(Base.", "(Base.O", "(Base.O, ", "(Base.O, metaclass=", "(", ""):
        module = parsed(MODULE.replace("(Base)", typed), module)
        assert module.parsed == 0, typed
        assert len(module.chunks[3].members) == 40

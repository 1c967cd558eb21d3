"""Python in Markdown and MyST documents: its blocks are one program, and everything lands in its place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pallas_lsp.findings import Edit, Position, Range
from pallas_lsp.notebooks.checking import check_document, fix_joined
from pallas_lsp.notebooks.markdown import join_blocks
from pallas_lsp.text import SourceText
from tests.examples import examples

DOCUMENT = """\
# How to write a kernel

```python
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
```

A kernel stores its result:

```{code-cell} ipython3
:tags: [hide-output]

def add_one(x_ref, o_ref):
    return x_ref[...] + 1
```

```sh
pip install jax  # return
```

1. Then launch it:

   ```py
   def other(x_ref, o_ref):
       return x_ref[...] * 2
   out = jax.ShapeDtypeStruct((8,), jnp.float32)
   pl.pallas_call(add_one, out_shape=out)(jnp.ones(8))
   pl.pallas_call(other, out_shape=out)(jnp.ones(8))
   ```
"""


def marked(document: str) -> list[tuple[str, str]]:
    """The code of each finding, and the text that is underlined."""
    lines = document.splitlines()
    return [
        (finding.code, lines[finding.range.start.line][finding.range.start.character : finding.range.end.character])
        for finding in check_document(document).findings
    ]


def code(document: str) -> list[str]:
    """The lines of the module that are not blank."""
    return [line for line in join_blocks(document).text.split("\n") if line.strip()]


def test_the_blocks_are_one_program_and_findings_are_in_the_document() -> None:
    assert marked(DOCUMENT) == [("PAL001", "return x_ref[...] + 1"), ("PAL001", "return x_ref[...] * 2")]


def test_related_places_are_in_the_document() -> None:
    lines = DOCUMENT.splitlines()
    related = [place.range.start for finding in check_document(DOCUMENT).findings for place in finding.related]
    assert [lines[place.line][place.character :] for place in related] == [
        "pl.pallas_call(add_one, out_shape=out)(jnp.ones(8))",
        "pl.pallas_call(other, out_shape=out)(jnp.ones(8))",
    ]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_fixes_change_their_blocks_and_nothing_else(newline: str) -> None:
    document = DOCUMENT.replace("\n", newline)
    after = fix_joined(join_blocks(document)).cells[0]
    assert after == document.replace("return x_ref", "o_ref[...] = x_ref")
    assert marked(after) == []


def test_a_fix_of_more_lines_has_the_indentation_of_its_block() -> None:
    document = DOCUMENT.replace("return x_ref[...] * 2", "if 1 > 0: return x_ref[...] * 2\n       return x_ref[...]")
    after = fix_joined(join_blocks(document), unsafe=True).cells[0]
    assert after is not None
    inside = after[after.index("   ```py") :].splitlines()
    assert all(line.startswith("   ") for line in inside)
    assert [code for code, _ in marked(after)] == []


def test_the_edits_of_a_finding_are_in_the_document() -> None:
    (_, finding) = check_document(DOCUMENT).findings
    fix = finding.fixes()[0]
    after = SourceText(DOCUMENT).replaced(fix.edits)
    assert after == DOCUMENT.replace("return x_ref[...] * 2", "o_ref[...] = x_ref[...] * 2")


@pytest.mark.parametrize(
    ("document", "lines"),
    [
        ("```python\nx\n```\n", ["x"]),
        ("~~~ py\nx\n~~~\n", ["x"]),
        ("````python\nx\n```\ny\n````\n", ["x", "```", "y"]),
        ("```Python title='a'\nx\n```", ["x"]),
        ("```{.python .numberLines}\nx\n```", ["x"]),
        ("```{python}\nx\n```", ["x"]),
        ("```python,ignore\nx\n```", ["x"]),
        ("```{code-cell}\nx\n```", ["x"]),
        ("```{code-cell} ipython3\n---\ntags: [a]\n---\nx\n```", ["x"]),
        ("```{code-cell} ipython3\n:tags: [a]\n:name: b\nx\n```", ["x"]),
        ("```{code-block} python\n:linenos:\n\nx\n```", ["x"]),
        (":::{code-cell} python\nx\n:::\n", ["x"]),
        ("```{code-cell} julia\nx\n```", []),
        ("```{code-block}\nx\n```", []),
        ("```\nx\n```\n", []),
        ("```pycon\n>>> x\n```", []),
        ("```console\n```python\nx\n```\n", []),
        ("text `python` and ```python``` in a line\nx\n", []),
        ("```python\nx", ["x"]),
        ("```python\n```\n", []),
        ("````{note}\n```python\nx\n```\n````\n```python\ny\n```\n", ["x", "y"]),
        (":::{note}\n```python\nx\n```\n:::\n```python\ny\n```\n", ["x", "y"]),
        ("- a\n\n  ```python\n  if a:\n      x\n\n  ```\n", ["if a:", "    x"]),
        ("```python\n%time x\n!ls\n```", ["_______", "___"]),
        ("```python\n  x\n```", ["if 1:", "  x"]),
        ("```python\nf(\n```\n\n```python\nx\n```", ["f(", "#\"\"\"_#'''_", "'", "assert 1", "x"]),
        ("", []),
    ],
)
def test_which_blocks_are_python(document: str, lines: list[str]) -> None:
    assert code(document) == lines


def test_a_block_that_does_not_parse_does_not_blind_the_others() -> None:
    broken = DOCUMENT.replace(
        "A kernel stores its result:", "```python\nfor x in (\n```\n\nA kernel stores its result:"
    )
    assert [code for code, _ in marked(broken)] == ["PAL001", "PAL001"]


LINES = [
    *("```python", "```", "````", "~~~", ":::{note}", ":::", "   ```py", "   ```", "  x = 1", "y(", ")", "%time z", ""),
    *(
        "text",
        "```{code-cell} ipython3",
        ":tags: []",
        "---",
        "def f(a, b):",
        "    return a",
        "'''",
        "\t```python",
        "\u2028",
    ),
]


@examples(200)
@given(st.lists(st.sampled_from(LINES), min_size=1, max_size=25), st.sampled_from(["\n", "\r\n", "\r"]))
def test_lines_of_the_module_are_lines_of_the_document(lines: list[str], newline: str) -> None:
    document = newline.join(lines)
    blocks = join_blocks(document)
    module = blocks.text.split("\n")
    assert len(module) == len(lines)
    for number, line in enumerate(module):
        if line.strip() and blocks.cell_at(number) == 0 and "_" not in line:
            whole = Range(Position(number, 0), Position(number, len(line)))
            _, outside = blocks.locate(whole)
            assert outside.start.line == outside.end.line == number
            assert lines[number][outside.start.character : outside.end.character] == line
            assert blocks.joined(0, outside) == whole
            edited = SourceText(document).replaced(blocks.edits_by_cell([Edit(whole, line)]).get(0, ()))
            assert edited == document

"""Notebooks: their cells are one program; every finding, fix and diff names its cell."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest

from pallas_lsp.cli.formats import FORMATS


def notebook(*cells: str, language: str = "python", markdown: tuple[int, ...] = ()) -> str:
    """An `.ipynb` file as Jupyter writes it; the cells of these numbers are not code."""
    return json.dumps(
        {
            "cells": [
                {
                    "cell_type": "markdown" if number in markdown else "code",
                    "metadata": {},
                    "source": cell.splitlines(keepends=True),
                }
                for number, cell in enumerate(cells)
            ],
            "metadata": {"language_info": {"name": language}},
            "nbformat": 4,
            "nbformat_minor": 5,
        },
        indent=1,
    )


CELLS = ("# BUG pallas", "%pip install jax\nSTART", "x = 1", "if 漢:\n    BUG\n", "RISK\nSTUCK")


@pytest.fixture
def report(cli: Any, make: Any) -> Any:
    """The report of a notebook with a finding of each kind, in a format; the first cell is text."""
    make("a/nb.ipynb", notebook(*CELLS, markdown=(0,)))
    return lambda name, *options: cli("check", "--quiet", "--output-format", name, *options)


# Which notebooks.


def test_a_notebook_is_found(cli: Any, make: Any) -> None:
    make("a/nb.ipynb", notebook("pallas", "BUG"))
    make("a/.ipynb_checkpoints/nb.ipynb", notebook("pallas", "BUG"))
    outcome = cli("check", "--output-format", "concise")
    assert outcome == (
        1,
        "a/nb.ipynb:cell 2:1:1: PAL001 [*] a BUG in `nb.ipynb`\n"
        "Found 1 error.\n[*] 1 fixable with the `--fix` option.\n",
        "",
    )


def test_a_notebook_that_does_not_mention_pallas_is_not_read(cli: Any, make: Any) -> None:
    make("nb.ipynb", "no JSON")
    assert cli("check") == (0, "All checks passed!\n", "")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("pallas", "it is not JSON: "),
        ('{"pallas": 1}', "it is not a notebook"),
        (notebook("pallas", language="Julia"), "its language is julia, not Python"),
    ],
)
def test_what_is_not_a_notebook_of_python(cli: Any, make: Any, text: str, reason: str) -> None:
    make("nb.ipynb", text)
    code, _, err = cli("check")
    assert (code, err.startswith(f"warning: nb.ipynb: not analysed: {reason}")) == (0, True)
    code, out, err = cli("check", "nb.ipynb")
    assert (code, out, err.startswith(f"pallas-lsp: error: nb.ipynb: not analysed: {reason}")) == (2, "", True)


def test_a_part_that_was_not_analysed(cli: Any, make: Any) -> None:
    make("nb.ipynb", notebook("pallas", "x\n  NOTICE"))
    assert cli("check")[2] == "warning: nb.ipynb:cell 2:2:3: not understood\n"


# Fixes.


def test_a_notebook_is_mended(cli: Any, make: Any) -> None:
    path = make("nb.ipynb", notebook(*CELLS, markdown=(0,)))
    outcome = cli("check", "--fix", "--output-format", "concise")
    assert (outcome.code, outcome.found) == (1, ["nb.ipynb:cell 5:1:1: PAL002", "nb.ipynb:cell 5:2:1: PAL003"])
    assert "Found 3 errors (1 fixed, 2 remaining)." in outcome.out
    assert path.read_text() == notebook(
        *(CELLS[0], *(cell.replace("BUG", "fine") for cell in CELLS[1:])), markdown=(0,)
    )


def test_unsafe_fixes_are_applied_if_they_are_wanted(cli: Any, make: Any) -> None:
    path = make("nb.ipynb", notebook("pallas", "RISK"))
    assert cli("check", "--fix", "--unsafe-fixes").code == 0
    assert path.read_text() == notebook("pallas", "fine")


def test_a_notebook_with_nothing_to_mend_keeps_every_byte(cli: Any, make: Any) -> None:
    text = notebook("pallas", "STUCK").replace("\n", "\r\n") + "   "
    path = make("nb.ipynb", text)
    cli("check", "--fix")
    assert path.read_bytes() == text.encode()


def test_a_diff_for_each_cell_that_changes(cli: Any, make: Any) -> None:
    path = make("nb.ipynb", notebook("pallas BUG", "x = 1\n", "y\nBUG\n"))
    before = path.read_bytes()
    code, out, _ = cli("check", "--diff")
    assert code == 1
    assert out == (
        "--- nb.ipynb:cell 1\n+++ nb.ipynb:cell 1\n@@ -1 +1 @@\n"
        "-pallas BUG\n\\ No newline at end of file\n+pallas fine\n\\ No newline at end of file\n"
        "--- nb.ipynb:cell 3\n+++ nb.ipynb:cell 3\n@@ -1,2 +1,2 @@\n y\n-BUG\n+fine\n"
    )
    assert path.read_bytes() == before


def test_a_notebook_from_standard_input(cli: Any) -> None:
    data = notebook("pallas BUG").encode()
    named = ("check", "-", "--stdin-filename", "nb.ipynb")
    assert cli(*named, "--output-format", "concise", stdin=data).found == ["nb.ipynb:cell 1:1:8: PAL001"]
    assert cli(*named, "--fix", stdin=data).out == notebook("pallas fine")
    assert cli(*named, "--diff", stdin=data).out.startswith("--- nb.ipynb:cell 1\n")


# Output formats.


def test_full(report: Any) -> None:
    start = "info: it starts here\n --> a/nb.ipynb:cell 2:2:1\n  |\n1 | %pip install jax\n2 | START\n  | ^^^^^\n  |\n"
    assert report("full").out == (
        "PAL001 [*] a BUG in `nb.ipynb`\n"
        " --> a/nb.ipynb:cell 4:2:5\n  |\n1 | if 漢:\n2 |     BUG\n  |     ^^^\n  |\n"
        f"{start}help: Mend BUG\n\n"
        "PAL002 a RISK in `nb.ipynb`\n"
        " --> a/nb.ipynb:cell 5:1:1\n  |\n1 | RISK\n  | ^^^^\n2 | STUCK\n  |\n"
        f"{start}help: Mend RISK\nnote: This is an unsafe fix: look at it\n\n"
        "PAL003 a STUCK in `nb.ipynb`\n"
        " --> a/nb.ipynb:cell 5:2:1\n  |\n1 | RISK\n2 | STUCK\n  | ^^^^^\n  |\n"
        f"{start}note: There is no fix: nobody knows how\n\n"
    )


def test_concise(report: Any) -> None:
    assert report("concise").found == [
        "a/nb.ipynb:cell 4:2:5: PAL001",
        "a/nb.ipynb:cell 5:1:1: PAL002",
        "a/nb.ipynb:cell 5:2:1: PAL003",
    ]


def test_grouped(report: Any) -> None:
    assert report("grouped").out.splitlines()[:2] == ["a/nb.ipynb:", "  cell 4:2:5 PAL001 [*] a BUG in `nb.ipynb`"]


def test_json_counts_cells_from_1_and_rows_in_the_cell(report: Any, project: Path) -> None:
    first, second, _ = report("json").json
    assert (first["cell"], first["location"], first["filename"]) == (
        4,
        {"row": 2, "column": 5},
        f"{project}/a/nb.ipynb",
    )
    assert first["fix"]["edits"] == [
        {
            "cell": 4,
            "content": "fine",
            "end_location": {"row": 2, "column": 8},
            "location": {"row": 2, "column": 5},
        }
    ]
    (related,) = second["related"]
    assert (related["cell"], related["location"]) == (2, {"row": 2, "column": 1})
    assert [json.loads(line) for line in report("json-lines").out.splitlines()] == report("json").json


def test_github_shows_the_file_and_says_the_cell(report: Any, project: Path) -> None:
    assert report("github").out.splitlines()[0] == (
        f"::error title=pallas-lsp (PAL001),file={project}/a/nb.ipynb,line=1,endLine=1,col=1,endColumn=1::"
        "a/nb.ipynb:cell 4:2:5: PAL001 a BUG in `nb.ipynb`"
    )


def test_gitlab_shows_the_file_and_says_the_cell(report: Any) -> None:
    first, second, _ = report("gitlab").json
    start = {"line": 1, "column": 1}
    assert first["location"] == {"path": "a/nb.ipynb", "positions": {"begin": start, "end": start}}
    assert first["description"] == "PAL001: cell 4:2:5: a BUG in `nb.ipynb`"
    assert first["fingerprint"] != second["fingerprint"]


def test_pylint_shows_the_file_and_says_the_cell(report: Any) -> None:
    assert report("pylint").out.splitlines()[0] == "a/nb.ipynb:1: [PAL001] cell 4:2:5: a BUG in `nb.ipynb`"


def test_junit_shows_the_file_and_says_the_cell(report: Any) -> None:
    case = ElementTree.fromstring(report("junit").out)[0][0]
    assert (case.attrib["line"], case.attrib["column"]) == ("1", "1")
    assert case[0].attrib["message"] == "cell 4:2:5: a BUG in `nb.ipynb`"


def test_rdjson_names_the_file_and_suggests_nothing_for_its_text(report: Any, project: Path) -> None:
    first = report("rdjson").json["diagnostics"][0]
    assert first["message"] == "cell 4:2:5: a BUG in `nb.ipynb`"
    assert first["location"] == {"path": f"{project}/a/nb.ipynb"}
    assert first["related_locations"] == [
        {"message": "cell 2:2:1: it starts here", "location": {"path": f"{project}/a/nb.ipynb"}}
    ]
    assert "suggestions" not in first


def test_sarif_shows_the_file_and_suggests_nothing_for_its_text(report: Any) -> None:
    first = report("sarif").json["runs"][0]["results"][0]
    assert first["message"] == {"text": "cell 4:2:5: a BUG in `nb.ipynb`"}
    region = {"startLine": 1, "startColumn": 1, "endLine": 1, "endColumn": 1}
    assert first["locations"][0]["physicalLocation"]["region"] == region
    assert first["relatedLocations"][0]["physicalLocation"]["region"] == region
    assert "fixes" not in first


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_knows_notebooks_and_modules(report: Any, make: Any, name: str) -> None:
    make("k.py", "pallas BUG\n")
    outcome = report(name)
    assert (outcome.code, outcome.err) == (1, "")
    assert "nb.ipynb" in outcome.out
    assert "k.py" in outcome.out

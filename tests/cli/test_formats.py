"""The output formats, each read by a program that others wrote where there is one."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest

TEXT = "# pallas 漢\nSTART\nBUG\n\tRISK\nSTUCK\n"


@pytest.fixture
def report(cli: Any, make: Any) -> Any:
    """The report of one file with a finding of each kind, in a format."""
    make("a/k.py", TEXT)
    return lambda name, *options: cli("check", "--quiet", "--output-format", name, *options)


def test_full(report: Any) -> None:
    assert report("full").out == (
        "PAL001 [*] a BUG in `k.py`\n"
        " --> a/k.py:3:1\n  |\n1 | # pallas 漢\n2 | START\n3 | BUG\n  | ^^^\n4 |     RISK\n5 | STUCK\n  |\n"
        "info: it starts here\n"
        " --> a/k.py:2:1\n  |\n1 | # pallas 漢\n2 | START\n  | ^^^^^\n3 | BUG\n4 |     RISK\n  |\n"
        "help: Mend BUG\n"
        "\n"
        "PAL002 a RISK in `k.py`\n"
        " --> a/k.py:4:2\n  |\n2 | START\n3 | BUG\n4 |     RISK\n  |     ^^^^\n5 | STUCK\n  |\n"
        "info: it starts here\n"
        " --> a/k.py:2:1\n  |\n1 | # pallas 漢\n2 | START\n  | ^^^^^\n3 | BUG\n4 |     RISK\n  |\n"
        "help: Mend RISK\n"
        "note: This is an unsafe fix: look at it\n"
        "\n"
        "PAL003 a STUCK in `k.py`\n"
        " --> a/k.py:5:1\n  |\n3 | BUG\n4 |     RISK\n5 | STUCK\n  | ^^^^^\n  |\n"
        "info: it starts here\n"
        " --> a/k.py:2:1\n  |\n1 | # pallas 漢\n2 | START\n  | ^^^^^\n3 | BUG\n4 |     RISK\n  |\n"
        "note: There is no fix: nobody knows how\n"
        "\n"
    )


def test_unsafe_fixes_are_marked_when_they_are_wanted(report: Any) -> None:
    assert "PAL002 [*]" not in report("concise").out
    assert "PAL002 [*]" in report("concise", "--unsafe-fixes").out


def test_concise(report: Any) -> None:
    assert report("concise").out == (
        "a/k.py:3:1: PAL001 [*] a BUG in `k.py`\n"
        "a/k.py:4:2: PAL002 a RISK in `k.py`\n"
        "a/k.py:5:1: PAL003 a STUCK in `k.py`\n"
    )


def test_grouped(report: Any, make: Any) -> None:
    make("b.py", "pallas\n" + "\n" * 9 + "BUG\n")
    assert report("grouped").out == (
        "a/k.py:\n  3:1 PAL001 [*] a BUG in `k.py`\n  4:2 PAL002 a RISK in `k.py`\n  5:1 PAL003 a STUCK in `k.py`\n\n"
        "b.py:\n  11:1 PAL001 [*] a BUG in `b.py`\n\n"
    )


def at(row: int, column: int) -> dict[str, int]:
    return {"row": row, "column": column}


def test_json(report: Any, project: Path) -> None:
    first, second, third = report("json").json
    assert first == {
        "cell": None,
        "code": "PAL001",
        "end_location": at(3, 4),
        "filename": f"{project}/a/k.py",
        "fix": {
            "applicability": "safe",
            "edits": [{"cell": None, "content": "fine", "location": at(3, 1), "end_location": at(3, 4)}],
            "message": "Mend BUG",
            "note": None,
        },
        "fix_unavailable": None,
        "location": at(3, 1),
        "message": "a BUG in `k.py`",
        "name": "returning-kernel",
        "noqa_row": 3,
        "related": [
            {
                "cell": None,
                "end_location": at(2, 6),
                "filename": f"{project}/a/k.py",
                "location": at(2, 1),
                "message": "it starts here",
            }
        ],
        "severity": "error",
        "url": "https://pallas-lsp.readthedocs.io/en/latest/rules/returning-kernel/",
    }
    assert (second["location"], second["fix"]["applicability"], second["fix"]["note"]) == (
        at(4, 2),
        "unsafe",
        "look at it",
    )
    assert (third["fix"], third["fix_unavailable"]) == (None, "nobody knows how")
    assert [entry["severity"] for entry in (first, second, third)] == ["error", "warning", "information"]


def test_json_has_the_fields_of_ruff(report: Any) -> None:
    """The fields that ruff 0.17 writes for a finding and its fix."""
    (entry, *_) = report("json").json
    assert set(entry) >= {
        *(
            "cell",
            "code",
            "end_location",
            "filename",
            "fix",
            "location",
            "message",
            "name",
            "noqa_row",
            "severity",
            "url",
        ),
    }
    assert set(entry["fix"]) >= {"applicability", "edits", "message"}


def test_json_of_nothing_and_of_standard_input(cli: Any, make: Any) -> None:
    make("k.py", "pallas\n")
    assert cli("check", "--output-format", "json").out == "[]\n"
    assert cli("check", "-", "--output-format", "json", stdin=b"pallas BUG").json[0]["filename"] == "-"


def test_json_lines(report: Any) -> None:
    lines = report("json-lines").out.splitlines()
    assert [json.loads(line) for line in lines] == report("json").json


def test_github(report: Any, project: Path) -> None:
    file = f"{project}/a/k.py"
    assert report("github").out.splitlines() == [
        f"::error title=pallas-lsp (PAL001),file={file},line=3,endLine=3,col=1,endColumn=4::"
        "a/k.py:3:1: PAL001 a BUG in `k.py`",
        f"::warning title=pallas-lsp (PAL002),file={file},line=4,endLine=4,col=2,endColumn=6::"
        "a/k.py:4:2: PAL002 a RISK in `k.py`",
        f"::notice title=pallas-lsp (PAL003),file={file},line=5,endLine=5,col=1,endColumn=6::"
        "a/k.py:5:1: PAL003 a STUCK in `k.py`",
    ]


def test_github_escapes(cli: Any, make: Any, project: Path) -> None:
    make("a%b,c:d\ne.py")
    out = cli("check", "-q", "--output-format", "github").out
    assert out.count("\n") == 1
    assert "a%25b%2Cc%3Ad%0Ae.py,line=1" in out
    assert "::a%25b,c:d%0Ae.py:1:8: PAL001" in out


def test_gitlab(report: Any) -> None:
    entries = report("gitlab").json
    assert [entry["severity"] for entry in entries] == ["major", "minor", "info"]
    assert entries[0]["location"] == {
        "path": "a/k.py",
        "positions": {"begin": {"line": 3, "column": 1}, "end": {"line": 3, "column": 4}},
    }
    assert (entries[0]["check_name"], entries[0]["description"]) == ("PAL001", "PAL001: a BUG in `k.py`")


def test_a_gitlab_fingerprint_stays_when_lines_move_and_differs_between_findings(cli: Any, make: Any) -> None:
    def fingerprints(text: str) -> list[str]:
        make("k.py", text)
        return [entry["fingerprint"] for entry in cli("check", "--output-format", "gitlab").json]

    one, two = fingerprints("pallas\nBUG\nBUG\n")
    assert one != two
    assert fingerprints("pallas\n\n\nBUG\n  BUG\n") == [one, two]


def test_pylint(report: Any) -> None:
    assert report("pylint").out.splitlines()[0] == "a/k.py:3: [PAL001] a BUG in `k.py`"


def test_junit(report: Any, project: Path) -> None:
    root = ElementTree.fromstring(report("junit").out)
    assert root.attrib == {"name": "pallas-lsp", "tests": "3", "failures": "3", "errors": "0"}
    (suite,) = root
    assert suite.attrib["name"] == f"{project}/a/k.py"
    case = suite[0]
    assert case.attrib == {
        "name": "pallas-lsp.PAL001",
        "classname": f"{project}/a/k",
        "line": "3",
        "column": "1",
    }
    assert (case[0].tag, case[0].attrib, case[0].text) == (
        "failure",
        {"message": "a BUG in `k.py`", "type": "error"},
        "line 3, col 1, a BUG in `k.py`",
    )


def test_junit_of_nothing_has_one_case_that_passed(cli: Any, make: Any) -> None:
    make("k.py", "pallas\n")
    root = ElementTree.fromstring(cli("check", "--output-format", "junit").out)
    assert [(case.tag, len(case)) for case in root[0]] == [("testcase", 0)]


def test_junit_of_names_that_xml_cannot_hold(cli: Any, make: Any) -> None:
    make('<"&\x01>.py')
    root = ElementTree.fromstring(cli("check", "--output-format", "junit").out)
    assert root[0].attrib["name"].endswith('/<"&\ufffd>.py')


def test_rdjson(report: Any, project: Path, make: Any) -> None:
    document = report("rdjson").json
    assert document["source"] == {"name": "pallas-lsp"}
    first, second, third = document["diagnostics"]
    place = {"start": {"line": 3, "column": 1}, "end": {"line": 3, "column": 4}}
    assert first["location"] == {"path": f"{project}/a/k.py", "range": place}
    assert first["suggestions"] == [{"range": place, "text": "fine"}]
    assert first["related_locations"][0]["message"] == "it starts here"
    assert "suggestions" not in second
    assert [entry["severity"] for entry in (first, second, third)] == ["ERROR", "WARNING", "INFO"]


def test_rdjson_counts_bytes(cli: Any, make: Any) -> None:
    make("k.py", "pallas 漢 BUG\n")
    (entry,) = cli("check", "--output-format", "rdjson").json["diagnostics"]
    assert entry["location"]["range"]["start"] == {"line": 1, "column": 12}


def test_sarif(report: Any, project: Path) -> None:
    document = report("sarif").json
    (run,) = document["runs"]
    assert (document["version"], run["columnKind"]) == ("2.1.0", "unicodeCodePoints")
    driver = run["tool"]["driver"]
    assert [rule["id"] for rule in driver["rules"]] == ["PAL001", "PAL002", "PAL003"]
    assert driver["rules"][0]["help"]["markdown"].startswith("# returning-kernel (PAL001)\n")
    first, second, third = run["results"]
    assert first["locations"] == [
        {
            "physicalLocation": {
                "artifactLocation": {"uri": f"file://{project}/a/k.py"},
                "region": {"startLine": 3, "startColumn": 1, "endLine": 3, "endColumn": 4},
            }
        }
    ]
    assert first["relatedLocations"][0]["message"] == {"text": "it starts here"}
    assert first["fixes"][0]["artifactChanges"][0]["replacements"] == [
        {
            "deletedRegion": {"startLine": 3, "startColumn": 1, "endLine": 3, "endColumn": 4},
            "insertedContent": {"text": "fine"},
        }
    ]
    assert [entry["level"] for entry in (first, second, third)] == ["error", "warning", "note"]
    assert "fixes" not in third


def test_sarif_of_standard_input(cli: Any) -> None:
    document = cli("check", "-", "--output-format", "sarif", stdin=b"pallas BUG").json
    (result,) = document["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"] == {"uri": "stdin"}


def test_a_related_place_in_another_file(cli: Any, make: Any, project: Path, monkeypatch: Any) -> None:
    from pallas_lsp.cli import contents
    from pallas_lsp.findings import Finding, Position, Range, Related, Report, Severity

    other = make("other.py", "launch\n")
    place = Range(Position(0, 0), Position(0, 6))
    paths = (str(other), str(project / "gone.py"))
    related = tuple(Related(place, "launched here", path) for path in paths)
    finding = Finding("PAL001", "returning-kernel", "bad", Severity.ERROR, place, related)
    monkeypatch.setattr(contents, "check", lambda *_, **__: Report((finding,)))
    make("k.py", "pallas\n")
    assert cli("check", "-q", "k.py").out == (
        "PAL001 bad\n --> k.py:1:1\n  |\n1 | pallas\n  | ^^^^^^\n  |\n"
        "info: launched here\n --> other.py:1:1\n  |\n1 | launch\n  | ^^^^^^\n  |\n"
        "info: launched here\n --> gone.py:1:1\n\n"
    )
    (entry,) = cli("check", "k.py", "--output-format", "json").json
    assert [each["filename"] for each in entry["related"]] == list(paths)
    (entry,) = cli("check", "k.py", "--output-format", "rdjson").json["diagnostics"]
    assert entry["related_locations"][0]["location"] == {"path": str(other), "range": {"start": {"line": 1}}}


def test_messages_stay_on_their_line(cli: Any, make: Any, monkeypatch: Any) -> None:
    from pallas_lsp.cli import contents
    from pallas_lsp.findings import Finding, Position, Range, Report, Severity

    finding = Finding("PAL001", "", "one\ntwo", Severity.ERROR, Range(Position(0, 0), Position(0, 1)))
    monkeypatch.setattr(contents, "check", lambda *_, **__: Report((finding,)))
    make("k.py", "pallas\n")
    for name in ("concise", "pylint", "github"):
        assert cli("check", "-q", "--output-format", name).out.count("\n") == 1

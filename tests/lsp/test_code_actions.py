"""Code actions: what is offered where, in the form that the client takes, and never for another text."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

import pytest

from lsp.client import NEOVIM, VSCODE, Client, ResponseError
from lsp.conftest import SCRIPTED_SERVER, Pipe
from pallas_lsp.findings import Edit, Range
from pallas_lsp.text import PositionEncoding, SourceText

URI = "file:///work/kernel.py"
TEXT = """\
def one():
    return 'é🎉'  # PAL001 safe unsafe none group=one
    return b  # PAL001 unsafe safe group=one
def two():
    return c  # PAL002 safe group=two
    return d  # PAL001 none
"""


def span(line: int, start: int, end: int | None = None, end_line: int | None = None) -> dict[str, Any]:
    last = {"line": line if end_line is None else end_line, "character": start if end is None else end}
    return {"start": {"line": line, "character": start}, "end": last}


WHOLE = span(0, 0, 0, 6)


def opened(client: Client, text: str = TEXT, version: int = 1) -> Client:
    client.open(URI, text, version=version)
    return client


def titles(actions: Sequence[dict[str, Any]]) -> list[str]:
    """The titles of the fixes; the actions that write comments have their own tests."""
    return [action["title"] for action in actions if not action["title"].startswith("Ignore ")]


def titled(actions: Sequence[dict[str, Any]], title: str) -> dict[str, Any]:
    (action,) = (action for action in actions if action["title"].startswith(title))
    return action


def applied(edit: dict[str, Any], text: str, encoding: PositionEncoding, uri: str = URI) -> str:
    """The text after a workspace edit, whichever form it has."""
    changes = edit.get("changes", {}).get(uri, [])
    for document in edit.get("documentChanges", ()):
        if document["textDocument"]["uri"] == uri:
            changes += document["edits"]
    source = SourceText(text)
    edits = []
    for change in changes:
        ends = (change["range"]["start"], change["range"]["end"])
        where = Range(*(source.from_units(end["line"], end["character"], encoding) for end in ends))
        edits.append(Edit(where, change["newText"]))
    return source.replaced(sorted(edits, key=lambda edit: edit.range))


STORE = "Store the value"
CAST = "Cast the value (unsafe: look at the dtype)"
IN_KERNEL = "Fix all in this kernel"
OF_RULE = "Fix all PAL001 (scripted-rule) problems in this file"
ALL = "Fix all auto-fixable problems"


# What is offered where.


def test_each_fix_of_the_finding_at_the_caret_is_a_quick_fix(vscode: Client) -> None:
    actions = opened(vscode).code_actions(URI, span(1, 8))
    assert titles(actions) == [STORE, CAST, "Add an output", IN_KERNEL, OF_RULE]
    assert {action["kind"] for action in actions} == {"quickfix"}


@pytest.mark.parametrize(
    ("line", "comment"),
    [
        ("return 1  # PAL001 safe", "  # pallas: ignore[PAL001]"),
        ("return '🎉'  # PAL001 none", "  # pallas: ignore[PAL001]"),
    ],
)
def test_a_finding_can_be_ignored_on_its_line(
    encoded: tuple[Client, PositionEncoding], line: str, comment: str
) -> None:
    client, encoding = encoded
    actions = opened(client, f"{line}\n").code_actions(URI, span(0, 3))
    action = titled(actions, "Ignore PAL001 on this line")
    assert action is actions[-1]
    assert (action["kind"], action["diagnostics"][0]["code"]) == ("quickfix", "PAL001")
    assert "isPreferred" not in action
    assert applied(action["edit"], f"{line}\n", encoding) == f"{line}{comment}\n"


def test_the_name_of_the_rule_joins_a_comment_that_is_there(vscode: Client) -> None:
    text = "return 1  # pallas: ignore[PAL002]  # PAL001 none\n"
    action = titled(opened(vscode, text).code_actions(URI, span(0, 3)), "Ignore PAL001")
    assert applied(action["edit"], text, PositionEncoding.UTF16) == text.replace("PAL002]", "PAL002, PAL001]")


def test_the_diagnostic_is_attached(vscode: Client) -> None:
    (diagnostic,) = titled(opened(vscode).code_actions(URI, span(4, 8)), STORE)["diagnostics"]
    assert (diagnostic["code"], diagnostic["message"]) == ("PAL002", "found `return c`")
    assert diagnostic["range"] == span(4, 4, 12)


@pytest.mark.parametrize(
    ("range", "found"),
    [
        (span(1, 4), 1),
        (span(1, 3), 0),
        (span(1, 16), 1),
        (span(1, 17), 0),
        (span(1, 0, 0, 2), 1),
        (span(1, 0, 5, 2), 2),
        (span(2, 5, 0, 1), 2),
        (WHOLE, 3),
        (span(0, 0, 9, 99), 3),
        (span(0, 0), 0),
    ],
)
def test_findings_that_touch_the_range_are_meant(vscode: Client, range: dict[str, Any], found: int) -> None:
    assert titles(opened(vscode).code_actions(URI, range)).count(STORE) == found


def test_if_the_client_names_diagnostics_only_those_are_meant(vscode: Client) -> None:
    named = vscode_diagnostics(opened(vscode))
    actions = vscode.code_actions(URI, WHOLE, diagnostics=[named[2]])
    assert titles(actions) == [STORE]
    assert actions[0]["diagnostics"] == [named[2]]
    assert titles(vscode.code_actions(URI, WHOLE, diagnostics=[named[0], named[2]])).count(STORE) == 2


def test_a_diagnostic_that_is_a_little_out_of_date_is_recognised(vscode: Client) -> None:
    named = vscode_diagnostics(opened(vscode))
    named[2]["range"]["end"]["character"] -= 1
    assert titles(vscode.code_actions(URI, WHOLE, diagnostics=[named[2]])) == [STORE]


def test_diagnostics_of_others_are_left_to_them(vscode: Client) -> None:
    other = {"range": span(1, 4, 19), "message": "unused", "code": "F841", "source": "Ruff"}
    assert opened(vscode).code_actions(URI, span(1, 8), diagnostics=[other]) == []


def vscode_diagnostics(client: Client) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = client.request("textDocument/diagnostic", {"textDocument": {"uri": URI}})["items"]
    return items


@pytest.mark.parametrize(
    ("only", "kinds"),
    [
        (None, {"quickfix"}),
        ([], {"quickfix"}),
        ([""], {"quickfix"}),
        (["quickfix"], {"quickfix"}),
        (["quickfix.pallas"], set()),
        (["source"], {"source.fixAll.pallas-lsp"}),
        (["source.fixAll"], {"source.fixAll.pallas-lsp"}),
        (["source.fixAll.pallas-lsp"], {"source.fixAll.pallas-lsp"}),
        (["source.fixAll.ruff"], set()),
        (["source.fix"], set()),
        (["source.organizeImports"], set()),
        (["notebook.source.fixAll"], set()),
        (["refactor"], set()),
        (["refactor", "quickfix", "source.fixAll"], {"quickfix", "source.fixAll.pallas-lsp"}),
    ],
)
def test_only_the_kinds_that_are_asked_for_are_offered(vscode: Client, only: list[str] | None, kinds: set[str]) -> None:
    actions = opened(vscode).code_actions(URI, WHOLE, only=only)
    assert {action["kind"] for action in actions} == kinds


def test_fix_all_is_not_offered_where_it_would_do_nothing(vscode: Client) -> None:
    opened(vscode, "return 1  # PAL001 none unsafe group=k\nreturn 2  # PAL001 none unsafe group=k\n")
    assert vscode.code_actions(URI, WHOLE, only=["source.fixAll"]) == []
    assert not {IN_KERNEL, OF_RULE} & set(titles(vscode.code_actions(URI, WHOLE)))


def test_one_problem_is_not_fixed_all_at_once(vscode: Client) -> None:
    opened(vscode, "return 1  # PAL001 safe group=k\nreturn 2  # PAL002 safe group=l\n")
    assert titles(vscode.code_actions(URI, WHOLE)) == [STORE, STORE]


def test_the_first_safe_fix_is_the_preferred_one(vscode: Client) -> None:
    actions = opened(vscode).code_actions(URI, span(2, 8))
    assert [(action["title"], action.get("isPreferred")) for action in actions[:2]] == [(CAST, None), (STORE, True)]


def test_a_fix_that_is_not_possible_says_why(vscode: Client) -> None:
    action = titled(opened(vscode).code_actions(URI, span(5, 8)), "Add an output")
    assert action["disabled"] == {"reason": "there is no launch"}
    assert "edit" not in action


def test_neovim_is_not_offered_what_is_not_possible(neovim: Client) -> None:
    assert titles(opened(neovim).code_actions(URI, span(5, 8))) == []


def test_kate_gets_the_preferred_fix_alone_since_it_applies_all_that_it_gets(simple: Client) -> None:
    opened(simple)
    named = simple.published(URI)[0]
    assert titles(simple.code_actions(URI, WHOLE, diagnostics=[named])) == [STORE]


def test_a_fix_that_crashes_is_left_out_and_logged(vscode: Client) -> None:
    opened(vscode, "return 1  # PAL001 crash-fix\nreturn 2  # PAL001 safe\n")
    assert titles(vscode.code_actions(URI, WHOLE)) == [STORE]
    logged = vscode.notification("window/logMessage")
    assert "RuntimeError: the scripted fix crashed" in logged["message"]


# The edits.


@pytest.mark.parametrize(("title", "expected"), [(STORE, "o[...] = 'é🎉'"), (CAST, "o[...] = cast('é🎉')")])
def test_the_edits_are_in_the_encoding_of_the_client(
    encoded: tuple[Client, PositionEncoding], title: str, expected: str
) -> None:
    client, encoding = encoded
    action = titled(opened(client).code_actions(URI, span(1, 8)), title)
    assert applied(action["edit"], TEXT, encoding) == TEXT.replace("return 'é🎉'", expected)


def test_vs_code_gets_the_version_that_the_edit_is_for(vscode: Client) -> None:
    action = titled(opened(vscode, version=12).code_actions(URI, span(4, 8)), STORE)
    assert action["edit"] == {
        "documentChanges": [
            {
                "textDocument": {"uri": URI, "version": 12},
                "edits": [{"range": span(4, 4, 11), "newText": "o[...] = "}],
            }
        ]
    }


def test_vs_code_asks_the_user_before_it_applies_an_unsafe_fix(vscode: Client) -> None:
    edit = titled(opened(vscode).code_actions(URI, span(2, 8)), CAST)["edit"]
    ((annotation, description),) = edit["changeAnnotations"].items()
    assert description == {"label": "Cast the value", "needsConfirmation": True, "description": "look at the dtype"}
    assert [change["annotationId"] for change in edit["documentChanges"][0]["edits"]] == [annotation, annotation]


def test_without_annotations_an_unsafe_fix_is_plain_text_edits() -> None:
    capabilities = copy.deepcopy(VSCODE)
    del capabilities["textDocument"]["codeAction"]["honorsChangeAnnotations"]
    with Client(SCRIPTED_SERVER) as client:
        client.initialize(capabilities)
        edit = titled(opened(client).code_actions(URI, span(2, 8)), CAST)["edit"]
    assert edit.keys() == {"documentChanges"}
    assert edit["documentChanges"][0]["edits"][0].keys() == {"range", "newText"}


def test_neovim_gets_plain_changes(neovim: Client) -> None:
    action = titled(opened(neovim).code_actions(URI, span(4, 8)), STORE)
    assert action["edit"] == {"changes": {URI: [{"range": span(4, 4, 11), "newText": "o[...] = "}]}}


# Fixing many.

FIXED_ONE = TEXT.replace("return 'é🎉'", "o[...] = 'é🎉'").replace("return b", "o[...] = b")
FIXED_ALL = FIXED_ONE.replace("return c", "o[...] = c")


@pytest.mark.parametrize(
    ("title", "only", "expected"),
    [(IN_KERNEL, None, FIXED_ONE), (OF_RULE, None, FIXED_ONE), (ALL, ["source.fixAll"], FIXED_ALL)],
)
def test_a_fix_of_many_is_computed_when_it_is_chosen(
    vscode: Client, title: str, only: list[str] | None, expected: str
) -> None:
    action = titled(opened(vscode).code_actions(URI, span(1, 8), only=only), title)
    assert "edit" not in action
    resolved = vscode.request("codeAction/resolve", action)
    assert applied(resolved.pop("edit"), TEXT, PositionEncoding.UTF16) == expected
    assert resolved == action


@pytest.mark.parametrize(
    ("title", "only", "expected"),
    [(IN_KERNEL, None, FIXED_ONE), (OF_RULE, None, FIXED_ONE), (ALL, ["source"], FIXED_ALL)],
)
def test_a_client_that_cannot_resolve_gets_the_edit_at_once(
    simple: Client, title: str, only: list[str] | None, expected: str
) -> None:
    action = titled(opened(simple).code_actions(URI, span(1, 8), only=only), title)
    assert "data" not in action
    assert applied(action["edit"], TEXT, PositionEncoding.UTF16) == expected


def test_what_is_to_be_resolved_has_no_nulls_since_neovim_drops_them(neovim: Client) -> None:
    actions = opened(neovim).code_actions(URI, span(1, 8), only=["quickfix", "source.fixAll"])
    data = [action["data"] for action in actions if "data" in action]
    assert [sorted(each) for each in data] == [
        ["group", "revision", "uri"],
        ["codes", "revision", "uri"],
        ["revision", "uri"],
    ]


def test_an_action_that_is_complete_is_resolved_to_itself(neovim: Client) -> None:
    for action in opened(neovim).code_actions(URI, span(4, 8)):
        assert neovim.request("codeAction/resolve", action) == action


def test_the_edits_of_a_fix_of_many_are_minimal(simple: Client) -> None:
    action = titled(opened(simple).code_actions(URI, WHOLE, only=["source.fixAll"]), ALL)
    assert action["edit"]["changes"][URI] == [{"range": span(line, 4, 10), "newText": "o[...] ="} for line in (1, 2, 4)]


def test_the_edit_of_another_text_is_refused(vscode: Client) -> None:
    action = titled(opened(vscode).code_actions(URI, WHOLE, only=["source.fixAll"]), ALL)
    vscode.change(URI, 2, TEXT)
    with pytest.raises(ResponseError, match="-32801"):
        vscode.request("codeAction/resolve", action)
    vscode.close(URI)
    with pytest.raises(ResponseError, match="-32801"):
        vscode.request("codeAction/resolve", action)
    opened(vscode)
    with pytest.raises(ResponseError, match="-32801"):
        vscode.request("codeAction/resolve", action)


def test_actions_for_a_text_that_has_changed_meanwhile_are_refused(pipe: Pipe, fresh_scripted: Client) -> None:
    client = fresh_scripted
    client.initialize(VSCODE)
    client.open(URI, f"return 1  # PAL001 safe wait={pipe.path}\n")
    context = {"textDocument": {"uri": URI}, "range": WHOLE, "context": {"diagnostics": []}}
    asked = client.begin("textDocument/codeAction", context)
    pipe.wait_for_reader()
    client.change(URI, 2, "")
    client.take_all()
    pipe.release()
    with pytest.raises(ResponseError, match="-32801"):
        client.finish(asked)


def test_unsafe_fixes_are_applied_to_all_if_the_user_says_so() -> None:
    with Client(SCRIPTED_SERVER) as client:
        client.initialize({}, options={"unsafeFixes": True})
        client.open(URI, "return 1  # PAL001 unsafe\n")
        (action,) = client.code_actions(URI, span(0, 0), only=["source.fixAll"])
    text = applied(action["edit"], "return 1  # PAL001 unsafe\n", PositionEncoding.UTF16)
    assert text == "o[...] = cast(1)  # PAL001 unsafe\n"


# Commands.


def test_a_command_applies_all_fixes(vscode: Client) -> None:
    opened(vscode, version=5)
    vscode.answers["workspace/applyEdit"] = lambda params: {"applied": True}
    assert vscode.command("pallas-lsp.applyFixes", {"uri": URI, "version": 5}) is True
    params = vscode.requested[-1]["params"]
    assert params["label"] == ALL
    assert applied(params["edit"], TEXT, PositionEncoding.UTF16) == FIXED_ALL


def test_a_command_applies_the_fixes_of_some_rules(vscode: Client) -> None:
    opened(vscode)
    vscode.answers["workspace/applyEdit"] = lambda params: {"applied": False}
    assert vscode.command("pallas-lsp.applyFixes", {"uri": URI, "version": 1, "codes": ["PAL002"]}) is False
    edit = vscode.requested[-1]["params"]["edit"]
    assert applied(edit, TEXT, PositionEncoding.UTF16) == TEXT.replace("return c", "o[...] = c")


def test_a_command_with_nothing_to_do_asks_nothing_of_the_client(vscode: Client) -> None:
    before = len(opened(vscode, "x = 0\n").requested)
    assert vscode.command("pallas-lsp.applyFixes", {"uri": URI, "version": 1}) is False
    assert len(vscode.requested) == before


def test_a_command_for_another_version_is_refused(vscode: Client) -> None:
    with pytest.raises(ResponseError, match="-32801"):
        opened(vscode).command("pallas-lsp.applyFixes", {"uri": URI, "version": 2})


@pytest.mark.parametrize("codes", ["PAL001", [1], {}])
def test_the_codes_of_a_command_are_a_list(vscode: Client, codes: object) -> None:
    with pytest.raises(ResponseError, match="-32602"):
        opened(vscode).command("pallas-lsp.applyFixes", {"uri": URI, "version": 1, "codes": codes})


# The real check and its fixes.


def test_a_kernel_is_mended() -> None:
    text = (
        "import jax\nfrom jax.experimental import pallas as pl\n\n"
        "def kernel(x_ref, o_ref):\n    return x_ref[...]  # é🎉\n\n"
        "def f(x):\n    return pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype))(x)\n"
    )
    with Client() as client:
        client.initialize(NEOVIM)
        client.open(URI, text)
        (found,) = client.published(URI)
        actions = client.code_actions(URI, found["range"], diagnostics=[found])
        (preferred,) = (action for action in actions if action.get("isPreferred"))
        mended = applied(preferred["edit"], text, PositionEncoding.UTF8)
        client.change(URI, 2, mended)
        assert client.published(URI, 2) == []
    assert "o_ref[...] = x_ref[...]" in mended


def test_kernels_are_counted() -> None:
    text = (
        "import jax\nfrom jax.experimental import pallas as pl\n\n"
        "def one(x_ref, o_ref): ...\n\ndef two(x_ref, o_ref):\n    @pl.when(True)\n    def body(): ...\n\n"
        "def f(x):\n    pl.pallas_call(one, out_shape=x)(x)\n    pl.pallas_call(one, out_shape=x)(x)\n"
        "    return pl.pallas_call(two, out_shape=x)(x)\n"
    )
    with Client() as client:
        client.initialize(VSCODE)
        client.open(URI, text)
        assert client.command("pallas-lsp.countKernels", {"uri": URI}) == 2
        client.change(URI, 2, "x = 0\n")
        assert client.command("pallas-lsp.countKernels", {"uri": URI}) == 0

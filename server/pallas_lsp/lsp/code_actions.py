"""`textDocument/codeAction` and `codeAction/resolve` (LSP 3.17, Code Action Request)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcContentModified, JsonRpcInvalidParams

from pallas_lsp.findings import Applicability, Fix
from pallas_lsp.lsp.analysis import Analysis, Checked
from pallas_lsp.lsp.capabilities import NOTEBOOK_FIX_ALL, QUICK_FIX, REFACTOR_REWRITE, SOURCE_FIX_ALL, Client
from pallas_lsp.lsp.convert import diagnostic, from_client_range, in_unit
from pallas_lsp.lsp.edits import workspace_edit
from pallas_lsp.notebooks.cells import RefusedEdit
from pallas_lsp.rules.unused_ignore import UnusedIgnore
from pallas_lsp.suppressions import ignoring

if TYPE_CHECKING:
    from pallas_lsp.lsp.server import PallasServer

FIX_ALL_TITLE = "Fix all auto-fixable problems"


def register(server: PallasServer) -> None:
    """Adds the handlers to a server."""

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION)
    async def code_action(ls: PallasServer, params: types.CodeActionParams) -> list[types.CodeAction]:
        kinds = _Kinds(params.context.only)
        unit = ls.documents.unit(params.text_document.uri)
        if unit is None or not any(map(kinds.wants, (QUICK_FIX, REFACTOR_REWRITE, SOURCE_FIX_ALL, NOTEBOOK_FIX_ALL))):
            return []
        checked = await ls.analysis.check(unit)
        if checked is None:
            raise JsonRpcContentModified()
        actions = await ls.analysis.worker.run(
            lambda: list(_Offer(checked, ls.analysis, ls.client, params, kinds).actions())
        )
        if not ls.documents.is_current(unit):
            raise JsonRpcContentModified()
        return actions

    @server.feature(types.CODE_ACTION_RESOLVE)
    async def resolve(ls: PallasServer, action: types.CodeAction) -> types.CodeAction:
        if action.data is None:
            return action  # It is complete: some clients have every action resolved.
        wanted = _FixAll.from_data(action.data)
        unit = ls.documents.unit(wanted.uri)
        if unit is None or unit.revision != wanted.revision:
            raise JsonRpcContentModified()
        checked = await ls.analysis.check(unit)
        if checked is None:
            raise JsonRpcContentModified()
        edits = await ls.analysis.fix_all(checked, wanted.codes, wanted.group)
        if not ls.documents.is_current(unit):
            raise JsonRpcContentModified()
        action.edit = workspace_edit(unit, edits, ls.client)
        return action


def codes_of(options: Mapping[Any, object]) -> frozenset[str] | None:
    """The `codes` of rules that a client wants fixed; None for all.

    Raises:
      JsonRpcInvalidParams: they are something else than a list of strings.
    """
    codes = options.get("codes")
    if codes is None:
        return None
    if not isinstance(codes, list) or not all(isinstance(code, str) for code in codes):
        raise JsonRpcInvalidParams("`codes` is a list of rule codes")
    return frozenset(codes)


class _Kinds:
    """The kinds of actions that a request is about: none given means all but those of the `source` menu."""

    def __init__(self, only: Sequence[types.CodeActionKind | str] | None) -> None:
        self._only = [str(kind.value if isinstance(kind, types.CodeActionKind) else kind) for kind in only or ()]

    def wants(self, kind: str) -> bool:
        """Whether an action of this kind may be in the answer."""
        if not any(self._only):
            return kind in (QUICK_FIX, REFACTOR_REWRITE)
        return any(only and f"{kind}.".startswith(f"{only}.") for only in self._only)


@dataclass(frozen=True, slots=True)
class _FixAll:
    """A "fix all" whose edit is computed when it is chosen; the data of its action.

    Args:
      uri: of the document that it was offered in.
      revision: of the unit that it was offered for.
      codes: of the rules to fix; None for all.
      group: of the findings to fix; None for all.
    """

    uri: str
    revision: int
    codes: frozenset[str] | None = None
    group: str | None = None

    def to_data(self) -> dict[str, object]:
        # No nulls: Neovim drops the keys that have them.
        data: dict[str, object] = {"uri": self.uri, "revision": self.revision}
        if self.codes is not None:
            data["codes"] = sorted(self.codes)
        if self.group is not None:
            data["group"] = self.group
        return data

    @staticmethod
    def from_data(data: object) -> _FixAll:
        """Reads what `to_data` made.

        Raises:
          JsonRpcInvalidParams: it is something else.
        """
        match data:
            case {"uri": str(uri), "revision": int(revision), **rest}:
                group = rest.get("group")
                if group is None or isinstance(group, str):
                    return _FixAll(uri, revision, codes_of(rest), group)
        raise JsonRpcInvalidParams("the action has no data to resolve")


@dataclass(frozen=True, slots=True)
class _Offer:
    """Makes the actions of one request; in the analysis thread, since that is where fixes are made."""

    checked: Checked
    analysis: Analysis
    client: Client
    params: types.CodeActionParams
    kinds: _Kinds

    def actions(self) -> Iterator[types.CodeAction]:
        """The actions, those nearest to a finding first."""
        if self.kinds.wants(QUICK_FIX):
            asked = self._asked()
            for number, shown in asked.items():
                yield from self._fixes(number, shown)
            if not self._takes_everything():
                yield from self._fixes_of_many(asked)
                for number, shown in asked.items():
                    yield from self._ignore(number, shown)
        # A client that names diagnostics wants to be rid of them, and may apply whatever comes back.
        if self.kinds.wants(REFACTOR_REWRITE) and not self.params.context.diagnostics:
            yield from self._conversions()
        kind = NOTEBOOK_FIX_ALL if self.checked.unit.is_notebook else SOURCE_FIX_ALL
        if self.kinds.wants(kind) and self._fixable(range(len(self.checked.report.findings)), 1):
            yield self._fix_all(FIX_ALL_TITLE, kind)

    def _asked(self) -> dict[int, types.Diagnostic]:
        """The findings that quick fixes are wanted for, by number, and the diagnostics that the client shows for them.

        If the client names diagnostics, quick fixes for others are not wanted.
        """
        unit = self.checked.unit
        part = unit.part(self.params.text_document.uri)
        if part is None:
            return {}
        text, encoding = part.document.text, self.client.encoding
        findings = self.checked.report.findings
        if not self.params.context.diagnostics:
            range = in_unit(part, from_client_range(text, self.params.range, encoding))
            return {
                number: diagnostic(finding, unit, self.checked.others, self.client)[1]
                for number, finding in enumerate(findings)
                if finding.range.touches(range)
            }
        asked = {}
        for shown in self.params.context.diagnostics:
            range = in_unit(part, from_client_range(text, shown.range, encoding))
            near = [
                number
                for number, finding in enumerate(findings)
                if finding.code == shown.code and finding.range.touches(range)
            ]
            exact = [number for number in near if findings[number].range == range]
            asked.update(dict.fromkeys(exact or near, shown))
        return dict(sorted(asked.items()))

    def _fixes(self, number: int, shown: types.Diagnostic) -> Iterator[types.CodeAction]:
        preferred = self.client.preferred_actions
        for fix in self.checked.fixes(number):
            action = types.CodeAction(fix.title, kind=QUICK_FIX, diagnostics=[shown])
            if fix.applicability is Applicability.NONE:
                if not self.client.disabled_actions:
                    continue
                action.disabled = types.CodeActionDisabled(fix.reason)
            elif fix.applicability is Applicability.SAFE:
                action.edit = self._edit(fix)
                action.is_preferred = preferred or None
                preferred = False
            else:
                action.title = f"{fix.title} (unsafe: {fix.reason.rstrip('.')})"
                action.edit = self._edit(fix, confirm=fix)
            yield action
            if self._takes_everything():
                return

    def _ignore(self, number: int, shown: types.Diagnostic) -> Iterator[types.CodeAction]:
        """The action that hides a finding by a comment; none for a comment, or where none can stand."""
        finding, unit = self.checked.report.findings[number], self.checked.unit
        edit = None if finding.code == UnusedIgnore.code else ignoring(unit.text, finding)
        if edit is None:
            return
        try:
            edits = unit.edits_by_part((edit,))
        except RefusedEdit:
            return
        action = types.CodeAction(f"Ignore {finding.code} on this line", kind=QUICK_FIX, diagnostics=[shown])
        action.edit = workspace_edit(unit, edits, self.client)
        yield action

    def _conversions(self) -> Iterator[types.CodeAction]:
        """Rewrites of functions at the place that have no findings: those have fixes."""
        unit = self.checked.unit
        part = unit.part(self.params.text_document.uri)
        if part is None:
            return
        place = in_unit(part, from_client_range(part.document.text, self.params.range, self.client.encoding))
        for conversion in self.analysis.conversions(self.checked, place):
            if any(finding.range.touches(conversion.range) for finding in self.checked.report.findings):
                continue
            action = types.CodeAction(conversion.title, kind=REFACTOR_REWRITE)
            if not isinstance(conversion.rewrite, tuple):
                if not self.client.disabled_actions:
                    continue
                action.disabled = types.CodeActionDisabled(conversion.rewrite.reason)
            else:
                try:
                    edits = unit.edits_by_part(conversion.rewrite)
                except RefusedEdit:
                    continue
                action.edit = workspace_edit(unit, edits, self.client)
            yield action

    def _fixes_of_many(self, asked: Mapping[int, types.Diagnostic]) -> Iterator[types.CodeAction]:
        """One action for each kernel, and for each rule, that has more to fix than one finding."""
        findings = self.checked.report.findings
        asked = {number: shown for number, shown in asked.items() if self._fixable((number,), 1)}
        for group in dict.fromkeys(findings[number].group for number in asked if findings[number].group):
            if self._fixable((number for number, finding in enumerate(findings) if finding.group == group), 2):
                shown = [shown for number, shown in asked.items() if findings[number].group == group]
                yield self._fix_all("Fix all in this kernel", QUICK_FIX, shown, group=group)
        for code, name in dict.fromkeys((findings[number].code, findings[number].name) for number in asked):
            if self._fixable((number for number, finding in enumerate(findings) if finding.code == code), 2):
                shown = [shown for number, shown in asked.items() if findings[number].code == code]
                title = f"Fix all {code} ({name}) problems in this {self._whole}"
                yield self._fix_all(title, QUICK_FIX, shown, codes=frozenset({code}))

    def _edit(self, fix: Fix, *, confirm: Fix | None = None) -> types.WorkspaceEdit:
        unit = self.checked.unit
        return workspace_edit(unit, unit.edits_by_part(fix.edits), self.client, confirm=confirm)

    @property
    def _whole(self) -> str:
        return "notebook" if self.checked.unit.is_notebook else "file"

    def _fix_all(
        self,
        title: str,
        kind: str,
        shown: list[types.Diagnostic] | None = None,
        *,
        codes: frozenset[str] | None = None,
        group: str | None = None,
    ) -> types.CodeAction:
        unit = self.checked.unit
        action = types.CodeAction(title, kind=kind, diagnostics=shown)
        if self.client.resolved_edits:
            action.data = _FixAll(unit.uri, unit.revision, codes, group).to_data()
        else:
            edits = self.analysis.fix_all_edits(self.checked, codes, group)
            action.edit = workspace_edit(unit, edits, self.client)
        return action

    def _fixable(self, numbers: Iterable[int], least: int) -> bool:
        """Whether a "fix all" would mend at least so many of these; makes no more fixes than needed to know."""
        applied = {Applicability.SAFE, *([Applicability.UNSAFE] if self.checked.settings.unsafe_fixes else ())}
        fixable = (
            number for number in numbers if any(fix.applicability in applied for fix in self.checked.fixes(number))
        )
        return len(list(islice(fixable, least))) == least

    def _takes_everything(self) -> bool:
        """Whether the client will apply all actions of the answer, one after the other.

        Kate 22 does when it is told to fix the diagnostic under the caret. It asks for the whole document then, and
        cannot know which action is the preferred one: so it gets that one only.
        """
        start, end = self.params.range.start, self.params.range.end
        part = self.checked.unit.part(self.params.text_document.uri)
        return (
            not self.client.preferred_actions
            and len(self.params.context.diagnostics) == 1
            and part is not None
            and (start.line, start.character) == (0, 0)
            and end.line >= part.document.text.line_count - 1
        )

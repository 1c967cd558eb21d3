"""All rules, in the order of their codes."""

from __future__ import annotations

from pallas_lsp.rules.base import Rule
from pallas_lsp.rules.dropped_result import DroppedResult
from pallas_lsp.rules.returning_body import ReturningBody
from pallas_lsp.rules.returning_kernel import ReturningKernel
from pallas_lsp.rules.unread_ref import UnreadRef

RULES: tuple[type[Rule], ...] = (
    *(ReturningKernel, DroppedResult, ReturningBody),
    *(UnreadRef,),
)

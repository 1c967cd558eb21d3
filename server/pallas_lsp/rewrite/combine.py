"""Several rewrites of one function as one."""

from __future__ import annotations

from itertools import chain

from pallas_lsp.rewrite.source import Refusal, Rewrite, coalesced


def combine(*rewrites: Rewrite) -> Rewrite:
    """The edits of all rewrites, which were made independently of each other for the same text, sorted and disjoint.

    Returns:
      The edits; or the first refusal among the rewrites; or a refusal when two of them change the same text.
    """
    refusals = [rewrite for rewrite in rewrites if isinstance(rewrite, Refusal)]
    if refusals:
        return refusals[0]
    try:
        return coalesced(chain.from_iterable(rewrite for rewrite in rewrites if not isinstance(rewrite, Refusal)))
    except ValueError:
        return Refusal("Two changes of the same text are needed.")

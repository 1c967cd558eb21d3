"""PAL502: an asynchronous copy is not started, or not waited for."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pallas_lsp.config import Settings
from pallas_lsp.findings import Finding, Severity
from pallas_lsp.rules.base import Rule
from pallas_lsp.rules.events import enclosing_function, finding, judged
from pallas_lsp.semantics.analysis import Analysis
from pallas_lsp.semantics.events import CopyMade, Event
from pallas_lsp.syntax import walk


class UnusedCopy(Rule):
    """An asynchronous copy is made and never started, or started and never waited for.

    ## What it does
    Reports `pltpu.make_async_copy(...)` whose descriptor is dropped, or gets a name that is not used again: it copies
    nothing. Reports `pltpu.async_copy(...)`, which starts at once, whose descriptor is dropped where the kernel does
    not mention its semaphore again, so that nothing can wait for it. Reports a descriptor of `make_async_copy` that is
    only started, or only waited for, where the kernel does not mention the semaphore again.

    ## What JAX says
    Nothing.

    ## Example
    ```python
    import jax
    import jax.numpy as jnp
    from jax.experimental import pallas as pl
    from jax.experimental.pallas import tpu as pltpu

    def k(x_ref, o_ref, sem):
        o_ref[...] = jnp.zeros_like(o_ref)
        pltpu.make_async_copy(x_ref, o_ref, sem)

    x = jnp.arange(8.0)
    OUT = jax.ShapeDtypeStruct((8,), jnp.float32)
    y = pl.pallas_call(k, out_shape=OUT, scratch_shapes=[pltpu.SemaphoreType.DMA], interpret=True)(x)
    ```

    ## Fixed
    ```python
    import jax
    import jax.numpy as jnp
    from jax.experimental import pallas as pl
    from jax.experimental.pallas import tpu as pltpu

    def k(x_ref, o_ref, sem):
        copy = pltpu.make_async_copy(x_ref, o_ref, sem)
        copy.start()
        copy.wait()

    x = jnp.arange(8.0)
    OUT = jax.ShapeDtypeStruct((8,), jnp.float32)
    y = pl.pallas_call(k, out_shape=OUT, scratch_shapes=[pltpu.SemaphoreType.DMA], interpret=True)(x)
    ```
    """

    code = "PAL502"
    name = "unused-copy"
    severity = Severity.WARNING

    def check(self, analysis: Analysis, settings: Settings) -> Iterator[Finding]:
        """One finding for each copy."""
        for event, _, message in judged(analysis, CopyMade, _judge):
            yield finding(self, analysis, event, message)


def _never_awaited(made_by: str) -> str:
    kept = "" if made_by.startswith("make_") else f" keep what `{made_by}` returns and"
    return f"Nothing waits for this copy:{kept} call `wait` on it before the data is used."


_HALVES = {
    **{(name, frozenset[str]()): _never_awaited(name) for name in ("async_copy", "async_remote_copy")},
    **{(name, frozenset({"start"})): _never_awaited(name) for name in ("make_async_copy", "make_async_remote_copy")},
    ("make_async_copy", frozenset({"wait"})): "This copy is waited for and never started: call `start` on it first.",
}
"""What to say of copies that lack a half, by what makes them and the methods that are called."""


def _judge(event: Event, copy: CopyMade) -> str | None:
    function = enclosing_function(event)
    if function is None:
        return None
    loads = _count(function, copy.name, (ast.Load, ast.Del)) if copy.name else 0
    if not loads and copy.made_by.startswith("make_"):
        return (
            "AsyncCopyDescriptor was not used. Did you mean to call `start` or `wait` on it?"
            f" `{copy.made_by}` copies nothing by itself."
        )
    called = _called(function, copy.name)
    missing = _HALVES.get((copy.made_by, frozenset(called)))
    alone = len(called) == loads and copy.own and function is event.functions[0]
    return missing if missing and alone and _is_mentioned_once(event, function) else None


def _called(function: ast.AST, name: str) -> list[str]:
    """The methods that are called on a name, for each call."""
    calls = (
        node.func for node in walk(function) if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    )
    return [call.attr for call in calls if isinstance(call.value, ast.Name) and call.value.id == name]


def _is_mentioned_once(event: Event, function: ast.AST) -> bool:
    """Whether the semaphores of a copy are mentioned nowhere else in the kernel."""
    call = getattr(event.node, "value", None)
    assert isinstance(call, ast.Call)
    given = [*call.args[2:], *(keyword.value for keyword in call.keywords if "sem" in (keyword.arg or ""))]
    roots = [_root(node) for node in given]
    return bool(roots) and all(root and _count(function, root, (ast.Load,)) == 1 for root in roots)


def _root(node: ast.expr) -> str:
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _count(function: ast.AST, name: str, contexts: tuple[type[ast.expr_context], ...]) -> int:
    return sum(
        isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, contexts) for node in walk(function)
    )

"""PAL601: a name or a keyword that the JAX of the project does not have."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from pallas_lsp.config import Settings
from pallas_lsp.findings import Applicability, Edit, Finding, Fix, Position, Range, Severity
from pallas_lsp.rules.base import Rule, range_in
from pallas_lsp.semantics.analysis import Analysis
from pallas_lsp.semantics.jax_api import Version, as_version
from pallas_lsp.semantics.jax_releases import KEYWORDS, NAMES, Availability
from pallas_lsp.semantics.project import Module
from pallas_lsp.syntax import Chunk, walk
from pallas_lsp.target import releases_of


class MissingName(Rule):
    """The JAX of the project has no such name, or no such keyword.

    ## What it does
    Reports names of Pallas, and keywords of its functions, that no JAX release has which the project allows: they were
    removed or renamed before, or came later. Which releases these are is said by `target-jax`, by the requirements and
    lock files of the project, or by what is installed; when nothing says it, nothing is reported. Nor is anything in a
    file that asks which names or versions there are, as by `hasattr`, or under an `if` or `try`.

    The fix writes the name that has taken its place.

    ## What JAX says
    ```text
    module 'jax.experimental.pallas.tpu' has no attribute 'TPUCompilerParams'
    ```

    ## Example
    ```python
    import jax
    import jax.numpy as jnp
    from jax.experimental import pallas as pl
    from jax.experimental.pallas import tpu as pltpu

    def copy(x_ref, o_ref):
        o_ref[...] = x_ref[...]

    x = jnp.arange(8.0)
    OUT = jax.ShapeDtypeStruct((8,), jnp.float32)
    PARAMS = pltpu.TPUCompilerParams(vmem_limit_bytes=2**20)
    y = pl.pallas_call(copy, out_shape=OUT, compiler_params=PARAMS, interpret=True)(x)
    ```

    ## Fixed
    ```python
    import jax
    import jax.numpy as jnp
    from jax.experimental import pallas as pl
    from jax.experimental.pallas import tpu as pltpu

    def copy(x_ref, o_ref):
        o_ref[...] = x_ref[...]

    x = jnp.arange(8.0)
    OUT = jax.ShapeDtypeStruct((8,), jnp.float32)
    PARAMS = pltpu.CompilerParams(vmem_limit_bytes=2**20)
    y = pl.pallas_call(copy, out_shape=OUT, compiler_params=PARAMS, interpret=True)(x)
    ```
    """

    code = "PAL601"
    name = "missing-name"
    severity = Severity.ERROR

    def check(self, analysis: Analysis, settings: Settings) -> Iterator[Finding]:
        """One finding for each use."""
        module = analysis.module
        said = (settings.target_jax,) if settings.target_jax else releases_of(module.path, settings.python)
        releases = tuple(map(as_version, said))
        missing, keywords, words = _missing_in(releases)
        if not any(facts.mentions_any(words) for facts in module.facts):
            return
        text = module.parsed.source.text
        if any(word in text for word in _ASKS):
            return
        aliases = _aliases(module)
        versions = f"JAX {said[0]}" if len(said) == 1 else "any JAX release that the project allows"
        for chunk, node in _always_reached(module):
            for use in _uses(node, aliases):
                if use.name in missing and use.node is not None:
                    yield self._finding(analysis, chunk, use, NAMES[use.name], versions, releases, aliases)
                for keyword in use.keywords:
                    if keyword.arg is not None and (use.name, keyword.arg) in keywords:
                        yield self._keyword(analysis, chunk, use.name, keyword, releases)

    def _finding(
        self,
        analysis: Analysis,
        chunk: Chunk,
        use: _Use,
        row: Availability,
        versions: str,
        releases: tuple[Version, ...],
        aliases: dict[str, str],
    ) -> Finding:
        assert use.node is not None
        owner, _, name = use.name.rpartition(".")
        instead = row.instead if row.instead and not NAMES.get(row.instead, _OLD).is_missing_in_all(releases) else ""
        advice = f" Use `{instead}`." if instead else f" {row.advice}" if row.advice else ""
        imported = isinstance(use.node, ast.alias)
        says = (
            f"cannot import name '{name}' from '{owner}'" if imported else f"module '{owner}' has no attribute '{name}'"
        )
        message = f"{says}: not in {versions}.{advice}"
        place = range_in(analysis, chunk, use.node)
        return Finding(
            self.code,
            self.name,
            message,
            self.severity,
            place,
            make_fixes=lambda: () if imported else _renamed(analysis, place, instead, aliases, releases),
        )

    def _keyword(
        self, analysis: Analysis, chunk: Chunk, function: str, keyword: ast.keyword, releases: tuple[Version, ...]
    ) -> Finding:
        assert keyword.arg is not None
        row = KEYWORDS[function, keyword.arg]
        short = function.rpartition(".")[2]
        advice = f" Use `{row.instead}`." if row.instead else ""
        start = range_in(analysis, chunk, keyword).start
        place = Range(start, Position(start.line, start.character + len(keyword.arg)))
        message = f"{short}() got an unexpected keyword argument '{keyword.arg}' in the JAX of this project.{advice}"
        sure = bool(row.instead) and not _maybe_missing(KEYWORDS[function, row.instead], releases)
        edits = (Edit(place, row.instead),)
        fixes = (Fix(f"Write `{row.instead}`", edits, Applicability.SAFE),) if sure else ()
        return Finding(self.code, self.name, message, self.severity, place, make_fixes=lambda: fixes)


@lru_cache(maxsize=64)
def _missing_in(releases: tuple[Version, ...]) -> tuple[frozenset[str], frozenset[tuple[str, str]], frozenset[str]]:
    """The names and keywords that none of some releases has, and the words that say one; nothing for no releases."""
    names = frozenset(name for name, row in NAMES.items() if releases and row.is_missing_in_all(releases))
    keywords = frozenset(one for one, row in KEYWORDS.items() if releases and row.is_missing_in_all(releases))
    return names, keywords, frozenset(name.rpartition(".")[2] for name in names) | {word for _, word in keywords}


_OLD = Availability()
_ASKS = (
    *("hasattr", "getattr", "version", "Version", "VERSION", "ImportError", "AttributeError", "TypeError", "suppress"),
    *("importlib", "signature", "skip", "exit", "raises"),
)
"""Words of a file that asks what there is, or expects that there is not."""

_PUBLIC = frozenset(name.rpartition(".")[0] for name in NAMES)
_CONDITIONAL = (
    ast.If,
    ast.IfExp,
    ast.Try,
    ast.BoolOp,
    ast.While,
    ast.Match,
    *([ast.TryStar] if hasattr(ast, "TryStar") else []),
)


@dataclass(frozen=True, slots=True)
class _Use:
    """Something of JAX that is used: its public path, where it is named, and with which keywords it is called."""

    name: str
    node: ast.Attribute | ast.alias | None
    keywords: tuple[ast.keyword, ...] = ()


def _maybe_missing(row: Availability, releases: tuple[Version, ...]) -> bool:
    return any(map(row.is_missing, releases))


def _chunks(module: Module) -> Iterator[Chunk]:
    stack = list(reversed(module.parsed.chunks))
    while stack:
        chunk = stack.pop()
        yield chunk
        stack += reversed(chunk.members)


def _aliases(module: Module) -> dict[str, str]:
    """The names that stand for modules of JAX wherever they stand in the file."""
    found: dict[str, set[str]] = {}
    for chunk in _chunks(module):
        for statement in chunk.statements:
            for node in walk(statement):
                for name, meaning in _bound(node):
                    found.setdefault(name, set()).add(meaning)
    return {name: next(iter(meanings)) for name, meanings in found.items() if len(meanings) == 1 and "" not in meanings}


def _bound(node: ast.AST) -> Iterator[tuple[str, str]]:
    """What a node binds: a name, and what it stands for if that is a module of JAX, else an empty text."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            top = alias.name.partition(".")[0]
            yield alias.asname or top, (alias.name if alias.asname else top) if top == "jax" else ""
    elif isinstance(node, ast.ImportFrom):
        for alias in node.names:
            inside = node.level == 0 and (node.module or "").partition(".")[0] == "jax"
            yield alias.asname or alias.name, f"{node.module}.{alias.name}" if inside else ""
    elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        yield node.id, ""
    elif isinstance(node, ast.arg):
        yield node.arg, ""
    elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.ExceptHandler, ast.MatchAs)):
        yield node.name or "", ""
    elif isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
        # Whoever sets an attribute of a module may make the name that is missing.
        owner = node.value
        while isinstance(owner, ast.Attribute):
            owner = owner.value
        if isinstance(owner, ast.Name) and owner.id not in ("self", "cls"):
            yield owner.id, ""


def _always_reached(module: Module) -> Iterator[tuple[Chunk, ast.AST]]:
    """The nodes that no condition, and no handler of errors, stands before in their block; and no annotations."""
    for chunk in _chunks(module):
        statements = list(_before_a_way_out(list(chunk.statements)))
        stack: list[ast.AST] = list(statements)
        while stack:
            node = stack.pop()
            if isinstance(node, _CONDITIONAL):
                continue
            yield chunk, node
            for name, value in ast.iter_fields(node):
                if name in ("annotation", "returns"):
                    continue
                if isinstance(value, ast.AST):
                    stack.append(value)
                elif isinstance(value, list):
                    stack += _before_a_way_out([one for one in value if isinstance(one, ast.AST)])
        if any(map(_may_leave, statements)):
            return


def _before_a_way_out(nodes: list[ast.AST]) -> Iterator[ast.AST]:
    """The nodes of a block up to the first `if` or `try`, or the like, that may leave it."""
    for node in nodes:
        yield node
        if _may_leave(node):
            return


def _may_leave(node: ast.AST) -> bool:
    """Whether a statement leaves its block on a condition."""
    ways = (ast.Return, ast.Raise, ast.Continue, ast.Break)
    return (
        isinstance(node, ast.stmt) and isinstance(node, _CONDITIONAL) and any(isinstance(n, ways) for n in walk(node))
    )


def _uses(node: ast.AST, aliases: dict[str, str]) -> Iterator[_Use]:
    if isinstance(node, ast.Attribute):
        name = _path(node, aliases)
        if name:
            yield _Use(name, node)
    elif isinstance(node, ast.ImportFrom) and node.level == 0:
        yield from (_Use(f"{node.module}.{alias.name}", alias) for alias in node.names)
    elif isinstance(node, ast.Call):
        name = _path(node.func, aliases)
        if name:
            yield _Use(name, None, tuple(node.keywords))


def _path(node: ast.expr, aliases: dict[str, str]) -> str:
    """The public path that an expression names; empty for anything else."""
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name) or node.id not in aliases:
        return ""
    return ".".join((aliases[node.id], *reversed(names)))


def _renamed(
    analysis: Analysis, place: Range, instead: str, aliases: dict[str, str], releases: tuple[Version, ...]
) -> tuple[Fix, ...]:
    """The fix that names what all releases have, through a module that the file has imported."""
    owner, _, name = instead.rpartition(".")
    if not instead or _maybe_missing(NAMES.get(instead, _OLD), releases):
        return ()
    text = analysis.module.parsed.source.slice(place)
    known = [alias for alias, meaning in aliases.items() if meaning == owner]
    own = text.rpartition(".")[0]
    visible = sorted(one for one in known if one in analysis.module.binding_chunks)
    alias = own if own in known else next(iter(visible), "")
    if not alias:
        return ()
    edits = (Edit(place, f"{alias}.{name}"),)
    return (Fix(f"Write `{alias}.{name}`", edits, Applicability.UNSAFE, "Its arguments may have changed as well."),)

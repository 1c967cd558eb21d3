"""What one chunk says by itself, whatever the rest of the file is: kept with the chunk, so computed once an edit."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from pallas_lsp.semantics.frames import scope_bindings
from pallas_lsp.syntax import Chunk, walk


@dataclass(frozen=True, slots=True)
class ImportedName:
    """`from module import name as alias`, or `import module as alias` with an empty `name`; `level` counts the dots."""

    alias: str
    module: str
    name: str
    level: int


@dataclass(frozen=True, slots=True)
class ChunkFacts:
    """What a chunk binds and mentions.

    Args:
      bindings: the names that it binds in its own scope.
      mentions: every identifier in it, as a name or an attribute.
      dotted: its dotted names, such as `pl.pallas_call`, and its plain names.
      imports: its imports, at any depth.
      stars: the modules of its `from ... import *`, with their level.
      global_writes: names that a function in it declares `global`.
      attribute_writes: attributes that it sets on anything but `self` and `cls`: `Class.method = ...`.
      self_writes: attributes that it sets on `self` and `cls`.
      tails: the last parts of its dotted names, such as `pallas_call`.
    """

    bindings: frozenset[str]
    mentions: frozenset[str]
    dotted: frozenset[str]
    imports: tuple[ImportedName, ...]
    stars: tuple[tuple[str, int], ...]
    global_writes: frozenset[str]
    attribute_writes: frozenset[str]
    self_writes: frozenset[str]
    tails: frozenset[str]


def facts_of(chunk: Chunk) -> ChunkFacts:
    """The facts of a chunk, with those of its members but for their bindings."""
    known = chunk.memo.get(ChunkFacts)
    if known is None:
        known = chunk.memo[ChunkFacts] = _collect(chunk)
    assert isinstance(known, ChunkFacts)
    return known


def _collect(chunk: Chunk) -> ChunkFacts:
    mentions: set[str] = set()
    dotted: set[str] = set()
    imports: list[ImportedName] = []
    stars: list[tuple[str, int]] = []
    global_writes: set[str] = set()
    attribute_writes: set[str] = set()
    self_writes: set[str] = set()
    for statement in chunk.statements:
        for node in walk(statement):
            match node:
                case ast.Name(id=name):
                    mentions.add(name)
                    dotted.add(name)
                case ast.Attribute(attr=name, value=owner, ctx=context):
                    mentions.add(name)
                    if not isinstance(context, ast.Load):
                        own = getattr(owner, "id", "") in ("self", "cls")
                        (self_writes if own else attribute_writes).add(name)
                    text = dotted_name(node)
                    if text:
                        dotted.add(text)
                case ast.Import(names=aliases):
                    imports += [ImportedName(alias.asname or "", alias.name, "", 0) for alias in aliases]
                case ast.ImportFrom(module=module, names=aliases, level=level):
                    stars += [(module or "", level) for alias in aliases if alias.name == "*"]
                    imports += [
                        ImportedName(alias.asname or alias.name, module or "", alias.name, level)
                        for alias in aliases
                        if alias.name != "*"
                    ]
                case ast.Call(func=ast.Name(id="setattr"), args=[_, ast.Constant(value=str() as name), _]):
                    attribute_writes.add(name)
                case ast.Global(names=names):
                    global_writes.update(names)
    for member in chunk.members:
        inner = facts_of(member)
        mentions |= inner.mentions
        dotted |= inner.dotted
        imports += inner.imports
        stars += inner.stars
        global_writes |= inner.global_writes
        attribute_writes |= inner.attribute_writes
        self_writes |= inner.self_writes
    return ChunkFacts(
        bindings=scope_bindings(chunk.statements),
        mentions=frozenset(mentions),
        dotted=frozenset(dotted),
        imports=tuple(imports),
        stars=tuple(stars),
        global_writes=frozenset(global_writes),
        attribute_writes=frozenset(attribute_writes),
        self_writes=frozenset(self_writes),
        tails=frozenset(name.rpartition(".")[2] for name in dotted if "." in name),
    )


def dotted_name(node: ast.expr) -> str:
    """`a.b.c` for such an expression, empty for any other."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return ""
    parts.append(node.id)
    return ".".join(reversed(parts))

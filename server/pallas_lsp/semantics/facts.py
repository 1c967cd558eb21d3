"""What one chunk says by itself, whatever the rest of the file is: kept with the chunk, so computed once an edit."""

from __future__ import annotations

import ast
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pallas_lsp.semantics.bindings import BINDING_FIELDS, scope_bindings
from pallas_lsp.semantics.jax_api import ENTRY_NAMES
from pallas_lsp.semantics.members import LIST_CHANGES
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
      words: every identifier in it, as a name or an attribute; words of comments and strings as well. Those of its
        members are in their own facts.
      members: the facts of its members.
      entries: names of entry points of JAX that follow a dot, as in `pl.pallas_call`.
      imports: its imports, at any depth.
      stars: the modules of its `from ... import *`, with their level.
      global_writes: names that a function in it declares `global`, and lists of other chunks that it changes.
      attribute_writes: attributes that it sets on anything but `self` and `cls`: `Class.method = ...`.
      self_writes: attributes that it sets on `self` and `cls`.
      changed: names of what it may change in place, as by `name.append(...)` and `name[...] = ...`.
    """

    bindings: frozenset[str]
    words: frozenset[str]
    members: tuple[ChunkFacts, ...]
    entries: frozenset[str]
    imports: tuple[ImportedName, ...]
    stars: tuple[tuple[str, int], ...]
    global_writes: frozenset[str]
    attribute_writes: frozenset[str]
    self_writes: frozenset[str]
    changed: frozenset[str]

    def mentions_any(self, names: frozenset[str]) -> bool:
        """Whether one of some names occurs in it."""
        return not names.isdisjoint(self.words) or any(member.mentions_any(names) for member in self.members)


def facts_of(chunk: Chunk) -> ChunkFacts:
    """The facts of a chunk, with those of its members but for their bindings."""
    known = chunk.memo.get(ChunkFacts)
    if known is None:
        known = chunk.memo[ChunkFacts] = _collect(chunk)
    assert isinstance(known, ChunkFacts)
    return known


def _collect(chunk: Chunk) -> ChunkFacts:
    header = chunk.text[: len(chunk.text) - sum(len(member.text) for member in chunk.members)]
    found = _Statements()
    found.read(chunk.statements)
    if "setattr" in header:
        found.read_calls(chunk.statements)
    members = tuple([facts_of(member) for member in chunk.members])
    bindings = scope_bindings(chunk.statements, chunk)
    words = _words(header)
    entries = frozenset() if words.isdisjoint(ENTRY_NAMES) else _normal(_TAIL.findall(header)) & ENTRY_NAMES
    return ChunkFacts(
        bindings=bindings,
        words=words,
        members=members,
        entries=entries.union(*[inner.entries for inner in members]),
        imports=(*found.imports, *(imported for inner in members for imported in inner.imports)),
        stars=(*found.stars, *(star for inner in members for star in inner.stars)),
        global_writes=frozenset(found.global_writes | found.list_changes - bindings).union(
            *[inner.global_writes for inner in members]
        ),
        attribute_writes=frozenset(found.attribute_writes).union(*[inner.attribute_writes for inner in members]),
        self_writes=frozenset(found.self_writes).union(*[inner.self_writes for inner in members]),
        changed=_changed(header, words).union(*[inner.changed for inner in members]),
    )


def _words(text: str) -> frozenset[str]:
    """The identifiers in a text; of ASCII text numbers as well, which costs a tenth of looking for names alone."""
    return frozenset(text.translate(_ONLY_WORDS).split()) if text.isascii() else _normal(_WORD.findall(text))


def _normal(names: Iterable[str]) -> frozenset[str]:
    """Names as the parser spells them: identifiers are in normal form KC (Python reference, 2.3)."""
    return frozenset(name if name.isascii() else unicodedata.normalize("NFKC", name) for name in names)


def _changed(text: str, words: frozenset[str]) -> frozenset[str]:
    """The names of what a text may change in place."""
    found: set[str] = set()
    if not words.isdisjoint(_CHANGING_METHODS):
        for call in _CHANGING_CALL.finditer(text):
            found.update(_LAST_WORD.findall(text, max(0, call.start() - _LONGEST_NAME), call.start()))
    done = 0
    for store in _ITEM_STORE.finditer(text):
        start = max(done, text.rfind("\n", 0, store.start()) + 1)  # What stands before another store was found with it.
        done = store.end()
        found.update(_SUBSCRIBED.findall(text, start, done))
    return _normal(found)


class _Statements:
    """What the statements of a chunk say, nested ones too; their expressions are left out, where most nodes are."""

    def __init__(self) -> None:
        self.imports: list[ImportedName] = []
        self.stars: list[tuple[str, int]] = []
        self.global_writes: set[str] = set()
        self.list_changes: set[str] = set()
        self.attribute_writes: set[str] = set()
        self.self_writes: set[str] = set()

    def read(self, statements: Sequence[ast.stmt]) -> None:
        for statement in statements:
            match statement:
                case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=method))):
                    if method in LIST_CHANGES:
                        self.list_changes.add(name)
        stack: list[ast.AST] = list(reversed(statements))
        while stack:
            node = stack.pop()
            match node:
                case ast.Attribute(attr=name, value=owner):
                    own = isinstance(owner, ast.Name) and owner.id in ("self", "cls")
                    (self.self_writes if own else self.attribute_writes).add(name)
                case ast.Import(names=aliases):
                    self.imports += [ImportedName(alias.asname or "", alias.name, "", 0) for alias in aliases]
                case ast.ImportFrom():
                    self._read_import(node)
                case ast.Global(names=names):
                    self.global_writes.update(names)
            for field in reversed(_PARTS.get(type(node), ())):
                value = getattr(node, field)
                if isinstance(value, list):
                    stack += reversed(value)
                elif value is not None:
                    stack.append(value)

    def read_calls(self, statements: Sequence[ast.stmt]) -> None:
        """Takes note of `setattr(owner, "name", value)`."""
        for statement in statements:
            for node in walk(statement):
                match node:
                    case ast.Call(func=ast.Name(id="setattr"), args=[_, ast.Constant(value=str() as name), _]):
                        self.attribute_writes.add(name)

    def _read_import(self, node: ast.ImportFrom) -> None:
        module = node.module or ""
        for alias in node.names:
            if alias.name == "*":
                self.stars.append((module, node.level))
            else:
                self.imports.append(ImportedName(alias.asname or alias.name, module, alias.name, node.level))


# Where nodes hold statements and targets, nested scopes included.
_PARTS: dict[type[ast.AST], tuple[str, ...]] = {
    **BINDING_FIELDS,
    ast.FunctionDef: ("body",),
    ast.AsyncFunctionDef: ("body",),
    ast.ClassDef: ("body",),
}

_ONLY_WORDS = str.maketrans({chr(code): " " for code in range(128) if not (chr(code).isalnum() or code == ord("_"))})
_WORD = re.compile(r"[^\W\d]\w*")
_CHANGING_METHODS = frozenset(
    ("append", "extend", "insert", "remove", "pop", "popitem", "clear", "update", "setdefault", "sort", "reverse")
)
# Calls are looked for from their dots, which are rarer than names.
_CHANGING_CALL = re.compile(rf"\.\s*(?:{'|'.join(sorted(_CHANGING_METHODS))})\s*\(")
_LAST_WORD = re.compile(r"([^\W\d]\w*)\s*\Z")
_LONGEST_NAME = 200
_ITEM_STORE = re.compile(r"\]\s*[-+*/|&]?=(?!=)")
_SUBSCRIBED = re.compile(r"(?<!\w)([^\W\d]\w*)\s*\[")
_TAIL = re.compile(r"\.[ \t\r\n\\]*([^\W\d]\w*)")


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

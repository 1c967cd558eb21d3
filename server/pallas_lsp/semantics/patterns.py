"""The patterns of `match`: whether a value fits one, and what its names are bound to."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from pallas_lsp.semantics import arithmetic, members
from pallas_lsp.semantics.classes import is_instance
from pallas_lsp.semantics.values import (
    Constant,
    Instance,
    NamedTuple,
    Nothing,
    Sequence,
    Value,
    alternatives,
    is_none,
    may_be_none,
    truth,
)

if TYPE_CHECKING:
    from pallas_lsp.semantics.frames import Frame
    from pallas_lsp.semantics.interpreter import Interpreter


def matches(interpreter: Interpreter, pattern: ast.pattern, subject: Value, frame: Frame) -> bool | None:
    """Whether a value fits a pattern; None when that is not known."""
    answers = {_matches_one(interpreter, pattern, one, frame) for one in alternatives(subject)}
    return answers.pop() if len(answers) == 1 else None


def bind(interpreter: Interpreter, pattern: ast.pattern, subject: Value, frame: Frame) -> None:
    """Binds the names of a pattern as far as it is known what they get."""
    match pattern:
        case ast.MatchAs(pattern=inner, name=name):
            if name is not None:
                interpreter.bind(name, subject, frame)
            if inner is not None:
                bind(interpreter, inner, subject, frame)
        case ast.MatchStar() | ast.MatchOr():
            pass
        case _:
            for inner, value in _parts(interpreter, pattern, subject) or ():
                bind(interpreter, inner, value, frame)


def _matches_one(interpreter: Interpreter, pattern: ast.pattern, subject: Value, frame: Frame) -> bool | None:
    match pattern:
        case ast.MatchAs(pattern=inner):
            return True if inner is None else matches(interpreter, inner, subject, frame)
        case ast.MatchValue(value=value):
            return truth(arithmetic.compare(ast.Eq(), subject, interpreter.evaluate(value, frame), value))
        case ast.MatchSingleton(value=None):
            return True if is_none(subject) else None if may_be_none(subject) else False
        case ast.MatchSingleton(value=value):
            return subject == Constant(value) if isinstance(subject, (Constant, Nothing)) else None
        case ast.MatchOr(patterns=inner):
            return _any(matches(interpreter, one, subject, frame) for one in inner)
        case ast.MatchSequence() if isinstance(subject, (Constant, Nothing, Instance)):
            return None if isinstance(subject, Instance) else False
        case ast.MatchClass(cls=cls):
            fits = is_instance(interpreter, subject, interpreter.evaluate(cls, frame))
            if not fits:
                return fits
    parts = _parts(interpreter, pattern, subject)
    if parts is None:
        return None
    answers = [matches(interpreter, inner, value, frame) for inner, value in parts]
    if isinstance(pattern, ast.MatchSequence) and not _fits(pattern, subject):
        return False
    return False if False in answers else None if None in answers else True


def _any(answers: Iterable[bool | None]) -> bool | None:
    known = list(answers)
    return True if True in known else None if None in known else False


def _parts(interpreter: Interpreter, pattern: ast.pattern, subject: Value) -> list[tuple[ast.pattern, Value]] | None:
    """The patterns in a pattern with the values that they are for; None when these are not known."""
    match pattern, subject:
        case ast.MatchSequence(patterns=inner), (Sequence() | NamedTuple()):
            return list(_items(inner, members.items_of(subject) or ()))
        case ast.MatchClass(patterns=[], kwd_attrs=names, kwd_patterns=inner), _:
            return [(one, interpreter.attribute(subject, name)) for name, one in zip(names, inner, strict=True)]
        case _:
            return None


def _items(patterns: list[ast.pattern], items: tuple[Value, ...]) -> Iterator[tuple[ast.pattern, Value]]:
    """The patterns of a sequence with their items; none where the lengths differ."""
    star = next((at for at, one in enumerate(patterns) if isinstance(one, ast.MatchStar)), None)
    if star is None:
        yield from zip(patterns, items, strict=False)
    elif len(items) >= len(patterns) - 1:
        tail = len(patterns) - star - 1
        yield from zip(patterns[:star], items, strict=False)
        yield from zip(patterns[star + 1 :], items[len(items) - tail :], strict=True)


def _fits(pattern: ast.MatchSequence, subject: Value) -> bool:
    """Whether a sequence is as long as its pattern asks for."""
    length = len(members.items_of(subject) or ())
    if any(isinstance(one, ast.MatchStar) for one in pattern.patterns):
        return length >= len(pattern.patterns) - 1
    return length == len(pattern.patterns)

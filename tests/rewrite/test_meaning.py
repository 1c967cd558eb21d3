"""A rewritten function does what the original did, and stores what that returned: checked by running both.

Functions are made at random: control flow, layouts, comments. Their returns are rewritten, each in a random way; then
both run on the same conditions. Refs are stood for by objects that note what is stored in them.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from hypothesis import given
from hypothesis import strategies as st

from pallas_lsp.rewrite import FunctionSource, Rewrite, Target, TargetTree, combine, drop, store, store_element
from pallas_lsp.text import SourceText
from tests.examples import examples
from tests.rewrite.support import applied, comments, returns_of

Choice = TypeVar("Choice")

OUT, A, B = Target("o[...]"), Target("a[...]"), Target("b[...]")
P, Q = Target("out['p'][...]"), Target("out['q'][...]")
TRIPLED = ".__mul__(3)"
CALLS_PER_RETURN = 100


@dataclass(frozen=True)
class Way:
    """One way to rewrite a return.

    Args:
      values: forms of its value; each `T` becomes a call that is noted, `N` a line break, `#` a comment.
      rewrite: the operation.
      stores: what it stores of a value.
    """

    values: tuple[str, ...]
    rewrite: Callable[[FunctionSource, ast.Return], Rewrite]
    stores: Callable[[Any], list[tuple[str, Any]]]


def storing(targets: TargetTree) -> Callable[[FunctionSource, ast.Return], Rewrite]:
    return lambda function, node: store(function, node, targets, through_finally=True)


SCALARS = (
    "T",
    "(T)",
    "((T))",
    "-T",
    "not T",
    "T + T",
    "(T) + (T)",
    "(T + T)",
    "T == T",
    "'é😀 # \\' ;' and T",
    'f"{1}" and T',
    "T if c() else T",
    "(z := T)",
    "[T, T][0]",
    "[i + T for i in (1, 2)][1]",
    "(lambda: T)()",
    "T + boom()",
    "(N T #N + T N)",
    "(#N T N)",
    "T + \\N T",
    "\\N T",
    "max(N T, #N T,N)",
)
TUPLES = ("T, T", "(T, T)", "T, T,", "(T), (T + T)", "((T), (T))", "(N T, #N -T, #N)", "T, (N T N)", "(z := T, T)")
PAIRS = (*TUPLES, "[T, T]", "[T, -T,]", "[N T, #N (T)N]")

WAYS = {
    "store": Way((*SCALARS, *TUPLES), storing(OUT), lambda r: [("o", r)]),
    "trailer": Way(SCALARS, storing(Target("o[...]", after=TRIPLED)), lambda r: [("o", r * 3)]),
    "argument": Way((*SCALARS, *TUPLES), storing(Target("o[...]", "w(", ", 1)")), lambda r: [("o", ("w", r, 1))]),
    "operand": Way(SCALARS, storing(Target("o[...]", "3 * ")), lambda r: [("o", r * 3)]),
    "pair": Way((*PAIRS, "pair(T, T)", "*[T], T"), storing((A, B)), lambda r: [("a", r[0]), ("b", r[1])]),
    "wrapped pair": Way(
        PAIRS,
        storing((Target("a[...]", after=TRIPLED), Target("b[...]", "w(", ", 2)"))),
        lambda r: [("a", r[0] * 3), ("b", ("w", r[1], 2))],
    ),
    "nested": Way(
        ("T, (T, T)", "(T), [T, T]", "[N T, #N (T, T)N]"),
        storing((OUT, (A, Target("b[...]", after=TRIPLED)))),
        lambda r: [("o", r[0]), ("a", r[1][0]), ("b", r[1][1] * 3)],
    ),
    "one": Way(("(T,)", "T,", "[T]", "(T),"), storing((OUT,)), lambda r: [("o", r[0])]),
    "element": Way(
        (
            "(T,)",
            "T,",
            "[T]",
            "[T,]",
            "(T),",
            "((T),)",
            "((T,))",
            "[z := T]",
            "(N T, #N)",
            "[#N T N]",
            "(max(NT, TN),)",
        ),
        lambda function, node: store_element(function, node, Target("o[...]", after=TRIPLED), through_finally=True),
        lambda r: [("o", r[0] * 3)],
    ),
    "dict": Way(
        (
            '{"p": T, "q": T}',
            "{'p' : (T), 'q': -T,}",
            '{N "p": T, #N "q": T #N}',
            "dict(p=T, q=T)",
            "dict(N p=T, #N q=T,N)",
        ),
        storing({"q": Target("out['q'][...]", after=TRIPLED), "p": P}),
        lambda r: [("out.p", r["p"]), ("out.q", r["q"] * 3)],
    ),
    "dict of one": Way(('{"q": T}', "({'q': T + T,})", "dict(q=T)"), storing({"q": Q}), lambda r: [("out.q", r["q"])]),
    "dict in a tuple": Way(
        ('T, {"q": T, "p": T}', '(T, {"q": T, #N "p": T})'),
        storing((OUT, {"p": P, "q": Q})),
        lambda r: [("o", r[0]), ("out.q", r[1]["q"]), ("out.p", r[1]["p"])],
    ),
    "keep": Way(
        ("T", "(T)", "(N T #N)", "[T, T]", "T + boom()", "\\N T"),
        lambda function, node: drop(function, node, keep_value=True),
        lambda r: [],
    ),
    "drop": Way(
        ('("dropped", 1)', '"dropped", "é😀"', '("dropped",N 1)', '"dropped", \\N 1'),
        lambda function, node: drop(function, node, keep_value=False),
        lambda r: [],
    ),
}


@dataclass
class Program:
    """A function `f` as text, how each of its returns is to be rewritten, and whether a `finally` returns."""

    random: random.Random = field(repr=False)
    ways: list[str] = field(default_factory=list)
    budget: int = 14
    calls: int = 0
    text: str = ""
    finally_returns: bool = False

    def one_of(self, *choices: Choice) -> Choice:
        return self.random.choice(choices)

    def write(self) -> Program:
        self.newline = self.one_of("\n", "\r\n")
        self.unit = self.one_of("    ", "  ", "\t")
        self.finally_returns = self.one_of(False, False, False, True)
        outer = self.one_of("", "# é\n\n", "if True:\n", "class C:\n  x = 1\n\n")
        indent = "" if outer in ("", "# é\n\n") else "  "
        header = self.one_of("def f(t, c, w, o, a, b, out):", "def f(\n  t, c, w,  # c:\n  *, o, a, b, out\n) :")
        body = self.suite(indent, depth=3, loop=False, docstring=self.one_of("", '"""D.\n\n  # é"""'))
        self.text = f"{outer}{indent}{header}{body}"
        if self.one_of(True, False, False):
            self.text = self.text.rstrip("\n")
        self.text = self.text.replace("\n", self.newline)
        return self

    def suite(self, indent: str, depth: int, loop: bool, docstring: str = "") -> str:
        """What stands behind a colon, up to the end of its last line."""
        if not docstring and self.one_of(True, False, False):
            return self.one_of(" ", "", "  ") + self.simple_line(loop) + "\n"
        inner = indent + self.unit
        lines = [inner + docstring] if docstring else []
        for _ in range(self.one_of(1, 2, 3)):
            lines += self.statement(inner, depth, loop)
        return self.comment() + "\n" + "\n".join(lines) + "\n"

    def statement(self, indent: str, depth: int, loop: bool) -> list[str]:
        """The lines of a statement, blank lines and comments before it."""
        self.budget -= 1
        lines = self.one_of([], [], [], [""], [f"{indent}# {{ c: \\"], ["", f"{indent}# d"])
        if depth == 0 or self.budget <= 0 or self.one_of(True, False):
            return [*lines, indent + self.simple_line(loop)]
        compound = self.one_of(
            self.if_statement, self.for_statement, self.while_statement, self.with_statement, self.try_statement,
            self.try_statement, self.match_statement, self.nested_function,
        )  # fmt: skip
        return [*lines, compound(indent, depth - 1, loop).rstrip("\n")]

    def simple_line(self, loop: bool) -> str:
        """Simple statements on one line."""
        count = self.one_of(1, 1, 1, 2)
        line = self.one_of("; ", ";", " ; ").join(self.simple(loop) for _ in range(count))
        return line + self.one_of("", "", "", ";") + self.comment()

    def simple(self, loop: bool) -> str:
        if self.one_of(True, False):
            return self.valued_return()
        effects = ("é = t(1)", "t(2)", "z = '# é😀'; t(3)", "t('''a\n# b''')", "boom()", "g = lambda: t(4)")
        return self.one_of(*effects, "return", *(["break", "continue"] if loop else []))

    def valued_return(self, *forms: str) -> str:
        way = "store" if self.finally_returns else self.one_of(*WAYS)
        self.ways.append(way)
        self.calls = len(self.ways) * CALLS_PER_RETURN
        value = self.one_of(*(forms or WAYS[way].values))
        gap = "" if value[0] in "([{'\"\\-" and self.one_of(True, False) else self.one_of(" ", "  ", "\t")
        parts = []
        for character in value:
            if character == "T":
                self.calls += 1
                parts.append(f"t({self.calls})")
            else:
                parts.append({"N": "\n ", "#": "# é, (:" if value[:1] != "'" else "#"}.get(character, character))
        return f"return{gap}{''.join(parts)}"

    def comment(self) -> str:
        return self.one_of("", "", "", "  # é: (", " # d;")

    def if_statement(self, indent: str, depth: int, loop: bool) -> str:
        text = f"{indent}if c():{self.suite(indent, depth, loop)}"
        for _ in range(self.one_of(0, 0, 1)):
            text += f"{indent}elif c() and (c(),\n 1):{self.suite(indent, depth, loop)}"
        return text + self.otherwise(f"{indent}else", indent, depth, loop)

    def for_statement(self, indent: str, depth: int, loop: bool) -> str:
        text = f"{indent}for i in range({self.one_of(0, 1, 2)}):{self.suite(indent, depth, True)}"
        return text + self.otherwise(f"{indent}else ", indent, depth, loop)

    def while_statement(self, indent: str, depth: int, loop: bool) -> str:
        text = f"{indent}while c():{self.suite(indent, depth, True)}"
        return text + self.otherwise(f"{indent}else", indent, depth, loop)

    def with_statement(self, indent: str, depth: int, loop: bool) -> str:
        manager = self.one_of("noting(t)", "noting(t) as m, noting(t)", "suppressing(t)")
        return f"{indent}with {manager}:{self.suite(indent, depth, loop)}"

    def try_statement(self, indent: str, depth: int, loop: bool) -> str:
        text = f"{indent}try:{self.suite(indent, depth, loop)}"
        clauses = self.one_of("except", "except else", "except", "except finally", "except else finally", "finally")
        if "except" in clauses:
            text += f"{indent}except Boom:{self.suite(indent, depth, loop)}"
        if "else" in clauses:
            text += f"{indent}else:{self.suite(indent, depth, loop)}"
        if "finally" in clauses:
            last = [indent + self.unit + "t(5)"]
            if self.finally_returns:
                last.append(indent + self.unit + self.valued_return("T", "(T)", "T, T"))
            text += f"{indent}finally:\n" + "\n".join(last) + "\n"
        return text

    def otherwise(self, header: str, indent: str, depth: int, loop: bool) -> str:
        """A last clause, or none."""
        return f"{header}:{self.suite(indent, depth, loop)}" if self.one_of(True, False) else ""

    def match_statement(self, indent: str, depth: int, loop: bool) -> str:
        inner = indent + self.unit
        text = f"{indent}match (c(), c()):\n{inner}case (True, _):{self.suite(inner, depth, loop)}"
        text += f"{inner}case [n, False] if (c() or\n n):{self.suite(inner, depth, loop)}"
        return text + self.otherwise(f"{inner}case _", inner, depth, loop)

    def nested_function(self, indent: str, depth: int, loop: bool) -> str:
        inner = indent + self.unit
        return (
            f"{indent}def g(x=t(6)):\n{inner}return t(7), x\n{indent}class D:\n{inner}def m(self): return 1\n"
            f"{indent}g()\n"
        )


class Boom(Exception):
    """What `boom` raises."""


@dataclass
class Run:
    """One run of a function on conditions."""

    conditions: list[bool]
    trace: list[Any] = field(default_factory=list)
    stores: list[tuple[str, Any]] = field(default_factory=list)

    def note(self, number: Any) -> Any:
        self.trace.append(number)
        return number

    def condition(self) -> bool:
        value = self.conditions.pop() if self.conditions else False
        self.trace.append(value)
        return value

    def of(self, function: Callable[..., Any]) -> tuple[str, Any]:
        """Calls `f`; how it ended, and with what."""
        refs = {name: Ref(name, self.stores) for name in ("o", "a", "b")}
        out = {name: Ref(f"out.{name}", self.stores) for name in "pq"}
        try:
            return "returned", function(self.note, self.condition, lambda v, n: ("w", v, n), out=out, **refs)
        except Boom:
            return "raised", None


def load(text: str) -> Callable[..., Any]:
    """The function `f` of a program."""
    namespace: dict[str, Any] = {"Boom": Boom, "boom": boom, "pair": lambda *pair: pair, **MANAGERS}
    exec(compile(text, "<program>", "exec"), namespace)
    return namespace["f"] if "f" in namespace else namespace["C"].__dict__["f"]  # type: ignore[no-any-return]


class Ref:
    """Notes what is stored."""

    def __init__(self, name: str, stores: list[tuple[str, Any]]) -> None:
        self.name = name
        self.stores = stores

    def __setitem__(self, index: object, value: object) -> None:
        assert index is ...
        self.stores.append((self.name, value))


def boom() -> int:
    raise Boom


class Noting:
    def __init__(self, note: Callable[[Any], Any]) -> None:
        self.note = note

    def __enter__(self) -> None:
        self.note("enter")

    def __exit__(self, kind: object, *_: object) -> bool | None:
        self.note("exit" if kind is None else "exit by exception")
        return None


class Suppressing(Noting):
    def __exit__(self, kind: object, *_: object) -> bool:
        super().__exit__(kind)
        return kind is not None


MANAGERS = {"noting": Noting, "suppressing": Suppressing}


def expected_stores(program: Program, ended: str, value: Any, trace: list[Any]) -> list[tuple[str, Any]]:
    """What the rewritten function has to store, given how the original ended."""
    if ended == "raised" or value is None or (isinstance(value, tuple) and value[0] == "dropped"):
        return []
    numbers = [note for note in trace if isinstance(note, int) and note >= CALLS_PER_RETURN]
    return WAYS[program.ways[numbers[-1] // CALLS_PER_RETURN - 1]].stores(value)


def rewritten(program: Program) -> str:
    tree = ast.parse(program.text)
    node = next(node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == "f")
    function = FunctionSource(SourceText(program.text), 0, node)
    returns = returns_of(function)
    rewrites = [WAYS[way].rewrite(function, node) for way, node in zip(program.ways, returns, strict=True)]
    return applied(program.text, combine(*rewrites))


# True randomness: choices that hypothesis makes one by one are far from uniform, and most ways would be rare.
PROGRAMS = st.randoms(use_true_random=True).map(lambda source: Program(source).write())


@examples(600)
@given(PROGRAMS)
def test_the_rewritten_function_stores_what_the_original_returned(program: Program) -> None:
    after = rewritten(program)
    assert comments(after) == comments(program.text)
    assert program.newline == "\n" or after.count("\r\n") == after.count("\n")
    plain, storing_one = load(program.text), load(after)
    for seed in range(12):
        conditions = random.Random(seed).choices([True, False], k=seed * 2)
        original, kernel = Run(list(conditions)), Run(list(conditions))
        ended, value = original.of(plain)
        assert kernel.of(storing_one) == (ended, None)
        assert kernel.trace == original.trace
        expected = expected_stores(program, ended, value, original.trace)
        assert (kernel.stores[-1:] if program.finally_returns else kernel.stores) == expected

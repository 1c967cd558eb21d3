"""Kernels written as pure functions, at random: they return their results, in many layouts.

Each program says by itself what it should compute: its kernel, called with arrays, is that pure function.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from hypothesis import strategies as st

from tests.properties.choices import Chooser, Draw

HEADER = """\
import functools
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import lax
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

FLAG = {flag}
MODE = "{mode}"
F32 = jax.ShapeDtypeStruct({shape}, jnp.float32)
BF16 = jax.ShapeDtypeStruct({shape}, jnp.bfloat16)
I32 = jax.ShapeDtypeStruct({shape}, jnp.int32)


class Point(NamedTuple):
    a: object
    b: object


def double(v):
    return v * 2


def pair(a, b):
    return a, b

"""

DTYPES = {"BF16": "jnp.bfloat16", "I32": "jnp.int32"}
"""Output types that a value has to be cast to."""

LEAVES = (
    "<read>",
    "<read> + 1",
    "<value> * <read>",
    "-<read>",
    "<read> ** 2",
    "jnp.abs(<value>)",
    "jnp.sin(<value>)",
    "jnp.where(<read> > 2, <value>, <read>)",
    "double(<value>)",
    "(lambda v: v + 1)(<value>)",
    "lax.fori_loop(0, 2, lambda i, c: c * 2, <value>)",
    "(<new> := <value>)",
    "jnp.maximum(<read>, <value>)",
    "(<value> if FLAG else <read>)",
    "jnp.stack([<read>, <value>]).sum(axis=0)",
    "pair(<value>, <read>)[0]",
    "{'# k': <value>}['# k']",
    "[<value> for _ in range(1)][0]",
    "scale * <value>",
)
"""Arrays; each element depends on the same element of the inputs, so that blocks make no difference."""

MIXING = ("<read> - <read>.mean()", "jnp.cumsum(<value>)", "<read>.sum() + <read>", "jax.nn.softmax(<value>)")
"""Arrays whose elements depend on all elements: for kernels that see the whole input."""

TREES: dict[str, tuple[str, list[str]]] = {
    "one": ("{0}", ["o_ref"]),
    "pair": ("({0}, {1})", ["a_ref", "b_ref"]),
    "list": ("[{0}, {1}]", ["a_ref", "b_ref"]),
    "three": ("({0}, {1}, {2})", ["a_ref", "b_ref", "c_ref"]),
    "four": ("[{0}, {1}, {2}, {3}]", ["a_ref", "b_ref", "c_ref", "d_ref"]),
    "list of one": ("[{0}]", ["o_ref"]),
    "dict": ('{{"p": {0}, "q": {1}}}', ["out"]),
    "dict of one": ('{{"p": {0}}}', ["out"]),
    "nested": ("({0}, ({1}, {2}))", ["a_ref", "bc_refs"]),
    "dict in tuple": ('({0}, {{"p": {1}, "q": {2}}})', ["o_ref", "out"]),
    "named": ("Point({0}, {1})", ["a_ref", "b_ref"]),
}
"""Output structures: `out_shape` with holes, and the parameters."""

DISPLAYS: dict[str, Sequence[str]] = {
    "one": ("{0}", "({0})", "(N{0}N)", "(  # why N{0}  # what N)"),
    "pair": (
        "{0}, {1}",
        "({0}, {1})",
        "[{0}, {1}]",
        "(N{0},N{1},N)",
        "(N{0},  # first N{1},  # second N)",
        "pair({0}, {1})",
    ),
    "three": ("{0}, {1}, {2}", "({0},N{1}, {2})", "[{0}, {1}, {2},]", "(*pair({0}, {1}), {2})"),
    "four": ("{0}, {1}, {2}, {3}", "(N{0},N{1},N{2},N{3},N)", "[*pair({0}, {1}), *pair({2}, {3})]"),
    "list of one": ("[{0}]", "({0},)", "{0},", "[N{0},N]"),
    "dict": (
        '{{"p": {0}, "q": {1}}}',
        '{{"q": {1}, "p": {0}}}',
        "dict(p={0}, q={1})",
        '{{N"p": {0},N"q": {1},  # both N}}',
        "{{'p': ({0}), 'q': ({1})}}",
    ),
    "dict of one": ('{{"p": {0}}}', "dict(p={0})", '{{N"p": {0},N}}'),
    "nested": ("{0}, ({1}, {2})", "({0}, [{1}, {2}])", "(N{0},N({1}, {2}),N)", "{0}, pair({1}, {2})"),
    "dict in tuple": ('{0}, {{"p": {1}, "q": {2}}}', '({0}, {{"q": {2}, "p": {1}}})'),
    "named": ("Point({0}, {1})", "Point(a={0}, b={1})", "{0}, {1}"),
}
"""How a result is written, with holes for its leaves; `N` is a line break. `pair` is also that of `list`."""


@dataclass(frozen=True)
class Program:
    """A program whose kernel returns its results.

    Args:
      text: of the module; `run()` launches the kernel.
      pure: an expression for the kernel with its configuration.
      arguments: what the pure function is called with: one expression for each parameter that is left.
      casts: the output type of each leaf.
      plain: whether nothing but `return` and brackets is to go from the text.
    """

    text: str
    pure: str
    arguments: tuple[str, ...]
    plain: bool


@dataclass
class Writer(Chooser):
    """Writes one program.

    Args:
      tree: the output structure.
      casts: the type of each output leaf.
      mixing: whether elements may depend on each other.
      reads: expressions for arrays at hand.
      unit: what one level of indentation is.
      scale: the text of a factor that is known while tracing.
    """

    tree: str = "one"
    casts: list[str] = field(default_factory=list)
    mixing: bool = True
    reads: list[str] = field(default_factory=list)
    unit: str = "    "
    scale: str = "2"
    budget: int = 8

    def write(self) -> Program:
        self.tree = self.choose("one", "one", *TREES)
        shape, outputs = TREES[self.tree]
        leaves = shape.count("{") - 2 * shape.count("{{")
        self.casts = [self.choose("F32", "F32", "F32", "BF16", "I32") for _ in range(leaves)]
        self.unit = self.choose("    ", "  ", "\t")
        layout = self.choose("whole", "blocks", "rows")
        self.mixing = layout == "whole"
        as_arrays = self.rarely() and layout == "whole"
        inputs = self.choose(["x_ref"], ["x_ref", "y_ref"])
        if as_arrays:
            inputs = [name.removesuffix("_ref") for name in inputs]
            outputs = []
        self.reads = list(inputs) if as_arrays else [f"{name}[...]" for name in inputs]
        scratch = self.choose([], [], ["acc_ref"]) if not as_arrays else []
        text, pure, spare = self.choose(*FORMS)(self, [*inputs, *outputs, *scratch])
        launch = self.launch(pure, shape.format(*self.casts), layout, len(inputs), scratch)
        size = {"whole": "(8,)", "blocks": "(8,)", "rows": "(2, 8)"}[layout]
        header = HEADER.format(flag=self.choose(True, False), mode=self.choose("fast", "slow"), shape=size)
        whole = f"{header}\n{text}\n\n{launch}"
        if self.rarely():
            whole = whole.replace("\n", "\r\n")
        arrays = [f"jnp.arange({16 if layout == 'rows' else 8}.0).reshape({size})", f"jnp.full({size}, 3.0)"]
        arguments = [*spare, *arrays[: len(inputs)], *["None"] * (len(outputs) + len(scratch))]
        plain = not re.search(r"dict|-> |Point|\"p\"|'p'|= lambda", text)
        return Program(whole, pure, tuple(arguments), plain)

    def launch(self, kernel: str, shape: str, layout: str, inputs: int, scratch: list[str]) -> str:
        """The `run()` of the program."""
        options = [f"out_shape={shape}"]
        size = "(2, 8)" if layout == "rows" else "(8,)"
        if layout != "whole":
            block, index = ("(4,)", "(i,)") if layout == "blocks" else ("(None, 8)", "(i, 0)")
            spec = f"pl.BlockSpec({block}, lambda i: {index})"
            specs = re.sub(r"\b(F32|BF16|I32)\b", lambda _: spec, shape)
            options += [f"in_specs=[{', '.join([spec] * inputs)}]", f"out_specs={specs}", "grid=(2,)"]
        if scratch:
            options.append("scratch_shapes=[pltpu.VMEM((8,), jnp.float32)]")
        arrays = [f"jnp.arange({16 if layout == 'rows' else 8}.0).reshape({size})", f"jnp.full({size}, 3.0)"][:inputs]
        call = f"pl.pallas_call({kernel}, {', '.join(options)}, interpret=True)"
        if self.choose(True, False):
            return f"def run():\n    return {call}({', '.join(arrays)})\n"
        return f"def run():\n    call = {call}\n    return call({', '.join(arrays)})\n"

    # -- expressions -------------------------------------------------------------------------------------------------

    def leaf(self) -> str:
        """An array, without a cast."""
        if self.often():
            return self.fill(self.choose(*LEAVES[:4]))
        return self.fill(self.choose(*LEAVES, *(MIXING if self.mixing else ())))

    def fill(self, template: str) -> str:
        text = re.sub(r"<(\w+)>", lambda hole: HOLES[hole[1]](self), template)
        return text.replace("scale", self.scale)

    def cast(self, value: str, output: str) -> str:
        """A value as one of an output type; a Ref that is not read has no methods."""
        if output not in DTYPES:
            return value
        if value in self.reads and not value.endswith("[...]"):
            return f"jnp.asarray({value}, {DTYPES[output]})"
        return f"({value}).astype({DTYPES[output]})"

    def result(self, inside: str) -> list[str]:
        """Statements that return the whole result; lines after the first are indented by `inside` already."""
        leaves = [self.cast(self.leaf(), name) for name in self.casts]
        displays = DISPLAYS["pair" if self.tree == "list" else self.tree]
        value = self.choose(*displays).format(*leaves)
        bare = not value.startswith(("(", "[", "{"))
        value = value.replace("N", f"\n{inside}{self.unit}")
        comment = self.choose("", "", "", "  # the result")
        style = self.choose("plain", "plain", "variable", "tight", "backslash", "semicolon", "parentheses")
        if style == "variable":
            name = self.new("result")
            return [f"{name} = {value}", f"return {name}{comment}"]
        if style == "tight" and not bare:
            return [f"return{value}{comment}"]
        if style == "backslash":
            return [f"return \\\n{inside}{self.unit}{value}"]
        if style == "semicolon":
            return [
                f"{self.new('unused')} = 0; return {value}{comment}",
            ]
        if style == "parentheses":
            return [f"return ({value}){comment}"]
        return [f"return {value}{comment}"]

    # -- statements: each method gives lines; lines of inner blocks start with an indentation ------------------------

    def statements(self, depth: int, inside: str, *, last: bool) -> list[str]:
        """A few statements; the last ones return when `last` says so."""
        lines: list[str] = []
        for _ in range(self.choose(0, 1, 2)):
            self.budget -= 1
            if depth > 0 and self.budget > 0 and self.choose(False, True):
                lines += self.choose(*COMPOUNDS)(self, depth - 1, inside)
            elif self.choose(True, False):
                name, value = self.new(), self.leaf()
                lines.append(self.choose(f"{name} = {value}", f"{name} = {value}  # note", f"{name} = ({value})"))
                self.reads.append(name)
            else:
                lines.append(
                    self.choose("# about what follows", "pass", "", '"""text"""', f"assert {self.reads[0]} is not None")
                )
        if last:
            lines += self.choose(Writer.ending, Writer.ending, Writer.branches)(self, inside)
        return lines

    def ending(self, inside: str) -> list[str]:
        return self.result(inside)

    def branches(self, inside: str) -> list[str]:
        """An `if` or a `match` of which every branch returns."""
        inner = inside + self.unit
        first, second = self.returning(inner), self.returning(inner)
        if self.choose(True, False):
            return [f"if {self.condition()}:", *first, "else:", *second]
        cases = [f"{self.unit}{line}" for line in ("case 'fast':", *first, "case _:", *second)]
        return ["match MODE:", *cases]

    def block(self, depth: int, inside: str, *, last: bool = False) -> list[str]:
        """An indented block; variables made in it are not used behind it."""
        known = list(self.reads)
        lines = self.statements(depth, inside + self.unit, last=last)
        self.reads = known
        if all(not line or line.startswith("#") for line in lines):
            lines.append("pass")
        return [f"{self.unit}{line}" if line else "" for line in lines]

    def returning(self, inside: str) -> list[str]:
        known = list(self.reads)
        lines = self.result(inside)
        self.reads = known
        return [f"{self.unit}{line}" for line in lines]

    def condition(self) -> str:
        return self.choose("FLAG", "not FLAG", 'MODE == "fast"', "FLAG and MODE", "len(MODE) > 3")

    def if_returns(self, depth: int, inside: str) -> list[str]:
        if self.choose(True, False):
            return [f"if {self.condition()}:", *self.block(depth, inside, last=True)]
        return [f"if {self.condition()}: {self.one_line()}"]

    def one_line(self) -> str:
        leaves = [self.cast(self.fill(self.choose(*LEAVES[:4])), name) for name in self.casts]
        return "return " + DISPLAYS["pair" if self.tree == "list" else self.tree][0].format(*leaves)

    def elif_returns(self, depth: int, inside: str) -> list[str]:
        first, second = self.block(depth, inside, last=True), self.block(depth, inside, last=True)
        return [f"if {self.condition()}:", *first, f"elif {self.condition()}:", *second]

    def for_returns(self, depth: int, inside: str) -> list[str]:
        index = self.new("i")
        inner = self.block(depth, inside + self.unit, last=True)
        return [f"for {index} in range(2):", f"{self.unit}if {index} == 1:", *(f"{self.unit}{line}" for line in inner)]

    def while_returns(self, depth: int, inside: str) -> list[str]:
        index = self.new("i")
        inner = self.block(depth, inside + self.unit, last=True)
        count = [f"{index} = 0", f"while {index} < 2:", f"{self.unit}{index} += 1", f"{self.unit}if {index} == 2:"]
        return [*count, *(f"{self.unit}{line}" for line in inner)]

    def with_returns(self, depth: int, inside: str) -> list[str]:
        lines = ['with jax.named_scope("part"):', f"{self.unit}if {self.condition()}:"]
        inner = self.block(depth, inside + self.unit, last=True)
        return [*lines, *(f"{self.unit}{line}" for line in inner)]

    def try_returns(self, depth: int, inside: str) -> list[str]:
        return ["try:", *self.block(depth, inside, last=True), "except ZeroDivisionError:", f"{self.unit}pass"]

    def nested(self, depth: int, inside: str) -> list[str]:
        """A function of its own, whose `return` stays."""
        name, parameter = self.new("inner"), self.new("p")
        value = self.leaf()
        lines = [f"def {name}({parameter}):", f"{self.unit}return {value} + {parameter}"]
        call = f"{name}({self.choose(*self.reads)})"
        result = self.new()
        self.reads.append(result)
        return [*lines, f"{result} = {call}"]

    # -- forms: the text of the kernel, an expression for it, and arguments before the inputs for the pure function ---

    def definition(self, name: str, parameters: Sequence[str], outside: str = "", first: Sequence[str] = ()) -> str:
        """The kernel as a `def`, as one line now and then."""
        annotation = self.choose("", "", "", " -> jax.Array") if self.tree == "one" else ""
        header = f"{outside}def {name}({', '.join([*first, *parameters])}){annotation}:"
        if not outside and self.rarely():
            return f"{header} {self.one_line()}\n"
        inside = outside + self.unit
        docstring = self.choose([], [], ['"""What it computes."""'])
        lines = [*docstring, *self.statements(2, inside, last=True)]
        comment = self.choose("", "", "  # in blocks")
        return f"{header}{comment}\n" + "".join(f"{inside}{line}\n" if line else "\n" for line in lines)

    def plain(self, parameters: list[str]) -> tuple[str, str, list[str]]:
        return self.definition("kernel", parameters), "kernel", []

    def partial_keyword(self, parameters: list[str]) -> tuple[str, str, list[str]]:
        self.scale = "scale"
        return self.definition("kernel", [*parameters, "*", "scale"]), "functools.partial(kernel, scale=2.0)", []

    def partial_position(self, parameters: list[str]) -> tuple[str, str, list[str]]:
        self.scale = "scale"
        return self.definition("kernel", ["scale", *parameters]), "functools.partial(kernel, 2.0)", []

    def factory(self, parameters: list[str]) -> tuple[str, str, list[str]]:
        self.scale = "scale"
        inner = self.definition("kernel", parameters, self.unit)
        return f"def make(scale):\n{inner}{self.unit}return kernel\n", "make(2.0)", []

    def method(self, parameters: list[str]) -> tuple[str, str, list[str]]:
        self.scale = "self.factor"
        name = self.choose("kernel", "__call__")
        inner = self.definition(name, parameters, self.unit, ["self"])
        start = f"class Kernel:\n{self.unit}def __init__(self, factor):\n{self.unit * 2}self.factor = factor\n\n"
        return f"{start}{inner}", "Kernel(2.0)" if name == "__call__" else "Kernel(2.0).kernel", []

    def static_method(self, parameters: list[str]) -> tuple[str, str, list[str]]:
        inner = self.definition("kernel", parameters, self.unit)
        return f"class Kernel:\n{self.unit}@staticmethod\n{inner}", "Kernel.kernel", []

    def starred(self, parameters: list[str]) -> tuple[str, str, list[str]]:
        """All Refs in one parameter; only for kernels with output Refs."""
        if len(parameters) == len(self.reads):
            return self.plain(parameters)
        text = self.definition("kernel", ["*refs"])
        header, _, body = text.partition("\n")
        if not body:
            return self.plain(parameters)
        return f"{header}\n{self.unit}{', '.join(parameters)}, = refs\n{body}", "kernel", []

    def wrapped(self, parameters: list[str]) -> tuple[str, str, list[str]]:
        """Handed on by a lambda."""
        self.scale = "scale"
        text = self.definition("kernel", [*parameters, "scale"])
        return text, f"(lambda {', '.join(parameters)}: kernel({', '.join(parameters)}, 2.0))", []

    def bare_lambda(self, parameters: list[str]) -> tuple[str, str, list[str]]:
        """A lambda in a variable."""
        value = self.one_line().removeprefix("return ")
        value = value if self.tree == "one" else f"({value})"
        return f"kernel = lambda {', '.join(parameters)}: {value}\n", "kernel", []


COMPOUNDS: tuple[Callable[[Writer, int, str], list[str]], ...] = (
    Writer.if_returns,
    Writer.if_returns,
    Writer.elif_returns,
    Writer.for_returns,
    Writer.while_returns,
    Writer.with_returns,
    Writer.try_returns,
    Writer.nested,
)

HOLES: dict[str, Callable[[Writer], str]] = {
    "read": lambda writer: str(writer.choose(*writer.reads)),
    "value": Writer.leaf,
    "new": Writer.new,
}

FORMS: tuple[Callable[[Writer, list[str]], tuple[str, str, list[str]]], ...] = (
    Writer.plain,
    Writer.plain,
    Writer.plain,
    Writer.partial_keyword,
    Writer.partial_position,
    Writer.factory,
    Writer.method,
    Writer.static_method,
    Writer.starred,
    Writer.wrapped,
    Writer.bare_lambda,
)


@st.composite
def programs(draw: Draw) -> Program:
    """A program whose kernel returns its results."""
    return Writer(draw).write()

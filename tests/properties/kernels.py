"""Pallas programs made at random: kernels in many forms, some of which return a value.

Every condition in them is decided by what the text says, so that which `return` is reached is no matter of chance.
Whether it is one that JAX refuses is for JAX to say: programs are not made with an answer in mind.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import jax
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

X = jnp.arange(8.0)
OUT = jax.ShapeDtypeStruct((8,), jnp.float32)
"""

RECENT = jax.__version_info__ >= (0, 10, 1)
"""Whether JAX takes scratch memory as a dict, `out_type` in `pl.kernel`, and a carry in `pl.loop`."""

HELPERS = {
    "double": "def double(v):\n    return v * 2\n",
    "store": "def store(ref, v):\n    ref[...] = v\n",
    "nothing": "def nothing(*values):\n    for value in values:\n        del value\n",
    "same": "def same(value):\n    return value\n",
    "maybe": "def maybe(wanted, value):\n    if wanted:\n        return value\n",
    "pair": "def pair(a, b):\n    return a, b\n",
    "first": "def first(*values, default=None):\n    return values[0] if values else default\n",
    "apply": "def apply(function, *arguments):\n    return function(*arguments)\n",
    "forwards": (
        "def forwards(function):\n    @functools.wraps(function)\n    def wrapper(*arguments, **keywords):\n"
        "        return function(*arguments, **keywords)\n    return wrapper\n"
    ),
    "silences": (
        "def silences(function):\n    @functools.wraps(function)\n    def wrapper(*arguments, **keywords):\n"
        "        function(*arguments, **keywords)\n    return wrapper\n"
    ),
    "launch": (
        "def launch(body, *arrays, **options):\n    return pl.pallas_call(body, interpret=True, **options)(*arrays)\n"
    ),
    "Point": "class Point(NamedTuple):\n    a: object\n    b: object\n",
}
"""Functions that programs call; each is written where it is used."""

STATICS: dict[str, Sequence[object]] = {
    "flag": (True, False),
    "size": (1, 0, 2),
    "mode": ("fast", "slow"),
    "option": (None, 2.0),
}
"""What a kernel may be configured with."""

TESTS: dict[str, Sequence[tuple[str, Callable[[Any], bool]]]] = {
    "flag": (("{}", bool), ("not {}", operator.not_)),
    "size": (("{} > 1", lambda size: size > 1), ("{} == 0", lambda size: size == 0)),
    "mode": (('{} == "fast"', lambda mode: mode == "fast"), ('{} != "slow"', lambda mode: mode != "slow")),
    "option": (("{} is None", lambda option: option is None), ("{} is not None", lambda option: option is not None)),
}
"""What may be asked about that, and the answer."""

OUTPUTS = {
    "leaf": ("OUT", ["o_ref"], ["o_ref"]),
    "list of one": ("[OUT]", ["o_ref"], ["o_ref"]),
    "pair": ("(OUT, OUT)", ["a_ref", "b_ref"], ["a_ref", "b_ref"]),
    "dict": ('{"p": OUT, "q": OUT}', ["out"], ['out["p"]', 'out["q"]']),
    "nested": ("(OUT, [OUT, OUT])", ["a_ref", "bc_refs"], ["a_ref", "bc_refs[0]", "bc_refs[1]"]),
}
"""`out_shape`, the parameters for it, and the text of each output Ref."""


ARRAYS = (
    "<leaf>",
    "<inner> + 1.0",
    "jnp.exp(<inner>)",
    "(<inner> * <leaf>)",
    "jnp.where(<leaf> > 0, <inner>, 0.0)",
    "double(<inner>)",
    "same(<inner>)",
    "first(<inner>)",
    "apply(jnp.sin, <inner>)",
    "(lambda v: v + 1.0)(<inner>)",
    "jax.vmap(lambda v: v * 2)(<inner>)",
    "lax.fori_loop(0, 2, lambda i, c: c + 1.0, <inner>)",
    "lax.cond(<leaf>[0] > 0, lambda: <inner>, lambda: <leaf>)",
    "[<inner>, <leaf>][0]",
    "{'k': <inner>}['k']",
    "pair(<inner>, <leaf>)[0]",
    "(<inner>).astype(jnp.float32)",
    "(<inner>).reshape(<block>)",
    "jax.jit(lambda v: v + 2.0)(<inner>)",
    "sum([<inner>, <leaf>])",
    "(<inner> if <condition> else <leaf>)",
)
"""Arrays of one block. What stands in angle brackets is a hole; see `HOLES`."""

NOTHINGS = (
    "None",
    "store(<output>, <array>)",
    "<output>.set(<array>)",
    "<output>.__setitem__(..., <array>)",
    "nothing(<array>)",
    "same(None)",
    "maybe(False, <array>)",
    "maybe(<false>, <array>)",
    "first()",
    "(<new> := None)",
    "(None if <condition> else None)",
    "(<array> if <false> else None)",
    "(None if <true> else <array>)",
    "(store(<output>, <array>) or None)",
    "(None and <array>)",
    "(lambda: None)()",
    "lax.fori_loop(0, 2, lambda i, c: None, None)",
    "lax.cond(<leaf>[0] > 0, lambda: None, lambda: None)",
    "lax.cond(<leaf>[0] > 0, lambda: store(<output>, <array>), lambda: None)",
    "pl.run_scoped(lambda t: None, pltpu.VMEM((<block>,), jnp.float32))",
    "pl.run_scoped(lambda t: store(t, <array>), pltpu.VMEM((<block>,), jnp.float32))",
    'jax.debug.print("traced")',
    "jax.tree.map(lambda leaf: leaf, None)",
    "apply(store, <output>, <array>)",
    "functools.partial(store, <output>)(<array>)",
    "[None][0]",
    "{'k': None}.get('k')",
    "pair(None, <array>)[0]",
    "Point(None, <array>).a",
)
"""Expressions that are None."""

VALUES = (
    "<array>",
    "<array>",
    "<array>",
    "(<array>, <array>)",
    "[<array>]",
    '{"k": <array>}',
    "(<array>,)",
    "()",
    "{}",
    "(None, None)",
    "[None]",
    "0",
    "1.5",
    "True",
    "<leaf>.sum()",
    "<ref>.shape",
    "jnp.zeros((8,))",
    "(<new> := <array>)",
    "(<array> if <true> else None)",
    "(None if <false> else <array>)",
    "maybe(True, <array>)",
    "maybe(<true>, <array>)",
    "pair(<array>, None)",
    "Point(<array>, <array>)",
    "tuple(double(v) for v in (<array>, <array>))",
    "[v + 1.0 for v in (<array>,)]",
    "lax.scan(lambda c, v: (c + v, None), 0.0, <array>)",
    "pl.run_scoped(lambda t: <array>, pltpu.VMEM((<block>,), jnp.float32))",
    "jax.tree.map(lambda leaf: leaf * 2, (<array>, None))",
    "first(<array>, None)",
    "dict(k=<array>)",
    "len((1, 2))",
    "(<none>, <array>)",
    "(None or <array>)",
    "<returnable>",
)
"""Expressions that are objects other than None, and that JAX takes as results of some functions."""

STRANGE = ('"done"', "<ref>.dtype", "(lambda: 1.0)", "slice(0, 4)", "(<array>, 'done')", "range(2)", "...")
"""Expressions for objects that JAX takes as the result of no function."""

SIMPLE = (
    "<output>[...] = <array>",
    "<output>[...] = <array>",
    "store(<output>, <array>)",
    "<output>.set(<array>)",
    "<none>",
    "pass",
    "assert <ref>.ndim == 1",
    "<output>[...] = <array>; <output>[...] += 1.0",
)
"""Statements on one line."""


@dataclass(frozen=True)
class Condition:
    """A condition on what is known while the kernel is traced."""

    text: str
    holds: bool


@dataclass
class Writer(Chooser):
    """Writes one program.

    Args:
      block: the length of a block; 8 is the whole array, 4 makes a grid of two.
      statics: what the kernel is configured with, by the text that denotes it in the kernel.
      arrays: expressions for arrays at hand: Refs that are read, local variables.
      jitted: whether the kernel is traced by itself, so that it cannot return a Ref.
      starred: whether the kernel takes no keyword arguments.
      scoped: whether this is a body whose result JAX itself takes.
      repeated: whether this is in a loop, where nothing is returned.
      opaque: whether the configuration is only known to who calls a factory.
    """

    block: int = 8
    budget: int = 12
    statics: dict[str, object] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    arrays: list[str] = field(default_factory=list)
    refs: list[str] = field(default_factory=list)
    outputs: list[str] = field(default_factory=list)
    jitted: bool = False
    starred: bool = False
    scoped: bool = False
    repeated: bool = False
    opaque: bool = False

    # -- the whole program -------------------------------------------------------------------------------------------

    def write(self) -> str:
        """The text of a program with a `run()`."""
        self.block = self.choose(8, 8, 4)
        self.statics = {name: self.choose(*values) for name, values in STATICS.items() if self.often()}
        shape, parameters, self.outputs = OUTPUTS[self.choose("leaf", *OUTPUTS)]
        inputs = self.choose(["x_ref"], ["x_ref", "y_ref"])
        prefetch = ["s_ref"] if self.block == 4 and self.rarely() else []
        scratch = self.choose([], [], ["acc_ref"])
        self.arrays = [f"{name}[...]" for name in inputs]
        self.refs = [*inputs, *self.outputs, *scratch]
        refs = [*prefetch, *inputs, *parameters, *scratch]
        form = self.choose(*FORMS)
        kernel, expression = form(self, refs)
        options = [f"out_shape={shape}", *self.specs(shape, len(inputs), bool(prefetch), scratch)]
        arguments = ["jnp.zeros(2, jnp.int32)"] * len(prefetch) + ["X", "X + 1.0"][: len(inputs)]
        launches = [*LAUNCHES, Writer.mesh_kernel] if self.block == 8 and not scratch and RECENT else LAUNCHES
        launch = self.choose(*launches)(self, expression, options, ", ".join(arguments))
        used = [text for name, text in HELPERS.items() if re.search(rf"\b{name}\b", kernel + launch)]
        return "\n".join(part for part in (HEADER, *used, kernel, launch) if part)

    def specs(self, shape: str, inputs: int, prefetch: bool, scratch: list[str]) -> list[str]:
        """The options for the grid, the blocks and the scratch memory."""
        memory = f"[pltpu.VMEM(({self.block},), jnp.float32)]" if scratch else ""
        if self.block == 8:
            named = '{"acc_ref": pltpu.VMEM((8,), jnp.float32)}'
            return (
                [f"scratch_shapes={memory if self.starred or not RECENT else self.choose(memory, named)}"]
                if scratch
                else []
            )
        index_map = "lambda i, s: (i,)" if prefetch else "lambda i: (i,)"
        spec = f"pl.BlockSpec((4,), {index_map})"
        parts = [f"in_specs=[{', '.join([spec] * inputs)}]", f"out_specs={shape.replace('OUT', spec)}", "grid=(2,)"]
        parts += [f"scratch_shapes={memory}"] if scratch else []
        if prefetch:
            return [f"grid_spec=pltpu.PrefetchScalarGridSpec(num_scalar_prefetch=1, {', '.join(parts)})"]
        return [f"grid_spec=pl.GridSpec({', '.join(parts)})"] if self.rarely() else parts

    def given(self, refer: Callable[[str], str] = str) -> None:
        """Says how the kernel's text denotes what it is configured with."""
        self.names = {name: refer(name) for name in self.statics}

    def settings(self, separator: str = ", ") -> str:
        """What the kernel is configured with, as keyword arguments."""
        return separator.join(f"{name}={value!r}" for name, value in self.statics.items())

    # -- conditions and expressions ----------------------------------------------------------------------------------

    def fill(self, template: str) -> str:
        """The text of a template, each hole made anew."""
        return re.sub(r"<(\w+)>", lambda hole: HOLES[hole[1]](self), template)

    def decision(self) -> Condition:
        """A condition that is decided while tracing."""
        if self.rarely():
            first, second = self.decision(), self.decision()
            return self.choose(
                Condition(f"({first.text} and {second.text})", first.holds and second.holds),
                Condition(f"({first.text} or {second.text})", first.holds or second.holds),
                Condition(f"(not {first.text})", not first.holds),
            )
        options = [Condition("True", True)]
        if self.outputs[0].isidentifier():
            options.append(Condition(f"{self.outputs[0]}.shape[0] == {self.block}", True))
            options.append(Condition(f"{self.outputs[0]}.ndim == 2", False))
        for name, value in self.statics.items():
            for template, test in TESTS[name]:
                options.append(Condition(template.format(self.names[name]), test(value)))
        return self.choose(*options)

    def condition(self) -> str:
        return self.decision().text

    def true(self) -> str:
        decision = self.decision()
        return decision.text if decision.holds else f"not {decision.text}"

    def false(self) -> str:
        decision = self.decision()
        return f"not {decision.text}" if decision.holds else decision.text

    def leaf(self) -> str:
        return self.choose(*self.arrays)

    def output(self) -> str:
        return self.choose(*self.outputs)

    def array(self) -> str:
        """An expression for an array of one block."""
        return self.fill(self.choose(*ARRAYS)) if self.rarely() else self.leaf()

    def none(self) -> str:
        """An expression that is None."""
        return self.fill(self.choose(*NOTHINGS))

    def value(self) -> str:
        """An expression that is an object other than None."""
        return self.fill(self.choose(*VALUES, *([] if self.scoped else STRANGE)))

    def returnable(self) -> str:
        """What only some kernels can return: Refs, and numbers of the grid."""
        options = [] if self.jitted else [self.refs[0], self.outputs[0], f"{self.outputs[0]}[...]"]
        options += ["pl.program_id(0)", "pl.num_programs(0)"] if self.block == 4 else []
        return self.choose(*options, self.leaf())

    # -- statements --------------------------------------------------------------------------------------------------

    def returns(self) -> str:
        """A `return`."""
        return self.choose(lambda: f"return {self.value()}", lambda: "return", lambda: f"return {self.none()}")()

    def simple(self) -> str:
        """A statement without a block."""
        if self.choose(False, False, True):
            name, array = self.new(), self.array()
            self.arrays.append(name)
            return self.choose(f"{name} = {array}", f"{name}: jax.Array = {array}", f"{name}, _ = {array}, 0")
        return self.fill(self.choose(*SIMPLE))

    def block_of(self, depth: int) -> list[str]:
        """Statements, indented once more; variables made in them are not used behind them."""
        known = list(self.arrays)
        lines = self.statements(depth)
        self.arrays = known
        return [f"    {line}" for line in lines]

    def statements(self, depth: int, last: bool = False) -> list[str]:
        """A few statements; the last one may be a `return`."""
        lines: list[str] = []
        for _ in range(self.choose(1, 2, 3)):
            self.budget -= 1
            if depth > 0 and self.budget > 0 and self.choose(False, True):
                lines += self.choose(*COMPOUNDS)(self, depth - 1)
            else:
                lines.append(self.simple())
        if not self.repeated and (last or self.rarely()):
            lines += [self.returns()] if self.often() else []
        return lines

    def if_statement(self, depth: int) -> list[str]:
        lines = [f"if {self.condition()}:", *self.block_of(depth)]
        if self.rarely():
            lines += [f"elif {self.condition()}:", *self.block_of(depth)]
        if self.choose(False, True):
            lines += ["else:", *self.block_of(depth)]
        return lines

    def guard(self, depth: int) -> list[str]:
        leaves = self.simple() if self.repeated else self.returns()
        return [f"if {self.condition()}:", f"    {leaves}"]

    def for_statement(self, depth: int) -> list[str]:
        values = self.choose("range(2)", "(1, 2)", "range(1)")
        outer, self.repeated = self.repeated, True
        lines = [f"for {self.new('i')} in {values}:", *self.block_of(depth)]
        self.repeated = outer
        return lines

    def while_statement(self, depth: int) -> list[str]:
        return ["while True:", *self.block_of(depth), "    break"]

    def with_statement(self, depth: int) -> list[str]:
        return ['with jax.named_scope("part"):', *self.block_of(depth)]

    def try_statement(self, depth: int) -> list[str]:
        """One whose handler runs, or surely leaves; whether a body raises is more than the text says."""
        clause = self.choose("finally", "reraises", "raises", "else")
        body = self.block_of(depth)
        if clause == "finally":
            return ["try:", *body, "finally:", f"    {self.simple()}"]
        if clause == "reraises":
            return ["try:", *body, "except ZeroDivisionError:", "    raise"]
        if clause == "else":
            return ["try:", f"    {self.simple()}", "except ZeroDivisionError:", "    raise", "else:", *body]
        return ["try:", "    raise ValueError", "except ValueError:", *body]

    def match_statement(self, depth: int) -> list[str]:
        subject, pattern = f"{self.refs[0]}.ndim", self.choose("1", "2")
        if "mode" in self.statics:
            subject, pattern = self.names["mode"], self.choose('"fast"', '"slow"')
        cases = [f"    case {pattern}:", *(f"    {line}" for line in self.block_of(depth))]
        return [f"match {subject}:", *cases, "    case _:", *(f"    {line}" for line in self.block_of(depth))]

    def nested_function(self, depth: int) -> list[str]:
        """A function and a call of it: as a statement, stored, or returned."""
        name, result = self.new("inner"), self.choose(*self.outputs)
        known = list(self.arrays)
        lines = [f"def {name}():", *self.block_of(depth)]
        if self.choose(True, False):
            lines.append(f"    return {self.array()}")
            self.arrays = known
            return [*lines, *self.result_of(f"{name}()")]
        self.arrays = known
        return [*lines, self.choose(f"{name}()", f"store({result}, {self.array()})")]

    def result_of(self, call: str) -> list[str]:
        """A statement that uses the result of a call, or does not."""
        unused = [call, f"{self.new('unused')} = {call}"]
        return [self.choose(*unused, *([] if self.repeated else [f"return {call}"]))]

    def when(self, depth: int) -> list[str]:
        """A body under a condition: traced, or decided."""
        traced = f"{self.arrays[0]}[0] > 0"
        conditions = [traced, traced, self.condition()] + (["pl.program_id(0) == 0"] if self.block == 4 else [])
        return [f"@pl.when({self.choose(*conditions)})", "def _():", *self.decorated_body()]

    def loop(self, depth: int) -> list[str]:
        index = self.new("i")
        if RECENT and self.choose(False, True):
            name = self.new("total")
            lines = ["@pl.loop(0, 2, init_carry=0.0)", f"def {name}({index}, c):", "    return c + 1.0"]
            return [*lines, *self.result_of(name)]
        return ["@pl.loop(0, 2)", f"def _({index}):", *self.decorated_body()]

    def decorated_body(self) -> list[str]:
        """A body that JAX calls; in a factory without `return`, as such bodies are judged on their own as well."""
        outer, self.repeated = self.repeated, self.opaque
        lines = self.block_of(0)
        self.repeated = outer
        return lines

    def fori_loop(self, depth: int) -> list[str]:
        name, index = self.new("body"), self.new("i")
        carry = self.choose("0", self.array(), "None", "()")
        store = f"    {self.choose(*self.outputs)}[...] = {self.array()}"
        lines = [f"def {name}({index}, carry):", store, "    return carry"]
        call = f"lax.fori_loop(0, 2, {name}, {carry})"
        return [*lines, *self.result_of(call)]

    def run_scoped(self, depth: int) -> list[str]:
        name, ref = self.new("body"), self.new("t")
        known = list(self.arrays)
        body = [f"    {ref}[...] = {self.array()}"]
        self.arrays.append(f"{ref}[...]")
        self.scoped = True
        body += self.block_of(0)
        self.scoped, self.arrays = False, known
        call = f"pl.run_scoped({name}, pltpu.VMEM(({self.block},), jnp.float32))"
        return [f"def {name}({ref}):", *body, *self.result_of(call)]

    # -- forms of kernels: each gives the text before the launch, and the expression that is launched ----------------

    def body(self, indentation: str = "    ") -> str:
        """The kernel's statements, indented."""
        lines = self.statements(2, last=True)
        return "".join(f"{indentation}{line}\n" for line in lines)

    def plain(self, refs: list[str]) -> tuple[str, str]:
        """A function whose configuration is in constants of the module, or in the defaults of parameters."""
        if self.choose(True, False):
            self.given(str.upper)
            constants = "".join(f"{name.upper()} = {value!r}\n" for name, value in self.statics.items())
            return f"{constants}\ndef kernel({', '.join(refs)}):\n{self.body()}", "kernel"
        self.given()
        parameters = [*refs, "*", *self.settings("\n").split("\n")] if self.statics else refs
        return f"def kernel({', '.join(parameters)}):\n{self.body()}", "kernel"

    def partial(self, refs: list[str]) -> tuple[str, str]:
        """A partial: inline, or in a variable; by keyword, or by position."""
        self.given()
        if self.choose(True, False):
            parameters = [*refs, *self.choose(["*"], []), *self.statics] if self.statics else refs
            arguments = self.settings()
        else:
            parameters = [*self.statics, *refs]
            arguments = ", ".join(map(repr, self.statics.values()))
        text = f"def kernel({', '.join(parameters)}):\n{self.body()}"
        bound = f"functools.partial(kernel, {arguments})" if self.statics else "functools.partial(kernel)"
        if self.choose(True, False):
            return text, bound
        return f"{text}\nconfigured = {bound}\n", "configured"

    def star(self, refs: list[str]) -> tuple[str, str]:
        """All Refs in one starred parameter."""
        self.statics, self.starred = {}, True
        return f"def kernel(*refs):\n    {', '.join(refs)}, = refs\n{self.body()}", "kernel"

    def decorated(self, refs: list[str]) -> tuple[str, str]:
        """Under a decorator that gives back the value, or does not."""
        self.statics, self.jitted = {}, True
        mark = self.choose("forwards", "silences", 'jax.named_scope("kernel")', "jax.named_call", "jax.jit")
        return f"@{mark}\ndef kernel({', '.join(refs)}):\n{self.body()}", "kernel"

    def factory(self, refs: list[str]) -> tuple[str, str]:
        """A function made by another one, which closes over the configuration."""
        self.given()
        self.opaque = True
        inner = f"    def kernel({', '.join(refs)}):\n{self.body('        ')}    return kernel\n"
        return f"def make({', '.join(self.statics)}):\n{inner}", f"make({self.settings()})"

    def method(self, refs: list[str]) -> tuple[str, str]:
        """A method of an object that holds the configuration, or the object itself."""
        self.given(lambda name: f"self.{name}")
        name = self.choose("kernel", "__call__")
        assigned = "".join(f"        self.{key} = {key}\n" for key in self.statics) or "        pass\n"
        text = (
            f"class Kernel:\n    def __init__({', '.join(['self', *self.statics])}):\n{assigned}\n"
            f"    def {name}({', '.join(['self', *refs])}):\n{self.body('        ')}"
        )
        made = f"Kernel({self.settings()})"
        return text, made if name == "__call__" else f"{made}.{name}"

    def static_method(self, refs: list[str]) -> tuple[str, str]:
        """A static method or a class method."""
        mark, first = self.choose(("staticmethod", []), ("classmethod", ["cls"]))
        self.given(lambda name: f"Kernel.{name}")
        constants = "".join(f"    {name} = {value!r}\n" for name, value in self.statics.items())
        parameters = ", ".join([*first, *refs])
        method = f"    @{mark}\n    def kernel({parameters}):\n{self.body('        ')}"
        return f"class Kernel:\n{constants}\n{method}", "Kernel.kernel"

    def lambda_wrapper(self, refs: list[str]) -> tuple[str, str]:
        """A lambda that hands its Refs to a function with the configuration."""
        self.given()
        parameters = [*refs, "*", *self.statics] if self.statics else refs
        text = f"def kernel({', '.join(parameters)}):\n{self.body()}"
        arguments = ", ".join([*refs, self.settings()]).rstrip(", ")
        starred = ", ".join(["*refs", self.settings()]).rstrip(", ")
        self.starred = self.choose(False, True)
        return (
            text,
            f"lambda *refs: kernel({starred})" if self.starred else f"lambda {', '.join(refs)}: kernel({arguments})",
        )

    def lambda_kernel(self, refs: list[str]) -> tuple[str, str]:
        """A lambda that is the kernel."""
        self.given(str.upper)
        constants = "".join(f"{name.upper()} = {value!r}\n" for name, value in self.statics.items())
        return constants, f"lambda {', '.join(refs)}: {self.choose(self.none, self.value)()}"

    def from_container(self, refs: list[str]) -> tuple[str, str]:
        """One of several kernels in a dict or a list, or of a conditional expression."""
        text, expression = self.plain(refs)
        other = f"def other({', '.join(refs)}):\n    return {self.array()}\n"
        named = expression
        holds = self.choose(True, False)
        container, item = self.choose(
            (f'KERNELS = {{"one": {named}, "two": other}}\n', 'KERNELS["one"]'),
            (f"KERNELS = [other, {named}]\n", "KERNELS[1]"),
            (f"CHOICE = {holds!r}\n", f"{named} if CHOICE else other" if holds else f"other if CHOICE else {named}"),
        )
        return f"{text}\n{other}\n{container}", item

    # -- forms of launches -------------------------------------------------------------------------------------------

    def direct(self, kernel: str, options: list[str], arguments: str) -> str:
        return f"def run():\n    return pl.pallas_call({kernel}, {', '.join(options)}, interpret=True)({arguments})\n"

    def in_variables(self, kernel: str, options: list[str], arguments: str) -> str:
        """The kernel, the options and the call in variables."""
        shape, *rest = options
        lines = [
            f"body = {kernel}",
            f"options = dict({', '.join(rest)})",
            f"call = pl.pallas_call(body, {shape}, interpret=True, **options)",
            f"return call({arguments})",
        ]
        return "def run():\n" + "".join(f"    {line}\n" for line in lines)

    def by_keyword(self, kernel: str, options: list[str], arguments: str) -> str:
        call = f"pl.pallas_call(interpret=True, kernel={kernel}, {', '.join(options)})"
        return f"def run():\n    return {call}({arguments})\n"

    def through_helper(self, kernel: str, options: list[str], arguments: str) -> str:
        call = f"launch({kernel}, {arguments}, {', '.join(options)})"
        return f"def run():\n    return {call}\n"

    def partial_launch(self, kernel: str, options: list[str], arguments: str) -> str:
        text = f"pallas = functools.partial(pl.pallas_call, interpret=True, {', '.join(options)})\n"
        return f"{text}\ndef run():\n    return pallas({kernel})({arguments})\n"

    def as_decorator(self, kernel: str, options: list[str], arguments: str) -> str:
        """A decorator on a kernel that calls the one that was made."""
        lines = [
            f"@functools.partial(pl.pallas_call, {', '.join(options)}, interpret=True)",
            "def launched(*refs, **named):",
            f"    return ({kernel})(*refs, **named)",
            f"return launched({arguments})",
        ]
        return "def run():\n" + "".join(f"    {line}\n" for line in lines)

    def under_jit(self, kernel: str, options: list[str], arguments: str) -> str:
        lines = [
            "@jax.jit",
            "def traced(*arrays):",
            f"    return pl.pallas_call({kernel}, {', '.join(options)}, interpret=True)(*arrays)",
            f"return traced({arguments})",
        ]
        return "def run():\n" + "".join(f"    {line}\n" for line in lines)

    def mesh_kernel(self, kernel: str, options: list[str], arguments: str) -> str:
        """`pl.kernel`, called or as a decorator."""
        keywords = f"{options[0].replace('out_shape', 'out_type')}, mesh=MESH, interpret=True"
        mesh = 'MESH = pltpu.create_tensorcore_mesh("core", num_cores=1)\n\n'
        call = f"pl.kernel({kernel}, {keywords})({arguments})"
        if self.choose(True, False):
            return f"{mesh}def run():\n    return {call}\n"
        lines = [
            f"@pl.kernel({keywords})",
            "def launched(*refs):",
            f"    return ({kernel})(*refs)",
            f"return launched({arguments})",
        ]
        return f"{mesh}def run():\n" + "".join(f"    {line}\n" for line in lines)

    def in_loop(self, kernel: str, options: list[str], arguments: str) -> str:
        lines = [
            f"for body in ({kernel},):",
            f"    result = pl.pallas_call(body, {', '.join(options)}, interpret=True)({arguments})",
            "return result",
        ]
        return "def run():\n" + "".join(f"    {line}\n" for line in lines)


COMPOUNDS: tuple[Callable[[Writer, int], list[str]], ...] = (
    Writer.if_statement,
    Writer.if_statement,
    Writer.guard,
    Writer.for_statement,
    Writer.while_statement,
    Writer.with_statement,
    Writer.try_statement,
    Writer.match_statement,
    Writer.nested_function,
    Writer.when,
    Writer.when,
    Writer.loop,
    Writer.fori_loop,
    Writer.run_scoped,
)

HOLES: dict[str, Callable[[Writer], str]] = {
    "array": Writer.array,
    "inner": Writer.array,
    "leaf": Writer.leaf,
    "output": Writer.output,
    "ref": lambda writer: writer.refs[0],
    "none": Writer.none,
    "returnable": Writer.returnable,
    "condition": Writer.condition,
    "true": Writer.true,
    "false": Writer.false,
    "new": Writer.new,
    "block": lambda writer: str(writer.block),
}
"""What fills the holes of templates."""

FORMS: tuple[Callable[[Writer, list[str]], tuple[str, str]], ...] = (
    Writer.plain,
    Writer.partial,
    Writer.star,
    Writer.decorated,
    Writer.factory,
    Writer.method,
    Writer.static_method,
    Writer.lambda_wrapper,
    Writer.lambda_kernel,
    Writer.from_container,
)

LAUNCHES: tuple[Callable[[Writer, str, list[str], str], str], ...] = (
    Writer.direct,
    Writer.in_variables,
    Writer.by_keyword,
    Writer.through_helper,
    Writer.partial_launch,
    Writer.as_decorator,
    Writer.under_jit,
    Writer.in_loop,
)


@st.composite
def programs(draw: Draw) -> str:
    """A Pallas program as text; `run()` launches its kernel."""
    return Writer(draw).write()

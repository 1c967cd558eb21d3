"""The mistakes that the rules are about, as changes of a working program: one table, a row for each kind of mistake.

A program is looked at as syntax only, so that a mistake is made wherever its place looks right, whether the checker
understands the program or not. `bench/recall.py` makes them and asks the checker and JAX.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

Function = ast.FunctionDef | ast.Lambda
Change = tuple[ast.expr | ast.stmt, str]
"""A node and the text that takes its place. That of a statement may be several lines, without the indentation."""

CAPTURED = "captured_from_outside"
"""An array of the module, which mistakes of capturing use."""


@dataclass(frozen=True)
class Launch:
    """A call of `pallas_call`, and its kernel where that is a function of the same module."""

    call: ast.Call
    kernel: Function | None

    def keyword(self, name: str) -> ast.expr | None:
        """The value of a keyword."""
        return next((one.value for one in self.call.keywords if one.arg == name), None)


@dataclass(frozen=True)
class Program:
    """A module to make mistakes in."""

    text: str
    tree: ast.Module = field(repr=False)
    launches: tuple[Launch, ...] = field(repr=False)

    @property
    def kernels(self) -> Iterator[ast.FunctionDef]:
        """The kernels that are made by `def`, each once."""
        seen: set[int] = set()
        for launch in self.launches:
            if isinstance(launch.kernel, ast.FunctionDef) and id(launch.kernel) not in seen:
                seen.add(id(launch.kernel))
                yield launch.kernel

    @property
    def specs(self) -> Iterator[ast.Call]:
        """The calls of BlockSpec."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Call) and last_name(node.func) == "BlockSpec":
                yield node

    @property
    def index_maps(self) -> Iterator[ast.Lambda]:
        """The index maps that are lambdas with plain parameters."""
        for spec in self.specs:
            given = [*spec.args[1:2], *(one.value for one in spec.keywords if one.arg == "index_map")]
            for function in given:
                if isinstance(function, ast.Lambda) and not function.args.vararg:
                    yield function

    def changed(self, changes: list[Change]) -> str:
        """The text with other text in the places of nodes, and with the array `CAPTURED` if that is mentioned."""
        data = self.text.encode()
        starts = [0]
        for line in data.splitlines(keepends=True):
            starts.append(starts[-1] + len(line))

        def offsets(change: Change) -> tuple[int, int, str]:
            node, new = change
            assert node.end_lineno is not None and node.end_col_offset is not None
            start = starts[node.lineno - 1] + node.col_offset
            margin = data[starts[node.lineno - 1] : start].decode()
            if isinstance(node, ast.stmt) and not margin.strip():
                new = new.replace("\n", f"\n{margin}")
            return start, starts[node.end_lineno - 1] + node.end_col_offset, new

        for start, end, new in sorted(map(offsets, changes), reverse=True):
            data = data[:start] + new.encode() + data[end:]
        text = data.decode()
        return text if CAPTURED not in text else with_captured(text)


def program_of(text: str) -> Program | None:
    """A program to make mistakes in; None for one that does not parse, or calls the modules by other names."""
    text = text.replace("\r\n", "\n")
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return None
    imported = {
        name.asname or name.name
        for node in tree.body
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in node.names
    }
    if not {"pl", "jnp"} <= imported:
        return None
    functions: dict[str, list[ast.FunctionDef]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            functions.setdefault(node.name, []).append(node)
    launches = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and last_name(node.func) == "pallas_call":
            named = node.args[0] if node.args else None
            if isinstance(named, ast.Call) and last_name(named.func) == "partial" and named.args:
                named = named.args[0]
            kernel: Function | None = named if isinstance(named, ast.Lambda) else None
            if isinstance(named, ast.Name) and len(functions.get(named.id, ())) == 1:
                (kernel,) = functions[named.id]
            launches.append(Launch(node, kernel))
    return Program(text, tree, tuple(launches))


def with_captured(text: str) -> str:
    """The text with `CAPTURED` made behind the imports at its top."""
    last = max(node.end_lineno or 0 for node in ast.parse(text).body if isinstance(node, ast.Import | ast.ImportFrom))
    lines = text.splitlines(keepends=True)
    return "".join([*lines[:last], f"{CAPTURED} = jnp.arange(1.0, 2.0)\n", *lines[last:]])


# -- helpers ---------------------------------------------------------------------------------------------------------


def last_name(node: ast.expr) -> str:
    """The last part of a dotted name."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def with_fields(node: ast.AST, **fields: Any) -> str:
    """The text of a node that has other fields."""
    new = copy.copy(node)
    for name, value in fields.items():
        setattr(new, name, value)
    return ast.unparse(new)


def with_keyword(call: ast.Call, name: str, value: str | None) -> Change:
    """A call with a keyword added or changed, or left out where the value is None."""
    kept = [one for one in call.keywords if one.arg != name]
    if value is not None:
        kept.append(ast.keyword(name, ast.parse(value, mode="eval").body))
    return call, with_fields(call, keywords=kept)


def positional(function: Function) -> list[str]:
    """The names of the positional parameters without defaults; none where there are others."""
    arguments = function.args
    if arguments.vararg or arguments.defaults or arguments.posonlyargs:
        return []
    return [one.arg for one in arguments.args]


def is_whole(node: ast.AST, names: list[str]) -> bool:
    """Whether a node is `name[...]` for one of some names."""
    return (
        isinstance(node, ast.Subscript)
        and isinstance(node.value, ast.Name)
        and node.value.id in names
        and isinstance(node.slice, ast.Constant)
        and node.slice.value is Ellipsis
    )


def refs_of(kernel: Function) -> list[str]:
    """The parameters of a kernel that stay what they are."""
    bound = {one.id for one in ast.walk(kernel) if isinstance(one, ast.Name) and not isinstance(one.ctx, ast.Load)}
    return [name for name in positional(kernel) if name not in bound]


def reads(kernel: Function) -> Iterator[ast.Subscript]:
    """Where a kernel reads the whole of a Ref."""
    names = refs_of(kernel)
    for node in ast.walk(kernel):
        if is_whole(node, names) and isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
            yield node


def stores(kernel: ast.FunctionDef) -> Iterator[ast.Assign]:
    """The statements `o_ref[...] = value` of a kernel itself."""
    names = refs_of(kernel)
    for node in kernel.body:
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and is_whole(node.targets[0], names):
            yield node


def target_of(store: ast.Assign) -> str:
    """The name of the Ref that is stored to."""
    assert isinstance(store.targets[0], ast.Subscript)
    return ast.unparse(store.targets[0].value)


def items_of(node: ast.expr | None) -> list[ast.expr] | None:
    """The items of a list or tuple that is written out."""
    plain = isinstance(node, ast.List | ast.Tuple) and not any(isinstance(one, ast.Starred) for one in node.elts)
    return list(node.elts) if isinstance(node, ast.List | ast.Tuple) and plain else None


def arguments_with(function: Function, names: list[str]) -> ast.arguments:
    """The parameters of a function with other positional ones."""
    new = copy.copy(function.args)
    new.args = [ast.arg(name) for name in names]
    return new


# -- makers: each yields the changes for every place that it fits ----------------------------------------------------

Changes = Iterator[list[Change]]


def kernel_with(change: Callable[[list[str]], list[str]], program: Program) -> Changes:
    """A kernel with other parameters."""
    for kernel in program.kernels:
        names = positional(kernel)
        if names and not kernel.args.kwonlyargs and not kernel.decorator_list:
            yield [(kernel, with_fields(kernel, args=arguments_with(kernel, change(names))))]


def launch_with(name: str, value: str | None, program: Program) -> Changes:
    """A launch with a keyword more, or without one."""
    for launch in program.launches:
        if (launch.keyword(name) is None) is (value is not None):
            yield [with_keyword(launch.call, name, value)]


def items_changed(name: str, change: Callable[[list[ast.expr]], str | None], program: Program) -> Changes:
    """A launch or grid specification whose list of that name is another one."""
    for node in ast.walk(program.tree):
        if isinstance(node, ast.Call):
            for keyword in node.keywords:
                items = items_of(keyword.value) if keyword.arg == name else None
                new = change(items) if items else None
                if new is not None:
                    yield [(keyword.value, new)]


def as_list(items: list[ast.expr], *more: str) -> str:
    """The text of a list."""
    return f"[{', '.join([*map(ast.unparse, items), *more])}]"


def leaf_as_list(program: Program) -> Changes:
    """`out_specs=spec` becomes `out_specs=[spec]` beside one output."""
    for launch in program.launches:
        spec, shape = launch.keyword("out_specs"), launch.keyword("out_shape")
        if spec is not None and isinstance(spec, ast.Call) and isinstance(shape, ast.Call | ast.Name):
            yield [(spec, f"[{ast.unparse(spec)}]")]


def shapes(program: Program) -> Iterator[ast.Call]:
    """The shapes with dtypes that are made for `out_shape`."""
    for launch in program.launches:
        shape = launch.keyword("out_shape")
        for node in ast.walk(program.tree) if isinstance(shape, ast.Name) else ():
            match node:
                case ast.Assign(targets=[ast.Name(id=name)]) if name == shape.id:  # type: ignore[union-attr]
                    shape = node.value
                    break
        if isinstance(shape, ast.Call) and last_name(shape.func) == "ShapeDtypeStruct" and len(shape.args) == 2:
            yield shape


def bare_shape(program: Program) -> Changes:
    """`out_shape=jax.ShapeDtypeStruct((8, 128), dtype)` becomes `out_shape=(8, 128)`."""
    for shape in shapes(program):
        if isinstance(shape.args[0], ast.Tuple):
            yield [(shape, ast.unparse(shape.args[0]))]


def no_dtype(program: Program) -> Changes:
    """`jax.ShapeDtypeStruct(shape, dtype)` becomes `jax.ShapeDtypeStruct(shape)`."""
    for shape in shapes(program):
        yield [(shape, with_fields(shape, args=shape.args[:1]))]


def both_grids(program: Program) -> Changes:
    """`grid=grid` beside `grid_spec`."""
    for launch in program.launches:
        grid = launch.keyword("grid")
        if launch.keyword("grid_spec") is not None:
            yield [with_keyword(launch.call, "grid", "(1,)")]
        elif grid is not None:
            yield [with_keyword(launch.call, "grid_spec", f"pl.GridSpec(grid={ast.unparse(grid)})")]


def halved(items: list[ast.expr]) -> str:
    """The sizes of a grid, the first as a float."""
    return f"({', '.join([f'{ast.unparse(items[0])} / 1', *map(ast.unparse, items[1:])])},)"


def no_kernel(program: Program) -> Changes:
    """`pl.pallas_call(kernel, ...)` without the kernel."""
    for launch in program.launches:
        if len(launch.call.args) == 1:
            yield [(launch.call, with_fields(launch.call, args=[]))]


def dict_of_parameters(program: Program) -> Changes:
    """`compiler_params=pltpu.CompilerParams(a=1)` becomes `compiler_params=dict(a=1)`."""
    for launch in program.launches:
        given = launch.keyword("compiler_params")
        if isinstance(given, ast.Call) and not given.args:
            yield [(given.func, "dict")]


def map_with(change: Callable[[list[str]], list[str]], program: Program) -> Changes:
    """An index map with other parameters."""
    for function in program.index_maps:
        yield [(function, with_fields(function, args=arguments_with(function, change(positional(function)))))]


def fewer(names: list[str]) -> list[str]:
    return names[:-1]


def more(names: list[str]) -> list[str]:
    return [*names, "one_more"]


def map_gives(change: Callable[[list[ast.expr]], list[str] | None], program: Program) -> Changes:
    """An index map that gives other indices."""
    for function in program.index_maps:
        if isinstance(function.body, ast.Tuple):
            new = change(list(function.body.elts))
            if new is not None:
                yield [(function.body, f"({', '.join(new)}{',' if len(new) == 1 else ''})")]


def one_index_less(items: list[ast.expr]) -> list[str] | None:
    return [*map(ast.unparse, items[:-1])] if len(items) > 1 else None


def one_index_more(items: list[ast.expr]) -> list[str]:
    return [*map(ast.unparse, items), "0"]


def with_index(form: str, items: list[ast.expr]) -> list[str] | None:
    """The indices with the first that is a parameter in a form with `{0}` for it."""
    texts = [*map(ast.unparse, items)]
    place = next((at for at, item in enumerate(items) if isinstance(item, ast.Name)), None)
    if place is None:
        return None
    texts[place] = form.format(texts[place])
    return texts


def swapped_arguments(program: Program) -> Changes:
    """`pl.BlockSpec(index_map, shape)`."""
    for spec in program.specs:
        if len(spec.args) == 2:
            yield [(spec, with_fields(spec, args=[spec.args[1], spec.args[0]]))]


def number_for_shape(program: Program) -> Changes:
    """`pl.BlockSpec((8,), ...)` becomes `pl.BlockSpec(8, ...)`."""
    for spec in program.specs:
        if spec.args and isinstance(spec.args[0], ast.Tuple) and len(spec.args[0].elts) == 1:
            yield [(spec.args[0], ast.unparse(spec.args[0].elts[0]))]


def flat_block(program: Program) -> Changes:
    """`pl.BlockSpec((8, 128), lambda i: (i, 0))` becomes `pl.BlockSpec((8,), lambda i: (i,))`."""
    for spec in program.specs:
        match spec.args:
            case [ast.Tuple(elts=[first, _, *_]) as shape, ast.Lambda(body=ast.Tuple(elts=[index, _, *_]) as body)]:
                yield [(shape, f"({ast.unparse(first)},)"), (body, f"({ast.unparse(index)},)")]


def deeper_block(program: Program) -> Changes:
    """`pl.BlockSpec((8,), lambda i: (i,))` becomes `pl.BlockSpec((8, 1), lambda i: (i, 0))`."""
    for spec in program.specs:
        match spec.args:
            case [ast.Tuple(elts=sizes) as shape, ast.Lambda(body=ast.Tuple(elts=indices) as body)]:
                yield [
                    (shape, f"({', '.join([*map(ast.unparse, sizes), '1'])})"),
                    (body, f"({', '.join([*map(ast.unparse, indices), '0'])})"),
                ]


def without_index(accepts: Callable[[ast.AST, ast.Subscript], bool], program: Program) -> Changes:
    """`x_ref[...]` becomes `x_ref` where what stands around it is as wanted."""
    for kernel in program.kernels:
        around = {id(child): node for node in ast.walk(kernel) for child in ast.iter_child_nodes(node)}
        for read in reads(kernel):
            if accepts(around[id(read)], read):
                yield [(read, ast.unparse(read.value))]


def is_operand(around: ast.AST, read: ast.Subscript) -> bool:
    return isinstance(around, ast.BinOp | ast.UnaryOp | ast.Compare)


def is_argument(around: ast.AST, read: ast.Subscript) -> bool:
    return isinstance(around, ast.Call) and ast.unparse(around.func).startswith(("jnp.", "lax.", "jax.lax."))


def has_method(around: ast.AST, read: ast.Subscript) -> bool:
    return isinstance(around, ast.Attribute) and around.attr in {"sum", "mean", "max", "min", "astype", "dot", "any"}


def is_stored(around: ast.AST, read: ast.Subscript) -> bool:
    return isinstance(around, ast.Assign) and isinstance(around.targets[0], ast.Subscript)


def store_as(form: str, program: Program) -> Changes:
    """A store in a form with `{0}` for the Ref and `{1}` for the value."""
    for kernel in program.kernels:
        for store in stores(kernel):
            yield [(store, form.format(target_of(store), ast.unparse(store.value)))]


def dict_of_outputs(program: Program) -> Changes:
    """`out_shape=OUT` becomes `out_shape={"y": OUT}`, and the kernel stores to the dict."""
    for launch in program.launches:
        shape = launch.keyword("out_shape")
        if isinstance(shape, ast.Name | ast.Call) and launch.keyword("out_specs") is None:
            yield [(shape, f'{{"y": {ast.unparse(shape)}}}')]


def first_statement(form: str, program: Program) -> Changes:
    """A kernel that starts with a statement, in a form with `{0}` for a Ref whose whole it reads later."""
    for kernel in program.kernels:
        first = kernel.body[0]
        names = [ast.unparse(read.value) for read in reads(kernel)]
        if names and first.lineno > kernel.lineno and is_of_one_line(first):
            yield [(first, f"{form.format(names[0])}\n{ast.unparse(first)}")]


def is_of_one_line(node: ast.stmt) -> bool:
    """Whether a statement is on one line."""
    return node.lineno == node.end_lineno


def last_statement(form: str, program: Program) -> Changes:
    """A kernel with a statement at its end, in a form with `{0}` for the Ref of its last store, `{1}` for the value."""
    for kernel in program.kernels:
        last = kernel.body[-1]
        if isinstance(last, ast.Assign) and last in list(stores(kernel)):
            yield [(last, f"{ast.unparse(last)}\n{form.format(target_of(last), ast.unparse(last.value))}")]


def read_as(form: str, program: Program) -> Changes:
    """The reading of a whole Ref, in a form with `{0}` for it."""
    for kernel in program.kernels:
        for read in reads(kernel):
            yield [(read, form.format(ast.unparse(read)))]


def conditional_bodies(program: Program) -> Iterator[ast.FunctionDef]:
    """The functions under `@pl.when(condition)`."""
    for node in ast.walk(program.tree):
        if isinstance(node, ast.FunctionDef) and len(node.decorator_list) == 1:
            decorator = node.decorator_list[0]
            if isinstance(decorator, ast.Call) and last_name(decorator.func) == "when":
                yield node


def when_as(form: str, program: Program) -> Changes:
    """`@pl.when(condition)` in a form with `{0}` for the condition, and `{1}` for the body."""
    for node in conditional_bodies(program):
        decorator = node.decorator_list[0]
        assert isinstance(decorator, ast.Call)
        lines = "\n".join(ast.unparse(statement) for statement in node.body)
        body = "\n".join("    " + line for line in lines.split("\n"))
        condition = ast.unparse(decorator.args[0]) if decorator.args else ""
        text = form.format(condition, body)
        yield [(_with_decorator(node, decorator), text)]


def _with_decorator(node: ast.FunctionDef, decorator: ast.expr) -> ast.stmt:
    """A statement that stands where a function and its one decorator stand."""
    place = ast.Pass()
    place.lineno, place.col_offset = decorator.lineno, node.col_offset
    place.end_lineno, place.end_col_offset = node.end_lineno, node.end_col_offset
    return place


def loop_bodies(program: Program) -> Iterator[tuple[Function, ast.expr]]:
    """The bodies of `fori_loop` whose carry is something, with what they give."""
    functions = {node.name: node for node in ast.walk(program.tree) if isinstance(node, ast.FunctionDef)}
    for node in ast.walk(program.tree):
        if isinstance(node, ast.Call) and last_name(node.func) == "fori_loop" and len(node.args) == 4:
            body, start = node.args[2:]
            if (isinstance(start, ast.Constant) and start.value is None) or items_of(start) == []:
                continue
            if isinstance(body, ast.Lambda):
                yield body, body.body
            elif isinstance(body, ast.Name) and body.id in functions:
                last = functions[body.id].body[-1]
                if isinstance(last, ast.Return) and last.value is not None:
                    yield functions[body.id], last.value


def carry_as(form: str, program: Program) -> Changes:
    """The carry that the body of a loop gives, in a form with `{0}` for it."""
    for _, value in loop_bodies(program):
        yield [(value, form.format(ast.unparse(value)))]


def no_call_of(method: str, program: Program) -> Changes:
    """The statement `copy.wait()` or `copy.start()` is left out; `pltpu.async_copy(...).wait()` is not waited for."""
    for node in ast.walk(program.tree):
        match node:
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=copied, attr=name))) if name == method:
                if isinstance(copied, ast.Name):
                    yield [(node, "pass")]
                elif isinstance(copied, ast.Call) and "async" in last_name(copied.func):
                    yield [(node, ast.unparse(copied))]


def body_gives(program: Program) -> Changes:
    """The body of `pl.when` returns a number."""
    for node in conditional_bodies(program):
        last = node.body[-1]
        if is_of_one_line(last) and last.lineno > node.lineno and not isinstance(last, ast.Return):
            yield [(last, f"{ast.unparse(last)}\nreturn 0")]


# -- the table -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Mistake:
    """A kind of mistake.

    Args:
      code: of the rule that is about it.
      title: what is done.
      make: the changes, for each place of a program.
      says: a regular expression for what JAX says; empty if it says nothing, and what comes out is wrong.
      recall: the share that is reported at least.
    """

    code: str
    title: str
    make: Callable[[Program], Changes]
    says: str = ""
    recall: float = 0.75


POSITIONAL = "positional argument"
BOOLEAN = "boolean conversion"
NUMBER = r"concrete value is expected|__index__\(\) method|Abstract tracer"
OPERATOR = "has no attribute|requires ndarray|Ref|unsupported operand"
RESULTS = "values to match block_shape"
SHAPE, DTYPE = "Invalid shape for `swap`", "Invalid dtype for `swap`"
SCRATCH = "not iterable|get_ref_aval|__getattr__"
NONE = "should return None"

MISTAKES = (
    Mistake("PAL001", "`return value` behind the last store", partial(last_statement, "return {1}"), NONE),
    Mistake("PAL001", "`return o_ref[...]`", partial(last_statement, "return {0}[...]"), NONE),
    Mistake("PAL001", "`return value` for the store", partial(store_as, "return {1}"), NONE),
    Mistake("PAL003", "the body of `pl.when` returns 0", body_gives, "."),
    Mistake("PAL101", "a kernel has one parameter less", partial(kernel_with, fewer), POSITIONAL),
    Mistake("PAL101", "a kernel has one parameter more", partial(kernel_with, more), POSITIONAL),
    Mistake(
        "PAL102",
        "`in_specs` has one less",
        partial(items_changed, "in_specs", lambda items: as_list(items[:-1])),
        "Pytree for `in_specs`",
    ),
    Mistake(
        "PAL102",
        "`in_specs` has one more",
        partial(items_changed, "in_specs", lambda items: as_list(items, "pl.BlockSpec()")),
        "Pytree for `in_specs`",
    ),
    Mistake(
        "PAL102",
        "`in_specs` is a spec by itself",
        partial(items_changed, "in_specs", lambda items: ast.unparse(items[0])),
        "`in_specs` must be a tuple or a list",
    ),
    Mistake("PAL103", "`out_specs` is a list beside one output", leaf_as_list, "Pytree for `out_specs`"),
    Mistake(
        "PAL103",
        "`out_specs` has one more",
        partial(items_changed, "out_specs", lambda items: as_list(items, "pl.BlockSpec()")),
        "Pytree for `out_specs`",
    ),
    Mistake(
        "PAL103",
        "`out_specs` is a spec by itself",
        partial(items_changed, "out_specs", lambda items: ast.unparse(items[0])),
        "Pytree for `out_specs`",
    ),
    Mistake("PAL104", "`out_shape` is a bare tuple", bare_shape, "Invalid out_shape type"),
    Mistake("PAL104", "the dtype is missing", no_dtype, "missing 1 required positional argument: 'dtype'"),
    Mistake("PAL104", "`out_shape` is missing", partial(launch_with, "out_shape", None), "argument: 'out_shape'"),
    Mistake("PAL105", "both `grid` and `grid_spec`", both_grids, "If `grid_spec` is specified"),
    Mistake(
        "PAL106", "a float in the grid", partial(items_changed, "grid", halved), "Grid must be a tuple of integers"
    ),
    Mistake("PAL107", "`num_warps=4`", partial(launch_with, "num_warps", "4"), "unexpected keyword"),
    Mistake("PAL108", "no kernel", no_kernel, "argument: 'kernel'"),
    Mistake(
        "PAL109",
        "`scratch_shapes` is a type by itself",
        partial(items_changed, "scratch_shapes", lambda items: ast.unparse(items[0])),
        SCRATCH,
    ),
    Mistake(
        "PAL109",
        "a scratch type is not called",
        partial(
            items_changed,
            "scratch_shapes",
            lambda items: as_list(items[1:], ast.unparse(items[0].func)) if isinstance(items[0], ast.Call) else None,
        ),
        SCRATCH,
    ),
    Mistake("PAL110", "a dict of compiler parameters", dict_of_parameters, "unhashable"),
    Mistake("PAL110", "`compiler_params={}`", partial(launch_with, "compiler_params", "{'a': 1}"), "unhashable"),
    Mistake(
        "PAL111", "an alias of no input", partial(launch_with, "input_output_aliases", "{9: 0}"), "outside the range"
    ),
    Mistake(
        "PAL111", "an alias of no output", partial(launch_with, "input_output_aliases", "{0: 9}"), "outside the range"
    ),
    Mistake(
        "PAL111",
        "aliases as pairs",
        partial(launch_with, "input_output_aliases", "[(0, 0)]"),
        "has no attribute 'items'",
    ),
    Mistake("PAL112", "no `interpret`", partial(launch_with, "interpret", None), "Only interpret mode is supported"),
    Mistake("PAL201", "an index map has one parameter less", partial(map_with, fewer), POSITIONAL),
    Mistake("PAL201", "an index map has one parameter more", partial(map_with, more), POSITIONAL),
    Mistake("PAL202", "an index map gives one index less", partial(map_gives, one_index_less), RESULTS),
    Mistake("PAL202", "an index map gives one index more", partial(map_gives, one_index_more), RESULTS),
    Mistake("PAL203", "`i / 2`", partial(map_gives, partial(with_index, "{0} / 2")), "must return integer scalars"),
    Mistake("PAL203", "`i > 0`", partial(map_gives, partial(with_index, "{0} > 0")), "must return integer scalars"),
    Mistake("PAL204", "`BlockSpec(index_map, shape)`", swapped_arguments, "not iterable|no len"),
    Mistake("PAL204", "`BlockSpec(8, index_map)`", number_for_shape, "not iterable"),
    Mistake("PAL205", "a block of one dimension for more", flat_block, "same number of dimensions"),
    Mistake("PAL205", "a block with one dimension more", deeper_block, "same number of dimensions"),
    Mistake(
        "PAL206",
        "an index map adds an array",
        partial(map_gives, partial(with_index, f"{{0}} + {CAPTURED}.astype(int)[0]")),
        "must not capture constants",
    ),
    Mistake("PAL207", "`i if i > 0 else 0`", partial(map_gives, partial(with_index, "{0} if {0} > 0 else 0")), BOOLEAN),
    Mistake("PAL301", "`x_ref + y`", partial(without_index, is_operand), OPERATOR),
    Mistake("PAL301", "`jnp.exp(x_ref)`", partial(without_index, is_argument), OPERATOR),
    Mistake("PAL301", "`x_ref.sum()`", partial(without_index, has_method), OPERATOR),
    Mistake("PAL302", "`o_ref = value`", partial(store_as, "{0} = {1}")),
    Mistake("PAL303", "a store is left out", partial(store_as, "_ = {1}")),
    Mistake("PAL304", "`o_ref[...] = x_ref`", partial(without_index, is_stored), "Cannot store a Ref"),
    Mistake("PAL305", "a store to a dict of outputs", dict_of_outputs),
    Mistake("PAL306", "`o_ref[...] = 0.0`", partial(store_as, "{0}[...] = 0.0"), SHAPE),
    Mistake("PAL306", "`o_ref[...] = jnp.sum(value)`", partial(store_as, "{0}[...] = jnp.sum({1})"), SHAPE),
    Mistake("PAL306", "`o_ref[...] = value[None]`", partial(store_as, "{0}[...] = ({1})[None]"), SHAPE),
    Mistake("PAL307", "`o_ref[...] = value > 0`", partial(store_as, "{0}[...] = ({1}) > 0"), DTYPE),
    Mistake(
        "PAL307", "`o_ref[...] = value.astype(jnp.int8)`", partial(store_as, "{0}[...] = ({1}).astype(jnp.int8)"), DTYPE
    ),
    Mistake("PAL308", "a store to an input", partial(first_statement, "{0}[...] = {0}[...]")),
    Mistake(
        "PAL309",
        "`y = x_ref[...]`, `y[0] = 0`",
        partial(first_statement, "y = {0}[...]\ny[0] = 0"),
        "JAX arrays are immutable",
    ),
    Mistake("PAL310", "`x_ref[...].at[0].set(0)`", partial(first_statement, "{0}[...].at[0].set(0)")),
    Mistake(
        "PAL311",
        "`x_ref[i : i + 1]`",
        partial(first_statement, "begin = pl.program_id(0)\n{0}[begin : begin + 1]"),
        BOOLEAN,
    ),
    Mistake(
        "PAL401",
        "`if jnp.max(x_ref[...]) > 0`",
        partial(first_statement, "if jnp.max({0}[...]) > 0:\n    pass"),
        BOOLEAN,
    ),
    Mistake(
        "PAL401", "`if pl.program_id(0) == 0`", partial(first_statement, "if pl.program_id(0) == 0:\n    pass"), BOOLEAN
    ),
    Mistake("PAL401", "`assert` on what is read", partial(first_statement, "assert jnp.all({0}[...] > -99)"), BOOLEAN),
    Mistake(
        "PAL401",
        "`while` on what is read",
        partial(first_statement, "while jnp.max({0}[...]) > 0:\n    break"),
        BOOLEAN,
    ),
    Mistake("PAL401", "`x_ref[...] and 1`", partial(first_statement, "y = jnp.max({0}[...]) and 1"), BOOLEAN),
    Mistake("PAL401", "`if` for `pl.when`", partial(when_as, "if {0}:\n{1}"), BOOLEAN),
    Mistake("PAL402", "`int(jnp.max(x_ref[...]))`", partial(first_statement, "y = int(jnp.max({0}[...]))"), NUMBER),
    Mistake("PAL402", "`float(jnp.max(x_ref[...]))`", partial(first_statement, "y = float(jnp.max({0}[...]))"), NUMBER),
    Mistake(
        "PAL402", "`range(pl.program_id(0))`", partial(first_statement, "y = list(range(pl.program_id(0)))"), NUMBER
    ),
    Mistake("PAL403", "`with pl.when`", partial(when_as, "with pl.when({0}):\n{1}"), "context manager"),
    Mistake("PAL403", "`@pl.when` without a condition", partial(when_as, "@pl.when\ndef _():\n{1}")),
    Mistake("PAL403", "`if pl.when`", partial(when_as, "if pl.when({0}):\n{1}")),
    Mistake("PAL404", "the body of a loop gives None", partial(carry_as, "None"), "pytree structure"),
    Mistake("PAL404", "the body of a loop gives a pair", partial(carry_as, "(({0}), 0)"), "pytree structure"),
    Mistake("PAL405", "`pl.program_id(9)`", partial(first_statement, "y = pl.program_id(9)"), "out of bounds for grid"),
    Mistake("PAL501", "`x_ref[...] + captured`", partial(read_as, f"({{0}} + {CAPTURED})"), "captures constants"),
    Mistake("PAL502", "`wait` is left out", partial(no_call_of, "wait"), recall=0.2),
    Mistake("PAL502", "`start` is left out", partial(no_call_of, "start"), recall=0.2),
)
"""All kinds of mistakes."""

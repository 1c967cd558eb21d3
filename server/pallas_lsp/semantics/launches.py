"""Launches: the places where a function becomes a kernel or a body, and what its parameters are there."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import count
from typing import TYPE_CHECKING

from pallas_lsp.semantics import arithmetic, members
from pallas_lsp.semantics.arguments import Arguments
from pallas_lsp.semantics.classes import class_attribute, fields_of
from pallas_lsp.semantics.frames import Invocation, Store
from pallas_lsp.semantics.functions import is_array_parameter
from pallas_lsp.semantics.jax_api import EntryPoint, Outcome, Signature
from pallas_lsp.semantics.values import (
    NONE,
    SOMETHING,
    UNKNOWN,
    Array,
    Bound,
    Constant,
    Constructed,
    External,
    Function,
    Instance,
    Mapping,
    NamedTuple,
    OneOf,
    Partial,
    Record,
    Ref,
    Role,
    Scoped,
    Sequence,
    Shape,
    Something,
    Unknown,
    Value,
    View,
    alternatives,
)

if TYPE_CHECKING:
    from pallas_lsp.semantics.events import Event
    from pallas_lsp.semantics.interpreter import Interpreter
    from pallas_lsp.syntax import Chunk

MAX_RUNS = 4
"""Applications of one launch that are followed."""

OWN_STORES = frozenset({Signature.PALLAS_CALL, Signature.MESH_KERNEL, Signature.SCRATCH_ONLY, Signature.REF})
"""Kernels that start with fresh Refs; the others are bodies inside a kernel and share its Refs."""

_DROPPED_DIMENSIONS = frozenset({"squeezed", "Squeezed"})


@dataclass(frozen=True, slots=True)
class Block:
    """A BlockSpec of a launch.

    Args:
      spec: the specification.
      role: whether it is for an input or an output.
      index: 0-based among the specs of its role; -1 inside a tree, or where the place is unknown.
      index_map: its function; None when it has none, or one that is unknown.
      passed: how many arguments the index map gets; None when unknown.
      invocation: how following it went; None when it was not followed.
      events: what happened in it.
    """

    spec: Constructed
    role: Role
    index: int
    index_map: Value | None
    passed: int | None
    invocation: Invocation | None = None
    events: tuple[Event, ...] = ()

    @property
    def rank(self) -> int | None:
        """The number of dimensions of the block, None when unknown, or when there is no block shape."""
        items = members.items_of(self.spec.get("block_shape") or UNKNOWN)
        return None if items is None or not self.spec.complete else len(items)


@dataclass(frozen=True, slots=True)
class KernelRun:
    """One function followed as the kernel of one launch.

    Args:
      launch: where.
      function: the function that the launch calls; None when it is not in view.
      invocation: how it went.
      outputs: the output parameters, one value each: a Ref or a tree of Refs. None when their number is unknown.
      scratch: the scratch parameters, likewise.
      inputs: the number of inputs, None when unknown.
      slots: the number of arguments that the function takes by position, those with a default included where the launch
        passes that many; None when it takes any number.
      expected: the number that the launch passes, None when unknown.
      given: the arguments of the application, None when it is not in view.
      kernel: what is launched, partials and bound methods included.
      keywords: the scratch that the launch passes by keyword.
    """

    launch: Launch
    function: Function | None
    invocation: Invocation
    outputs: tuple[Value, ...] | None
    scratch: tuple[Value, ...] | None
    inputs: int | None
    slots: int | None
    expected: int | None
    given: Arguments | None
    kernel: Value = UNKNOWN
    keywords: tuple[str, ...] = ()

    @property
    def is_traced(self) -> bool:
        """Whether JAX comes to the body of the function: the number of its parameters is not known to be wrong."""
        known = self.given is not None and self.slots is not None and self.expected is not None
        return not self.lacks_outputs and (not known or bool(self.keywords) or self.slots == self.expected)

    @property
    def lacks_outputs(self) -> bool:
        """Whether the function takes all that the launch passes except the outputs."""
        if self.slots is None or self.expected is None or self.outputs is None:
            return False
        return bool(self.outputs) and self.slots == self.expected - len(self.outputs)


@dataclass(eq=False)
class Launch:
    """One call of an entry point, as far as it was followed.

    Args:
      row: the entry point.
      node: the call, or the decorator.
      chunk: where the node is.
      path: the module that the chunk is of.
      named: its arguments by the names of the API table; `outputs` and `scratch` whatever their spelling.
      complete: whether all its arguments are in view.
      as_decorator: whether the function was given to what the entry point returned, although it is no factory.
      never_runs: whether its function is known not to be called.
      blocks: its BlockSpecs, with what their index maps give; empty before its function is followed.
    """

    row: EntryPoint
    node: ast.AST
    chunk: Chunk
    path: str
    named: dict[str, Value]
    complete: bool
    as_decorator: bool = False
    never_runs: bool = False
    runs: list[KernelRun] = field(default_factory=list)
    applied: int = 0
    blocks: tuple[Block, ...] = ()

    @property
    def grid_spec(self) -> Constructed | None:
        """The grid specification, where one is given and in view."""
        spec = self.named.get("grid_spec")
        return spec if isinstance(spec, Constructed) and spec.name.endswith("GridSpec") else None

    @property
    def hides_parts(self) -> bool:
        """Whether the grid, specs or scratch shapes may be given where they are not in view."""
        spec = self.named.get("grid_spec")
        if isinstance(spec, Constructed):
            return not spec.complete or self.grid_spec is None
        return not self.complete or (spec is not None and spec != NONE)

    def part(self, name: str) -> Value | None:
        """What is given as `grid`, `in_specs`, `out_specs` or `scratch_shapes`, in the call or its grid specification.

        Args:
          name: the keyword.

        Returns:
          The value; None when it is not given, or hidden where `hides_parts`.
        """
        own = self.named.get("scratch" if name == "scratch_shapes" else name)
        spec = self.grid_spec
        return own if own is not None or spec is None else spec.get(name)

    @property
    def prefetched(self) -> int | None:
        """The number of arguments that are scalar prefetch, None when unknown."""
        spec = self.grid_spec
        given = None if spec is None else spec.get("num_scalar_prefetch")
        if given is None:
            # Options that are not in view (`**options`) are taken to hold no grid specification.
            return None if self.hides_parts and self.named.get("grid_spec", NONE) != NONE else 0
        known = isinstance(given, Constant) and isinstance(given.value, int)
        return given.value if isinstance(given, Constant) and known else None

    @property
    def grid_rank(self) -> int | None:
        """The number of dimensions of the grid, None when unknown."""
        grid = self.part("grid")
        match grid:
            case None:
                return None if self.hides_parts else 0
            case Sequence(items=items):
                return len(items)
            case Constant(value=int()) | Array(shape=(), weak=True, traced=False):
                return 1
            case _:
                return None

    @property
    def outcome(self) -> Outcome:
        """What JAX does with a value that the function returns, for the arguments at hand."""
        if not self.row.carry:
            return self.row.outcome
        carry = self.named.get(self.row.carry, NONE)
        return self.row.outcome if carry == NONE and self.complete else Outcome.USES

    @property
    def kernels(self) -> tuple[Value, ...]:
        """The functions that are launched; more than one when it is one of several, or a list of bodies."""
        given = self.named.get(self.row.function or "function", UNKNOWN)
        found: list[Value] = []
        for value in alternatives(given):
            if isinstance(value, Sequence):
                found += [
                    item.items[1] if isinstance(item, Sequence) and len(item.items) == 2 else item
                    for item in value.items
                ]
            else:
                found.append(value)
        return tuple(one for kernel in found for one in _each(kernel))

    def apply(self, interpreter: Interpreter, arguments: Arguments, node: ast.AST) -> Value:
        """Follows a call of what the launch returned; gives its result."""
        self.applied += 1
        if self.applied <= MAX_RUNS:
            self.run(interpreter, arguments)
        if self.row.signature in (Signature.PIPELINE, Signature.INDEXED_PIPELINE):
            self._store_pipeline_outputs(interpreter, arguments, node)
            return NONE if self.outcome is not Outcome.USES else UNKNOWN
        if self.row.signature is Signature.REF:
            return SOMETHING
        return _result_value(self.named.get("outputs", UNKNOWN))

    def run(self, interpreter: Interpreter, arguments: Arguments | None) -> None:
        """Follows the kernel as the launch calls it, with the arguments of the application where these are in view."""
        if not self.blocks and self.row.signature is Signature.PALLAS_CALL:
            self.blocks = tuple(_follow_blocks(interpreter, self))
        for kernel in self.kernels:
            stores = interpreter.stores
            own = self.row.signature in OWN_STORES
            interpreter.stores = {} if own else dict(stores)
            self.runs.append(_run_kernel(interpreter, self, kernel, arguments))
            if own:
                interpreter.stores = stores

    def _store_pipeline_outputs(self, interpreter: Interpreter, arguments: Arguments, node: ast.AST) -> None:
        """A pipeline writes the Refs that it is given as outputs."""
        inputs = members.items_of(self.named.get("in_specs", Sequence(())))
        refs = arguments.positional[0 if inputs is None else len(inputs) :]
        for ref in refs:
            if isinstance(ref, (Ref, View)):
                target = ref.ref if isinstance(ref, View) else ref
                interpreter.stores[target] = Store(False, UNKNOWN, node)


def _each(kernel: Value) -> Iterator[Value]:
    """A kernel that is one of several, or a partial of one of several, as each of them."""
    for one in alternatives(kernel):
        if isinstance(one, Partial) and isinstance(one.function, OneOf):
            yield from (replace(one, function=function) for function in one.function.alternatives)
        else:
            yield one


# -- parameters ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Layout:
    """What a launch passes, part by part; None where the number is unknown."""

    leading: tuple[Value, ...] = ()
    prefetch: int | None = 0
    inputs: tuple[Value, ...] | None = None
    outputs: tuple[Value, ...] | None = None
    scratch: tuple[Value, ...] | None = ()
    keywords: tuple[tuple[str, Value], ...] = ()


def _run_kernel(interpreter: Interpreter, launch: Launch, kernel: Value, given: Arguments | None) -> KernelRun:
    layout = _LAYOUTS[launch.row.signature](launch, given)
    by_position = Partial(kernel, (), layout.keywords) if layout.keywords else kernel
    slots = positional_slots(interpreter, by_position)
    capacity = positional_slots(interpreter, by_position, with_defaults=True)
    passed = _number_passed(layout)
    if passed is not None and slots is not None and capacity is not None:
        slots = min(max(slots, passed), capacity)
    layout, positional, expected = _arrange(layout, slots)
    complete = positional is not None
    invocation = interpreter.follow_kernel(launch, kernel, Arguments(positional or (), layout.keywords, complete))
    return KernelRun(
        launch,
        invocation.function,
        invocation,
        layout.outputs,
        layout.scratch,
        None if layout.inputs is None else len(layout.inputs),
        slots,
        expected,
        given,
        kernel,
        tuple(name for name, _ in layout.keywords),
    )


def _number_passed(layout: _Layout) -> int | None:
    """How many arguments a launch passes by position, None when one of the parts is unknown."""
    parts = (layout.leading, layout.inputs, layout.outputs, layout.scratch)
    sizes = [layout.prefetch, *(None if part is None else len(part) for part in parts)]
    known = [size for size in sizes if size is not None]
    return sum(known) if len(known) == len(sizes) else None


def _arrange(layout: _Layout, slots: int | None) -> tuple[_Layout, tuple[Value, ...] | None, int | None]:
    """Counts from the end what is not known from the start; gives the arguments and how many the launch passes."""
    prefetch, inputs, outputs, scratch = layout.prefetch, layout.inputs, layout.outputs, layout.scratch
    known = len(layout.leading) + sum(
        size
        for size in (prefetch, *(None if part is None else len(part) for part in (inputs, outputs, scratch)))
        if size
    )
    unknown = [name for name in ("prefetch", "inputs", "outputs", "scratch") if getattr(layout, name) is None]
    expected = known if not unknown else None
    rest = None if slots is None else slots - known
    if unknown == ["inputs"] and rest is not None:
        inputs = tuple(Ref(Role.INPUT, index, "") for index in range(max(rest, 0)))
    elif unknown == ["outputs"] and rest is not None:
        outputs = tuple(Ref(Role.OUTPUT, index, "") for index in range(max(rest, 0)))
    elif unknown == ["scratch"] and rest is not None:
        scratch = tuple(Ref(Role.SCRATCH, index, "") for index in range(max(rest, 0)))
    elif unknown and slots is not None:
        return layout, tuple(Ref(Role.UNKNOWN, index, "") for index in range(slots)), None
    elif unknown:
        return layout, None, None
    arranged = _Layout(layout.leading, prefetch, inputs, outputs, scratch, layout.keywords)
    before = (*layout.leading, *(Ref(Role.PREFETCH, index, "") for index in range(prefetch or 0)), *(inputs or ()))
    if (
        slots is not None
        and outputs
        and slots == len(before) + len(scratch or ())
        and slots < len(before) + len(outputs) + len(scratch or ())
    ):
        return arranged, (*before, *(scratch or ())), expected  # no output parameters: the likely meaning of the rest
    return arranged, (*before, *(outputs or ()), *(scratch or ())), expected


def positional_slots(interpreter: Interpreter, kernel: Value, *, with_defaults: bool = False) -> int | None:
    """How many arguments a callable takes by position; None for any number, or unknown.

    Args:
      interpreter: finds the methods of callable objects.
      kernel: the callable.
      with_defaults: whether parameters with a default count.
    """
    names = _positional_names(interpreter, kernel, with_defaults)
    return None if names is None else len(names)


def _positional_names(interpreter: Interpreter, kernel: Value, with_defaults: bool) -> tuple[str, ...] | None:
    """The parameters that arguments given by position go to, in order."""
    match kernel:
        case Function(node=node):
            names = [parameter.arg for parameter in (*node.args.posonlyargs, *node.args.args)]
            required = len(names) if with_defaults else len(names) - len(node.args.defaults)
            return None if node.args.vararg is not None else tuple(names[:required])
        case Partial(function=inner, arguments=first, keywords=keywords):
            inside = _positional_names(interpreter, inner, with_defaults)
            bound = {name for name, _ in keywords}
            return None if inside is None else tuple(name for name in inside[len(first) :] if name not in bound)
        case Bound(function=inner):
            inside = _positional_names(interpreter, inner, with_defaults)
            return None if inside is None else inside[1:]
        case Scoped(function=inner, arguments=extra, keywords=keywords):
            inside = _positional_names(interpreter, inner, with_defaults)
            bound = {name for name, _ in keywords}
            if inside is None:
                return None
            return tuple(name for name in inside[: len(inside) - len(extra)] if name not in bound)
        case Instance(cls=cls):
            method = class_attribute(interpreter, cls, "__call__", kernel)
            return None if method is None else _positional_names(interpreter, method, with_defaults)
        case _:
            return None


def _follow_blocks(interpreter: Interpreter, launch: Launch) -> Iterator[Block]:
    """The BlockSpecs of a launch, their index maps followed with indices of the grid and the scalar prefetch."""
    rank, prefetched = launch.grid_rank, launch.prefetched
    passed = None if rank is None or prefetched is None else rank + prefetched
    for spec, role, index in _block_specs(launch):
        index_map = spec.get("index_map")
        if index_map is None or not isinstance(index_map, (Function, Partial, Bound)):
            yield Block(spec, role, index, None, passed)
            continue
        slots = positional_slots(interpreter, index_map)
        capacity = positional_slots(interpreter, index_map, with_defaults=True)
        # Where the grid is not known, an index map with plain parameters says how many indices there are.
        taken = passed if passed is not None or slots != capacity else slots
        if (
            taken is None
            or prefetched is None
            or not (taken >= prefetched and (capacity is None or (slots or 0) <= taken <= capacity))
        ):
            yield Block(spec, role, index, index_map, passed)
            continue
        indices = (Array((), "int32", staged=True),) * (taken - prefetched)
        scalars = tuple(Ref(Role.PREFETCH, number, "") for number in range(prefetched))
        invocation, events = interpreter.follow_index_map(launch, index_map, Arguments((*indices, *scalars)))
        yield Block(spec, role, index, index_map, passed, invocation, events)


def _block_specs(launch: Launch) -> Iterator[tuple[Constructed, Role, int]]:
    for name, role in (("in_specs", Role.INPUT), ("out_specs", Role.OUTPUT)):
        specs = launch.part(name)
        if isinstance(specs, Constructed):
            yield from ((spec, role, 0) for spec in _specs_in(specs))
            continue
        for index, spec in enumerate(members.items_of(specs) or () if isinstance(specs, Sequence) else ()):
            yield from ((one, role, index if one is spec else -1) for one in _specs_in(spec))


def _specs_in(value: Value) -> Iterator[Constructed]:
    """The BlockSpecs in a tree."""
    match value:
        case Constructed() if _is_block_spec(value):
            yield value
        case Sequence(items=items):
            for item in items:
                yield from _specs_in(item)
        case Mapping(items=pairs):
            for _, item in pairs:
                yield from _specs_in(item)


def _pallas_call_layout(launch: Launch, given: Arguments | None) -> _Layout:
    named, hidden, prefetch = launch.named, launch.hides_parts, launch.prefetched
    in_specs = launch.part("in_specs")
    scratch, keywords = _scratch(launch.part("scratch_shapes"), hidden)
    return _Layout(
        prefetch=prefetch,
        inputs=_inputs(given, prefetch, in_specs),
        outputs=_outputs(named.get("outputs", UNKNOWN), launch.part("out_specs"), hidden),
        scratch=scratch,
        keywords=keywords,
    )


def _mesh_kernel_layout(launch: Launch, given: Arguments | None) -> _Layout:
    hidden = not launch.complete
    scratch, keywords = _scratch(launch.named.get("scratch"), hidden)
    default = UNKNOWN if hidden else Sequence(())
    return _Layout(
        inputs=_inputs(given, 0, None),
        outputs=_outputs(launch.named.get("outputs", default), None, hidden),
        scratch=scratch,
        keywords=keywords,
    )


def _scratch_layout(launch: Launch, given: Arguments | None) -> _Layout:
    scratch, keywords = _scratch(launch.named.get("scratch"), not launch.complete)
    return _Layout(inputs=(), outputs=(), scratch=scratch, keywords=keywords)


def _pipeline_layout(launch: Launch, given: Arguments | None) -> _Layout:
    in_specs = launch.named.get("in_specs", Sequence(()))
    out_specs = launch.named.get("outputs", Sequence(()))
    inputs = members.items_of(in_specs)
    scratch_value = given.get("scratches") if given is not None else None
    scratch, _ = _scratch(scratch_value, given is None or not given.complete)
    return _Layout(
        inputs=None if inputs is None else _refs(Role.INPUT, inputs),
        outputs=_outputs(UNKNOWN, out_specs, True),
        scratch=scratch if given is None or scratch_value is not None else (),
    )


def _indexed_pipeline_layout(launch: Launch, given: Arguments | None) -> _Layout:
    layout = _pipeline_layout(launch, None)
    extra = () if launch.outcome is not Outcome.USES else (UNKNOWN,)
    barriers = launch.named.get("manual_consumed_barriers")
    scratch = extra if barriers is None and launch.complete else None
    return _Layout((UNKNOWN,), 0, layout.inputs, layout.outputs, scratch)


def _no_arguments_layout(launch: Launch, given: Arguments | None) -> _Layout:
    return _Layout(inputs=(), outputs=())


def _index_layout(launch: Launch, given: Arguments | None) -> _Layout:
    carry = launch.named.get(launch.row.carry, NONE) if launch.row.carry else NONE
    index: Value = (
        Array((), "int32", staged=True) if launch.row.short_name in ("loop", "parallel_loop", "warp_map") else SOMETHING
    )
    if carry == NONE:
        return _Layout((index,), 0, (), ())
    return _Layout((index, UNKNOWN), 0, (), ())


def _ref_layout(launch: Launch, given: Arguments | None) -> _Layout:
    value = given.positional[0] if given is not None and given.positional else UNKNOWN
    return _Layout(inputs=(_input_tree(value, count()),), outputs=())


_LAYOUTS: dict[Signature, Callable[[Launch, Arguments | None], _Layout]] = {
    Signature.PALLAS_CALL: _pallas_call_layout,
    Signature.MESH_KERNEL: _mesh_kernel_layout,
    Signature.SCRATCH_ONLY: _scratch_layout,
    Signature.PIPELINE: _pipeline_layout,
    Signature.INDEXED_PIPELINE: _indexed_pipeline_layout,
    Signature.NO_ARGUMENTS: _no_arguments_layout,
    Signature.INDEX: _index_layout,
    Signature.REF: _ref_layout,
}


def _refs(role: Role, specs: tuple[Value, ...]) -> tuple[Value, ...]:
    """The parameters for some specs, where the arguments are not in view."""
    return tuple(Ref(role, index, "", leaf=_is_block_spec(spec)) for index, spec in enumerate(specs))


def _inputs(given: Arguments | None, prefetch: int | None, in_specs: Value | None) -> tuple[Value, ...] | None:
    specs = None if in_specs is None else members.items_of(in_specs)
    if given is not None and given.complete and prefetch is not None:
        numbers = count()
        values = given.positional[prefetch:]
        return tuple(
            _input_tree(value, numbers, specs[index] if specs is not None and index < len(specs) else None)
            for index, value in enumerate(values)
        )
    return None if specs is None else _refs(Role.INPUT, specs)


def _input_tree(value: Value, numbers: Iterator[int], spec: Value | None = None) -> Value:
    """What the kernel sees of one argument: the same tree, of Refs."""
    match value:
        case Sequence(items=items, is_list=is_list):
            return Sequence(tuple(_input_tree(item, numbers) for item in items), is_list)
        case NamedTuple(cls=cls, items=items):
            return NamedTuple(cls, tuple(_input_tree(item, numbers) for item in items))
        case Mapping(items=pairs):
            return Mapping(tuple((key, _input_tree(item, numbers)) for key, item in pairs))
        case _ if value == NONE:
            return NONE
        case Instance():
            fields = fields_of(value)
            if fields is None:
                return UNKNOWN
            return Record(value.cls, tuple((name, _input_tree(item, numbers)) for name, item in fields))
        case _:
            array = arithmetic.as_array(value)
            shape, dtype = (None, "") if array is None else (array.shape, arithmetic.on_device(array.dtype))
            declared = isinstance(value, Unknown) and is_array_parameter(value)
            leaf = array is not None or declared or _is_block_spec(spec)
            return Ref(Role.INPUT, next(numbers), "", *_block(shape, dtype, spec), leaf=leaf)


def _outputs(shapes: Value, specs: Value | None, hidden: bool) -> tuple[Value, ...] | None:
    """The output parameters: a sequence spreads into one each, anything else is one."""
    numbers = count()
    known_specs = None if specs is None else members.items_of(specs)
    match shapes:
        case Sequence(items=items) | NamedTuple(items=items):
            aligned: tuple[Value | None, ...] = (None if specs is None else UNKNOWN,) * len(items)
            if known_specs is not None and len(known_specs) == len(items):
                aligned = known_specs
            return tuple(_output_tree(item, spec, numbers, hidden) for item, spec in zip(items, aligned, strict=True))
        case Unknown() | Something():
            if known_specs is not None:
                return tuple(_output_tree(UNKNOWN, spec, numbers, hidden) for spec in known_specs)
            if isinstance(specs, Constructed):
                return (_output_tree(UNKNOWN, specs, numbers, hidden),)
            return None
        case _ if len(alternatives(shapes)) > 1:
            return None
        case _:
            return (_output_tree(shapes, specs, numbers, hidden),)


def _output_tree(value: Value, spec: Value | None, numbers: Iterator[int], hidden: bool) -> Value:
    match value:
        case Sequence(items=items, is_list=is_list):
            return Sequence(tuple(_output_tree(item, UNKNOWN, numbers, hidden) for item in items), is_list)
        case NamedTuple(cls=cls, items=items):
            return NamedTuple(cls, tuple(_output_tree(item, UNKNOWN, numbers, hidden) for item in items))
        case Mapping(items=pairs):
            ordered = sorted(pairs, key=lambda pair: str(pair[0]))
            return Mapping(tuple((key, _output_tree(item, UNKNOWN, numbers, hidden)) for key, item in ordered))
        case Instance():
            fields = fields_of(value)
            if fields is None:
                return UNKNOWN
            return Record(
                value.cls, tuple((name, _output_tree(item, UNKNOWN, numbers, hidden)) for name, item in fields)
            )
        case _ if value == NONE:
            return NONE
        case _:
            shape, dtype = described_array(value)
            block = _block(shape, dtype, UNKNOWN if spec is None and hidden else spec)
            leaf = isinstance(value, (Constructed, Array)) or _is_block_spec(spec)
            return Ref(Role.OUTPUT, next(numbers), "", *block, leaf=leaf)


def described_array(value: Value) -> tuple[Shape | None, str]:
    """The shape and dtype of an output, given as a ShapeDtypeStruct or an array."""
    match value:
        case Constructed(name="jax.ShapeDtypeStruct"):
            return arithmetic.shape_of(value.get("shape")), arithmetic.dtype_name(value.get("dtype"))
        case Array(shape=shape, dtype=dtype):
            return shape, dtype
        case _:
            return None, ""


def _block(shape: Shape | None, dtype: str, spec: Value | None) -> tuple[Shape | None, str, str]:
    """The shape, dtype and memory space of the Ref for an array under a BlockSpec; no spec means the whole array."""
    if spec is None or spec == NONE:
        return shape, dtype, ""
    if not isinstance(spec, Constructed):
        return None, dtype, ""
    space = spec.get("memory_space")
    memory_space = space.name.rpartition(".")[2] if isinstance(space, External) else ""
    dimensions = spec.get("block_shape")
    if dimensions is None or dimensions == NONE:
        return shape, dtype, memory_space
    items = members.items_of(dimensions)
    if items is None or (shape is not None and len(shape) != len(items)):
        return None, dtype, memory_space  # unknown, or a launch that JAX refuses
    kept = [item for item in items if not _is_dropped(item)]
    return arithmetic.shape_of(Sequence(tuple(kept))), dtype, memory_space


def _is_block_spec(spec: Value | None) -> bool:
    """Whether a spec is one BlockSpec: the argument is one array, or JAX refuses the launch."""
    return isinstance(spec, Constructed) and spec.name.endswith(".BlockSpec")


def _is_dropped(dimension: Value) -> bool:
    if dimension == NONE:
        return True
    name = dimension.name if isinstance(dimension, (External, Constructed)) else ""
    return name.rpartition(".")[2] in _DROPPED_DIMENSIONS


def _scratch(value: Value | None, hidden: bool) -> tuple[tuple[Value, ...] | None, tuple[tuple[str, Value], ...]]:
    """The scratch parameters: by position, and by keyword when they are given as a dict."""
    if value is None:
        return (None if hidden else ()), ()
    if isinstance(value, Mapping):
        return (), tuple((str(key), scratch_ref(item, index)) for index, (key, item) in enumerate(value.items))
    items = members.items_of(value)
    if items is None:
        return None, ()
    return tuple(scratch_ref(item, index) for index, item in enumerate(items)), ()


def scratch_ref(value: Value, index: int) -> Value:
    """The Ref that a scratch type makes, a tree of them for a tree of types."""
    match value:
        case Sequence(items=items, is_list=is_list):
            return Sequence(tuple(scratch_ref(item, index) for item in items), is_list)
        case Mapping(items=pairs):
            return Mapping(tuple((key, scratch_ref(item, index)) for key, item in pairs))
        case Constructed(name=name):
            shape = arithmetic.shape_of(value.get("shape"))
            dtype = arithmetic.dtype_name(value.get("dtype"))
            return Ref(Role.SCRATCH, index, "", shape, dtype, name.rpartition(".")[2], leaf=True)
        case _ if value == NONE:
            return NONE
        case _:
            return Ref(Role.SCRATCH, index, "")


def _result_value(shapes: Value) -> Value:
    """What a launched kernel returns to its caller; a list of shapes comes back as a tuple."""
    match shapes:
        case Sequence(items=items):
            return Sequence(tuple(_result_value(item) for item in items))
        case NamedTuple(cls=cls, items=items):
            return NamedTuple(cls, tuple(_result_value(item) for item in items))
        case Mapping(items=pairs):
            return Mapping(tuple((key, _result_value(item)) for key, item in pairs))
        case Constructed() | Array():
            return Array(*described_array(shapes))
        case _ if shapes == NONE:
            return NONE
        case _:
            return UNKNOWN

"""Outline: the kernels and launches of a file, and what each parameter of a kernel is bound to.

What editors show besides findings is made of this. A part that is not known is empty or None.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from pallas_lsp.check import analysis_of
from pallas_lsp.config import DEFAULT, Settings
from pallas_lsp.findings import Position, Range
from pallas_lsp.rules.launches import Spot, argument, head, is_block_spec, is_shape, part, spot_of
from pallas_lsp.semantics import members
from pallas_lsp.semantics.analysis import Analysis
from pallas_lsp.semantics.bindings import scope_bindings
from pallas_lsp.semantics.kernels import kernel_name, leaves
from pallas_lsp.semantics.launches import OWN_STORES, KernelRun, described_array
from pallas_lsp.semantics.launches import Launch as FollowedLaunch
from pallas_lsp.semantics.project import Project
from pallas_lsp.semantics.values import NONE, Constructed, Function, Ref, Role, Sequence, Shape, Value
from pallas_lsp.syntax import Chunk, walk


@dataclass(frozen=True, slots=True)
class Place:
    """A range of a file; `path` is None for the file that the outline is of."""

    range: Range
    path: str | None = None


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a kernel, as one launch fills it.

    Args:
      name: in the kernel.
      range: of the name, in the file of the kernel.
      role: what it is to the launch; `Role.UNKNOWN` for several Refs of different roles.
      index: 0-based among the parameters of its role.
      references: how many Refs it holds: more than 1 for a tree, or for `*refs`.
      shape: of the block, such as `(8, 128)`; as it is written where its sizes are not known.
      dtype: such as `float32`.
      memory_space: such as `SMEM`; empty for the default as well.
      specification: its BlockSpec, or what its scratch is made of.
      bound: the item of `out_shape`, or the argument, that it stands for.
    """

    name: str
    range: Range
    role: Role
    index: int
    references: int = 1
    shape: str = ""
    dtype: str = ""
    memory_space: str = ""
    specification: Place | None = None
    bound: Place | None = None

    @property
    def type(self) -> str:
        """The dtype and block shape as JAX writes them, such as `float32[8,128]`; empty when neither is known."""
        return _type_text(self.dtype, self.shape)


@dataclass(frozen=True, slots=True)
class Launch:
    """One function launched at one place.

    Args:
      place: of the call.
      entry: of the function that is called, such as `pl.pallas_call`; of the whole decorator where it is one.
      entry_name: such as `pallas_call`.
      function: of the expression that gives the kernel to the call, unless it is a lambda.
      kernel_name: what JAX calls the kernel.
      kernel: the name of its function where it is defined; None when that is not in view.
      grid: as it is written.
      outputs: dtype and shape of each, as in `float32[16,128]`; None when their number is not known.
      parameters: of the kernel, in its order.
    """

    place: Place
    entry: Place
    entry_name: str
    function: Place | None
    kernel_name: str
    kernel: Place | None
    grid: str
    outputs: tuple[str, ...] | None
    parameters: tuple[Parameter, ...]


@dataclass(frozen=True, slots=True)
class Use:
    """A place in a kernel where a parameter that holds Refs is named, its definition included."""

    name: str
    range: Range


@dataclass(frozen=True, slots=True)
class Kernel:
    """A function of the file that is launched as a kernel.

    Args:
      name: of the function, `<lambda>` for a lambda.
      name_range: of its name; of a lambda the whole.
      range: of the function.
      launches: in the order in which they were met, those in other files included.
      uses: of its parameters that hold Refs, in the order of the text.
    """

    name: str
    name_range: Range
    range: Range
    launches: tuple[Launch, ...]
    uses: tuple[Use, ...]

    def parameters(self, name: str) -> tuple[Parameter, ...]:
        """What a parameter is in each launch, each way once."""
        found = (one for launch in self.launches for one in launch.parameters if one.name == name)
        return tuple(dict.fromkeys(found))


@dataclass(frozen=True, slots=True)
class Outline:
    """What is launched in a file, and where its kernels are launched.

    Args:
      kernels: that the file defines, in the order of the text.
      launches: that stand in the file, in the order of the text; one for each function that may be the kernel.
    """

    kernels: tuple[Kernel, ...] = ()
    launches: tuple[Launch, ...] = ()


def outline(text: str, settings: Settings = DEFAULT, *, path: str = "", project: Project | None = None) -> Outline:
    """The outline of one version of one file; takes what `check` does, and uses again what it has found out.

    Args:
      text: the whole file; any text at all.
      settings: for the JAX release.
      path: the file; imports are looked up from there.
      project: the other modules; made anew when None.

    Returns:
      What is known; empty for a file without kernels. Never raises.
    """
    project = project if project is not None else Project()
    module = project.update(path, text)
    if not module.may_hold_kernels:
        return Outline()
    try:
        return outline_of(analysis_of(module, project, settings))
    except RecursionError:
        return Outline()


def outline_of(analysis: Analysis) -> Outline:
    """The outline of a module that was analysed."""
    own = analysis.module.path
    launches: dict[tuple[ast.AST, ast.AST | None], tuple[KernelRun, Launch]] = {}
    for run in _runs(analysis):
        function = run.function
        key = (run.launch.node, None if function is None else function.node)
        known = launches.get(key)
        if known is None or (known[0].given is None and run.given is not None):
            made = _Outliner(analysis, run).launch()
            if made is not None:
                launches[key] = (run, made)
    by_kernel: dict[ast.AST, tuple[Function, list[Launch]]] = {}
    for run, launch in launches.values():
        if run.function is not None and run.function.frame.path == own and launch.kernel is not None:
            by_kernel.setdefault(run.function.node, (run.function, []))[1].append(launch)
    kernels = [
        Kernel(
            function.name,
            _name_range(analysis, function),
            analysis.module.parsed.range_of(function.chunk, function.node),
            tuple(found),
            tuple(_uses(analysis, function, found)),
        )
        for function, found in by_kernel.values()
    ]
    standing = [launch for _, launch in launches.values() if launch.place.path is None]
    return Outline(
        tuple(sorted(kernels, key=lambda kernel: kernel.range)),
        tuple(sorted(standing, key=lambda launch: launch.place.range)),
    )


def _uses(analysis: Analysis, function: Function, launches: Iterable[Launch]) -> list[Use]:
    """Where the parameters that hold Refs are named: where they are defined, and in the body."""
    defined = {one.name: one.range for launch in launches for one in launch.parameters}
    body = [function.node.body] if isinstance(function.node, ast.Lambda) else function.node.body
    parsed = analysis.module.parsed
    nodes = (node for part in body for node in _named(part, frozenset(defined), function.chunk))
    uses = [Use(node.id, parsed.range_of(function.chunk, node)) for node in nodes]
    return sorted((*(Use(name, range) for name, range in defined.items()), *uses), key=lambda use: use.range)


def _named(node: ast.AST, names: frozenset[str], chunk: Chunk) -> Iterator[ast.Name]:
    """The nodes that name one of some variables of a function, where inner scopes do not bind the name anew."""
    stack: list[tuple[ast.AST, frozenset[str]]] = [(node, names)]
    while stack:
        inner, wanted = stack.pop()
        if isinstance(inner, ast.Name) and inner.id in wanted:
            yield inner
        if isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            arguments = inner.args
            stack += [(one, wanted) for one in (*arguments.defaults, *arguments.kw_defaults) if one is not None]
            stack += [(one, wanted) for one in getattr(inner, "decorator_list", ())]
            body = [inner.body] if isinstance(inner, ast.Lambda) else inner.body
            own = {one.arg for one in ast.walk(arguments) if isinstance(one, ast.arg)}
            free = {name for one in body if isinstance(one, ast.Nonlocal) for name in one.names}
            wanted -= own | (scope_bindings(body, chunk) - free)
            stack += [(one, wanted) for one in body]
        elif isinstance(inner, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            targets = scope_bindings([generator.target for generator in inner.generators], chunk)
            stack += [(one, wanted - targets) for one in ast.iter_child_nodes(inner)]
        else:
            stack += [(one, wanted) for one in ast.iter_child_nodes(inner)]


def _runs(analysis: Analysis) -> Iterator[KernelRun]:
    """The kernels that are launched, bodies inside of kernels left out."""
    for launch in analysis.launches:
        if launch.row.signature in OWN_STORES and not launch.never_runs:
            yield from launch.runs


def _name_range(analysis: Analysis, function: Function) -> Range:
    """The name in `def`, or a whole lambda; in the module of the function."""
    path = function.frame.path
    parsed = (analysis.module if path == analysis.module.path else analysis.interpreter.module(path)).parsed
    whole = parsed.range_of(function.chunk, function.node)
    if isinstance(function.node, ast.Lambda):
        return whole
    line = parsed.source.line(whole.start.line)
    found = _DEF.match(line, whole.start.character)
    if found is None:  # `def` and the name are on two lines
        return Range(whole.start, whole.start)
    return Range(Position(whole.start.line, found.start(1)), Position(whole.start.line, found.end(1)))


_DEF = re.compile(r"(?:async\s+)?def\s+(\w+)")


@dataclass(frozen=True, slots=True)
class _Outliner:
    """Describes one run of a kernel."""

    analysis: Analysis
    run: KernelRun

    def launch(self) -> Launch | None:
        """The launch; None when its place is not known."""
        followed = self.run.launch
        place = self._place(Spot(followed.node, followed.chunk, followed.path))
        entry = self._place(head(followed))
        if place is None or entry is None:
            return None
        function = self.run.function
        return Launch(
            place,
            entry,
            followed.row.short_name,
            self._function(argument(followed, "kernel")),
            kernel_name(self.run),
            None if function is None else self._kernel(function),
            self._text(part(followed, "grid"), unless=head(followed)),
            _output_types(followed),
            () if function is None else tuple(self._parameters(function)),
        )

    def _kernel(self, function: Function) -> Place | None:
        path = function.frame.path
        try:
            name = _name_range(self.analysis, function)
        except KeyError:  # of another version of its module
            return None
        return Place(name, None if path == self.analysis.module.path else path)

    def _function(self, spot: Spot | None) -> Place | None:
        return None if spot is None or isinstance(spot.node, ast.Lambda) else self._place(spot)

    def _place(self, spot: Spot | None) -> Place | None:
        if spot is None:
            return None
        own = spot.path == self.analysis.module.path
        module = self.analysis.module if own else self.analysis.interpreter.module(spot.path)
        try:
            return Place(module.parsed.range_of(spot.chunk, spot.node), None if own else spot.path)
        except KeyError:  # of another version of its module
            return None

    def _text(self, spot: Spot, unless: Spot | None = None) -> str:
        """The source at a spot; empty where it is the spot that stands for nothing."""
        place = self._place(spot)
        if place is None or (unless is not None and spot.node is unless.node):
            return ""
        own = place.path is None
        module = self.analysis.module if own else self.analysis.interpreter.module(spot.path)
        return module.parsed.source.slice(place.range)

    def _parameters(self, function: Function) -> Iterator[Parameter]:
        """The parameters that hold Refs, in the order of the signature."""
        counts: dict[Role, int] = {}
        application = _application(self.run.launch)
        aligned = True  # a None takes a place among the arguments, specs and outputs, and has no Ref to count
        arguments = function.node.args
        signature = [*arguments.posonlyargs, *arguments.args, arguments.vararg, *arguments.kwonlyargs]
        for parameter in signature:
            value = None if parameter is None else self.run.invocation.arguments.get(parameter.arg)
            references = [] if value is None else list(leaves([value]))
            if parameter is None or value is None or not references:
                aligned = aligned and value != NONE
                continue
            named = self._place(Spot(parameter, function.chunk, function.frame.path))
            if named is None:
                continue
            start = named.range.start
            range = Range(start, Position(start.line, start.character + len(parameter.arg)))
            roles = {reference.role for reference in references}
            role = roles.pop() if len(roles) == 1 else Role.UNKNOWN
            several = parameter is arguments.vararg and isinstance(value, Sequence)
            index = counts.get(role, 0)
            for passed in value.items if several and isinstance(value, Sequence) else (value,):
                for passed_role in {reference.role for reference in leaves([passed])}:
                    counts[passed_role] = counts.get(passed_role, 0) + 1
            if isinstance(value, Ref):
                single = self._single(parameter.arg, range, value, index, application)
                yield single if aligned else replace(single, specification=None, bound=None)
            else:
                yield Parameter(parameter.arg, range, role, index, len(references))

    def _single(self, name: str, range: Range, value: Ref, index: int, application: ast.Call | None) -> Parameter:
        launch = self.run.launch
        keyword = _SPECIFICATIONS.get(value.role, "")
        specification = _item(launch.part(keyword), index) if keyword else None
        made = spot_of(specification) if isinstance(specification, Constructed) else None
        bound = _bound(launch, application, value.role, index)
        return Parameter(
            name,
            range,
            value.role,
            index,
            1,
            self._shape(value, specification, made),
            value.dtype,
            value.memory_space,
            self._place(made),
            self._place(None if bound is None else Spot(bound, launch.chunk, launch.path)),
        )

    def _shape(self, value: Ref, specification: Value | None, made: Spot | None) -> str:
        """The shape of a block: in numbers if all of them are known, else as it is written."""
        if value.shape is not None and None not in value.shape:
            return _sizes(value.shape)
        if made is None or not is_block_spec(specification) or not isinstance(made.node, ast.Call):
            return ""
        keywords = [keyword.value for keyword in made.node.keywords if keyword.arg == "block_shape"]
        written = [*made.node.args[:1], *keywords]
        if not written or not isinstance(written[0], (ast.Tuple, ast.List)):
            return ""
        return " ".join(self._text(Spot(written[0], made.chunk, made.path)).split())


_SPECIFICATIONS = {Role.INPUT: "in_specs", Role.OUTPUT: "out_specs", Role.SCRATCH: "scratch_shapes"}


def _item(value: Value | None, index: int) -> Value | None:
    """An item of specs that are given one by one; what is given for all is the item."""
    items = members.items_of(value) if isinstance(value, Sequence) else None
    if items is None:
        return value if index == 0 and isinstance(value, Constructed) else None
    return items[index] if index < len(items) else None


def _bound(launch: FollowedLaunch, application: ast.Call | None, role: Role, index: int) -> ast.expr | None:
    """The item of `out_shape`, or the argument of the application, that a parameter stands for."""
    if role is Role.OUTPUT:
        given = argument(launch, "outputs")
        if given is None:
            return None
        node = given.node
        if isinstance(node, (ast.Tuple, ast.List)):
            return _plain_item(node.elts, index)
        single = not isinstance(launch.named.get("outputs"), Sequence) and index == 0
        return node if single and isinstance(node, ast.expr) else None
    prefetched = launch.prefetched
    if application is None or prefetched is None or role not in (Role.INPUT, Role.PREFETCH):
        return None
    return _plain_item(application.args, index + prefetched if role is Role.INPUT else index)


def _plain_item(nodes: list[ast.expr], index: int) -> ast.expr | None:
    spread = any(isinstance(node, ast.Starred) for node in nodes[: index + 1])
    return nodes[index] if index < len(nodes) and not spread else None


def _application(launch: FollowedLaunch) -> ast.Call | None:
    """The call of what a launch returns, where it stands with the launch."""
    nodes: Iterable[ast.AST] = (node for statement in launch.chunk.statements for node in walk(statement))
    return next((node for node in nodes if isinstance(node, ast.Call) and node.func is launch.node), None)


def _output_types(launch: FollowedLaunch) -> tuple[str, ...] | None:
    """The dtype and shape of each output, None where their number is not known."""
    given = launch.named.get("outputs")
    items = (given,) if is_shape(given) else members.items_of(given) if isinstance(given, Sequence) else None
    if items is None:
        return None
    arrays = [described_array(item) for item in items if item is not None]
    return tuple(_type_text(dtype, "" if shape is None else _sizes(shape)) for shape, dtype in arrays)


def _type_text(dtype: str, shape: str) -> str:
    sizes = shape.strip("()[]").rstrip(",").replace(" ", "")
    return f"{dtype}[{sizes}]" if shape else dtype


def _sizes(shape: Shape) -> str:
    sizes = ["?" if size is None else str(size) for size in shape]
    return f"({sizes[0]},)" if len(sizes) == 1 else f"({', '.join(sizes)})"

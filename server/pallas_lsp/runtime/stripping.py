"""Makes a kernel of a function that returns its results: the returns become stores."""

from __future__ import annotations

import functools
import types
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from pallas_lsp.findings import Edit, Range
from pallas_lsp.rewrite import Refusal, Rewrite, combine
from pallas_lsp.rules.base import range_in
from pallas_lsp.rules.places import Impossible, place_of
from pallas_lsp.rules.plans import plans_for
from pallas_lsp.rules.storing import managed_outputs
from pallas_lsp.runtime.objects import Objects
from pallas_lsp.runtime.recompile import NotRecompiled, with_edits
from pallas_lsp.runtime.sources import Located
from pallas_lsp.runtime.verdicts import called_by, launch_of
from pallas_lsp.semantics.analysis import Analysis, analyse
from pallas_lsp.semantics.arguments import Arguments
from pallas_lsp.semantics.jax_api import Version, as_version
from pallas_lsp.semantics.kernels import Verdict, Way, leaves, verdict
from pallas_lsp.semantics.launches import KernelRun
from pallas_lsp.semantics.values import (
    Function,
    Mapping,
    NamedTuple,
    NotJax,
    Ref,
    Role,
    Unknown,
    Value,
)
from pallas_lsp.semantics.values import Sequence as SequenceValue
from pallas_lsp.target import target_of

Kernel = TypeVar("Kernel")

Outputs = int | str | Sequence[str] | None
"""Which parameters are outputs: how many, their names, or None to find out."""


class StripError(ValueError):
    """A function could not be made a kernel. The message says which, where, why, and what to do."""


def strip_return(kernel: Kernel, *, outputs: Outputs = None) -> Kernel:
    """Makes a kernel of a function that returns its results: each `return` becomes a store into the output Refs.

    The result is a new function object: only its code differs. Globals, closure, defaults, annotations, names,
    attributes and the lines that tracebacks show are those of `kernel`, which stays as it is. A function that is
    proved to return None already is given back itself.

    Args:
      kernel: a function, lambda, `functools.partial`, bound method or callable object. Its source must be in reach.
      outputs: the output parameters: their names, or how many the last ones are (where no scratch follows them). When
        None, the launches in the kernel's own module decide; without any, the last parameters, as many as values are
        returned. Parameters with a default are never outputs unless they are named.

    Returns:
      What `kernel` was: a partial of the new function, a method bound to the same object, a function.

    Raises:
      StripError: there is no source, the outputs are not known, or a store is not known to be right.
    """
    stripped: Kernel = _stripped(kernel, _Request(outputs))
    return stripped


@dataclass(frozen=True, slots=True)
class _Request:
    """What is to be done, and what partials and methods around the function give it.

    Args:
      outputs: as the caller says.
      positional: the first arguments.
      keywords: further arguments by name.
      objects: describes them.
    """

    outputs: Outputs
    positional: tuple[Value, ...] = ()
    keywords: dict[str, Value] = field(default_factory=dict)
    objects: Objects = field(default_factory=Objects)

    def after(self, arguments: Iterable[Any], keywords: dict[str, Any]) -> _Request:
        """The request for a function that is given more arguments, before those of this one."""
        values = self.objects.value_of
        first = tuple(map(values, arguments))
        named = {name: values(value) for name, value in keywords.items()}
        return _Request(self.outputs, first + self.positional, {**named, **self.keywords}, self.objects)


def _stripped(kernel: Any, request: _Request) -> Any:
    if isinstance(kernel, functools.partial):
        inner = _stripped(kernel.func, request.after(kernel.args, kernel.keywords))
        made = functools.partial(inner, *kernel.args, **kernel.keywords)
        made.__dict__.update(kernel.__dict__)
        return made
    if isinstance(kernel, types.MethodType):
        return types.MethodType(_stripped(kernel.__func__, request.after((kernel.__self__,), {})), kernel.__self__)
    if isinstance(kernel, types.FunctionType):
        return _Stripping(kernel, request).stripped()
    if called_by(kernel) is not kernel:
        return _stripped(called_by(kernel), request)
    if hasattr(kernel, "__wrapped__"):
        name = getattr(kernel, "__name__", "the function")
        raise StripError(f"`{name}` is wrapped by `{type(kernel).__name__}`: strip the function, then wrap the result.")
    raise StripError(f"{kernel!r} is not a Python function, so there is no source to rewrite.")


class _Stripping:
    """One function on its way to become a kernel."""

    def __init__(self, function: types.FunctionType, request: _Request) -> None:
        self.function = function
        self.request = request
        self.objects = request.objects
        value = self.objects.value_of(function)
        found = self.objects.located.get(function.__code__)
        if found is None or not isinstance(value, Function):
            if hasattr(function, "__wrapped__"):
                raise self.error("It is a wrapper that cannot be looked into", "Strip the function that it wraps")
            raise self.error(
                "Its source is not to be had: it was made by `exec`, or its file is another one now",
                "Write the kernel in a file, and import it anew",
            )
        self.value = value
        self.found: Located = found

    def error(self, reason: str, advice: str, line: int | None = None) -> StripError:
        """The error for this function; `line` is 1-based, by default that of the function."""
        code = self.function.__code__
        place = f"{code.co_filename}:{line or code.co_firstlineno}"
        return StripError(f"`{self.function.__name__}` at {place} cannot be made a kernel. {reason}. {advice}.")

    def stripped(self) -> types.FunctionType:
        """The function with stores for returns."""
        parameters = self.parameters()
        run = self.run(parameters)
        analysis = Analysis(self.found.module, (run.launch,), (), self.objects.interpreter, self.target(), ())
        if isinstance(run.invocation.value, NotJax) and not run.invocation.returns:
            kind = run.invocation.value.type_name
            raise self.error(f"Calling it gives a {kind}", "Write it as a plain function")
        ways = [Way(run, self.value, returned) for returned in run.invocation.returns]
        rewrites = [self.rewrite(analysis, way) for way in ways if verdict(way.returned.value) is not Verdict.NONE]
        if not rewrites:
            return self.function
        edits = combine(*rewrites)
        if isinstance(edits, Refusal):
            raise self.error(edits.reason.rstrip("."), "Write the stores by hand")
        try:
            return with_edits(self.function, self.found, edits)
        except NotRecompiled as error:
            raise self.error(str(error), "Write the stores by hand") from None

    def target(self) -> Version:
        """The JAX release that the function is written for."""
        return as_version(target_of(self.found.module.path))

    # -- parameters ----------------------------------------------------------------------------------------------

    def parameters(self) -> dict[str, Value]:
        """What each parameter is that the launch gives a Ref, and what each is that a partial gives a value."""
        arguments = self.found.node.args
        positional = [one.arg for one in (*arguments.posonlyargs, *arguments.args)]
        optional = positional[len(positional) - len(arguments.defaults) :]
        bound = dict(zip(positional, self.request.positional, strict=False)) | self.request.keywords
        keyword_only = [
            one.arg for one, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if default is None
        ]
        named = self._named_outputs()
        free = [name for name in positional if name not in bound and (name not in optional or name in named)]
        launched = {} if named else self._launched(set(bound))
        if launched:
            return {**launched, **bound}
        number = self.request.outputs if isinstance(self.request.outputs, int) else None
        if number is None and not named:
            number = self._number_of_values({**_refs(free, []), **bound})
        if number is not None:
            if not 0 < number <= len(free):
                raise self.error(
                    f"There are {len(free)} parameters without a value, and {number} outputs are needed",
                    "Say with `outputs=` which parameters are the outputs",
                )
            named = free[len(free) - number :]
        unknown = [name for name in named if name not in (*free, *keyword_only)]
        if unknown:
            raise self.error(f"There is no free parameter `{unknown[0]}`", f"The parameters are {', '.join(free)}")
        return {**_refs([*free, *keyword_only], named), **bound}

    def _named_outputs(self) -> list[str]:
        outputs = self.request.outputs
        if outputs is None or isinstance(outputs, int):
            return []
        return [outputs] if isinstance(outputs, str) else list(outputs)

    def _launched(self, bound: set[str]) -> dict[str, Value]:
        """The parameters as the launches of the kernel's own module give them; empty when there are none."""
        if self.request.outputs is not None:
            return {}
        analysis = analyse(self.found.module, self.objects.sources.project, self.target())
        runs = [
            run
            for launch in analysis.launches
            for run in launch.runs
            if run.function is not None and run.function.node is self.found.node and run.outputs is not None
        ]
        runs = [run for run in runs if run.given is not None] or runs
        found = [{name: value for name, value in run.invocation.arguments.items() if name not in bound} for run in runs]
        if any(run.lacks_outputs for run in runs):
            raise self.error("It has no parameter for its output", "Add one after the inputs, such as `o_ref`")
        if not found or any(one.keys() != found[0].keys() for one in found):
            return {}
        if all(one == found[0] for one in found):
            return found[0]
        roles = [{name: _role(value) for name, value in one.items()} for one in found]
        if any(one != roles[0] for one in roles):
            raise self.error(
                "Its launches give it different outputs", "Say with `outputs=` which parameters are the outputs"
            )
        return _refs(list(roles[0]), [name for name, role in roles[0].items() if role is Role.OUTPUT])

    def _number_of_values(self, parameters: dict[str, Value]) -> int:
        returns = self.run(parameters).invocation.returns
        returned = [one.value for one in returns if verdict(one.value) is not Verdict.NONE]
        numbers = {_number_of_items(value) for value in returned} or {1}
        number = numbers.pop()
        if numbers or number is None:
            raise self.error("It is not known which of its parameters are outputs", "Name them with `outputs=`")
        return number

    def _arguments(self, parameters: dict[str, Value]) -> Arguments:
        star = self.found.node.args.vararg
        extra = parameters.get(star.arg) if star is not None else None
        if not isinstance(extra, SequenceValue):
            return Arguments((), tuple(parameters.items()))
        arguments = self.found.node.args
        first = [one.arg for one in (*arguments.posonlyargs, *arguments.args) if one.arg in parameters]
        others = [name for name in parameters if name not in first and star is not None and name != star.arg]
        positional = (*(parameters[name] for name in first), *extra.items)
        return Arguments(positional, tuple((name, parameters[name]) for name in others))

    def run(self, parameters: dict[str, Value]) -> KernelRun:
        """The function followed as the kernel of a launch."""
        arguments = self._arguments(parameters)
        launch = launch_of(self.value, self.value)
        invocation = self.objects.interpreter.follow_kernel(launch, self.value, arguments)
        found = dict.fromkeys(value for value in arguments.values() if _role(value) is Role.OUTPUT)
        outputs = tuple(sorted(found, key=lambda value: next(leaves((value,))).index))
        slots = len(parameters)
        return KernelRun(launch, self.value, invocation, outputs, (), None, slots, slots, arguments, self.value)

    # -- returns -------------------------------------------------------------------------------------------------

    def rewrite(self, analysis: Analysis, way: Way) -> Rewrite:
        """The store for one return.

        Raises:
          StripError: none is known to be right.
        """
        place = range_in(analysis, way.function.chunk, way.node)
        line = place.start.line + 1
        value = way.returned.value
        if verdict(value) is Verdict.UNKNOWN and not isinstance(value, Unknown):
            raise self.error(
                "It is not known whether it returns a value here", "Return None or a value for certain", line
            )
        where = place_of(analysis, way)
        try:
            plans = list(plans_for(where))
        except Impossible as impossible:
            raise self.error(str(impossible).rstrip("."), "Write the store by hand", line) from None
        doubts = [f"The `with` block around it is given `{name}`." for name in managed_outputs(where)]
        reasons: list[str] = []
        for plan in plans:
            if isinstance(plan.rewrite, Refusal):
                reasons.append(plan.rewrite.reason)
            elif plan.doubts or doubts or not _is_inside(plan.rewrite, self._whole(analysis)):
                reasons += [*plan.doubts, *doubts]
            else:
                return plan.rewrite
        reason = reasons[0] if reasons else "No store is known to be right."
        raise self.error(reason.rstrip("."), "Write the store by hand", line)

    def _whole(self, analysis: Analysis) -> Range:
        return range_in(analysis, self.found.chunk, self.found.node)


def _number_of_items(value: Value) -> int | None:
    """How many outputs a returned value needs; None when that is not known."""
    match value:
        case SequenceValue(items=items) | NamedTuple(items=items):
            return len(items)
        case Mapping():
            return None
        case _:
            return 1


def _is_inside(edits: Iterable[Edit], whole: Range) -> bool:
    """Whether edits change the function alone; a line that is removed ends where the next one starts."""
    return all(whole.start <= edit.range.start <= whole.end for edit in edits)


def _role(value: Value) -> Role | None:
    """The one role of the Refs in a parameter; None when there are none."""
    roles = {ref.role for ref in leaves((value,))}
    return roles.pop() if len(roles) == 1 else None


def _refs(names: list[str], outputs: list[str]) -> dict[str, Value]:
    """Parameters of which nothing but the roles is known: inputs, outputs, then scratch."""
    found: dict[str, Value] = {}
    seen = False
    for index, name in enumerate(names):
        if name in outputs:
            found[name] = Ref(Role.OUTPUT, outputs.index(name), "", leaf=True)
            seen = True
        else:
            found[name] = Ref(Role.SCRATCH if seen else Role.INPUT, index, "")
    return found

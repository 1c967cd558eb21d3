"""Kernels, launches and parameters in words, in Markdown. A client that shows none gets it without the marks."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pallas_lsp.outline import Kernel, Launch, Parameter, Place
from pallas_lsp.semantics.values import Role

Where = Callable[[Place], str]
"""Says where a place is."""

_SPECIFICATIONS = {Role.INPUT: "spec", Role.OUTPUT: "spec", Role.SCRATCH: "made"}
_BOUND = {Role.OUTPUT: "`out_shape`", Role.INPUT: "argument", Role.PREFETCH: "argument"}


def plain(markdown: str) -> str:
    """The same without the marks of Markdown."""
    return markdown.replace("`", "").replace("**", "")


def of_kernel(kernel: Kernel, where: Where) -> str:
    """Where a kernel is launched, and what its parameters are there."""
    return "\n\n".join([f"**kernel** `{kernel.name}`", *(of_launch(launch, where) for launch in kernel.launches)])


def of_launch(launch: Launch, where: Where) -> str:
    """What a launch launches, on which grid, and what it gives to each parameter."""
    grid = f", grid `{_on_one_line(launch.grid)}`" if launch.grid else ""
    head = f"`{launch.entry_name}` of `{launch.kernel_name}` at {where(launch.place)}{grid}{outputs_of(launch)}"
    rows = [f"- `{parameter.name}`: {of_parameter(parameter, where)}" for parameter in launch.parameters]
    return "\n".join([head, *(["", *rows] if rows else ())])


def outputs_of(launch: Launch) -> str:
    """The number of outputs, as in `, 2 outputs`; empty when it is not known."""
    if launch.outputs is None:
        return ""
    return f", {len(launch.outputs)} output{'' if len(launch.outputs) == 1 else 's'}"


def of_parameter(parameter: Parameter, where: Where) -> str:
    """What a parameter is to its launch: role, block, memory, and where these are said."""
    role = parameter.role.value
    if parameter.references > 1:
        return (
            f"{parameter.references} Refs" if parameter.role is Role.UNKNOWN else f"{role}, {parameter.references} Refs"
        )
    parts = [f"{role} {parameter.index}", *_blocks(parameter), *_places(parameter, where)]
    return ", ".join(parts)


def _blocks(parameter: Parameter) -> Iterator[str]:
    if parameter.type:
        yield f"`{parameter.type}`"
    if parameter.memory_space:
        yield f"in {parameter.memory_space}"


def _places(parameter: Parameter, where: Where) -> Iterator[str]:
    for words, place in ((_SPECIFICATIONS, parameter.specification), (_BOUND, parameter.bound)):
        if place is not None and parameter.role in words:
            yield f"{words[parameter.role]} at {where(place)}"


def _on_one_line(text: str) -> str:
    return " ".join(text.split())

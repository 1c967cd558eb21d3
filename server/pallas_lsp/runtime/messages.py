"""Which rules look for the mistake behind an error of JAX: one table from the message to the codes."""

from __future__ import annotations

import re

MESSAGES: tuple[tuple[str, tuple[str, ...]], ...] = (
    # The kernel, and what it returns.
    (r"should return None\.? .*(?:It returns|Found) a PyTree", ("PAL001",)),
    (r"core_map must not return any outputs", ("PAL001",)),
    (r"traced for (?:pallas_call|core_map|mpmd_map)\b.* returned a value of type .* not a valid JAX type", ("PAL001",)),
    (r"TransformedRefs cannot be abstractified", ("PAL001",)),
    (r"emit_pipeline body function must return None", ("PAL002",)),
    (r"cond branch outputs must have the same pytree structure", ("PAL003",)),
    (r"true_fun (?:and false_fun )?output must have same type structure", ("PAL003",)),
    (r"Cannot return `Ref`s from `cond`", ("PAL003",)),
    (r"Too many leaves for PyTreeDef; expected 1", ("PAL003",)),
    (r"scan body function carry input and carry output must have the same pytree structure", ("PAL003", "PAL404")),
    (r"body result should have same structure as carry", ("PAL404",)),
    # The launch.
    (r"(?:pallas_call|kernel)\(\) missing \d+ required positional arguments?: '(?:kernel|body|f)'", ("PAL108",)),
    (r"<lambda>\(\) (?:missing|takes) \d+ (?:required )?positional argument", ("PAL201", "PAL101")),
    (r"\(\) missing \d+ required positional argument", ("PAL101", "PAL201")),
    (r"\(\) takes (?:from \d+ to )?\d+ positional arguments? but \d+ (?:was|were) given", ("PAL101", "PAL201")),
    (r"got multiple values for argument", ("PAL101",)),
    (r"(?:`in_specs` must be a tuple or a list|Pytree for `in_specs` and|`?in_specs`? .* do not match)", ("PAL102",)),
    (r"Pytree for `out_specs` and `out_shape` do not match", ("PAL103",)),
    (r"Invalid out_shape type", ("PAL104",)),
    (r"If `grid_spec` is specified, then `\w+` must be", ("PAL105",)),
    (r"Grid must be a tuple of integers|grid must be an? (?:integer|tuple)", ("PAL106",)),
    (r"got an unexpected keyword argument", ("PAL107", "PAL601")),
    (r"'(?:AbstractRef|AbstractMemoryRef|MemoryRef)' object is not iterable", ("PAL109",)),
    (r"unhashable type: 'dict'|Unknown backend in compiler_params", ("PAL110",)),
    (r"input_output_aliases", ("PAL111",)),
    (r"Only interpret mode is supported on CPU backend", ("PAL112",)),
    # Blocks and index maps.
    (r"must return \d+ values to match block_shape", ("PAL202",)),
    (r"must return integer scalars", ("PAL203",)),
    (r"'function' object is not iterable|object of type 'function' has no len\(\)", ("PAL204",)),
    (r"must have the same number of dimensions as the array shape", ("PAL205",)),
    (r"must not capture constants", ("PAL206",)),
    # Refs.
    (r"'Abstract(?:Memory)?Ref' object has no attribute", ("PAL301",)),
    (r"unsupported operand type\(s\) for .*Ref", ("PAL301",)),
    (r"Cannot store a Ref into another Ref", ("PAL304",)),
    (r"Invalid shape for `swap`", ("PAL306",)),
    (r"Invalid dtype for `swap`|dynamic_update_slice requires arguments to have the same dtypes", ("PAL307",)),
    (r"JAX arrays are immutable and do not support in-place item assignment", ("PAL309",)),
    # Values that are known only when the kernel runs.
    (r"Attempted boolean conversion of traced array", ("PAL401", "PAL207", "PAL311")),
    (r"The __(?:index|int|float|complex)__\(\) method was called on traced array", ("PAL402", "PAL311")),
    (r"abstract tracer value encountered where concrete value is expected", ("PAL402",)),
    (r"does not support the context manager protocol|object has no attribute '__enter__'", ("PAL403",)),
    (r"^AttributeError: __enter__(?: |$)", ("PAL403",)),
    (r"Axis \d+ is out of bounds for grid", ("PAL405",)),
    (r"captures constants", ("PAL501",)),
    # Releases of JAX.
    (r"module 'jax\.experimental\.pallas[\w.]*' has no attribute", ("PAL601",)),
    (r"cannot import name '\w+' from 'jax\.experimental\.pallas", ("PAL601",)),
)
"""Regular expressions for `Type: message` in one line, and the rules that report what leads to it, likeliest first."""

_COMPILED = tuple((re.compile(pattern, re.DOTALL), codes) for pattern, codes in MESSAGES)
_SPOKEN_OF = re.compile(r"(?:pallas_call|core_map|mpmd_map|[Ff]unction) (?P<name>\S+) at (?P<path>.+?):(?P<line>\d+)")


def codes_for(text: str) -> tuple[str, ...]:
    """The rules that look for the mistake behind an error, likeliest first; none for an error that no rule knows.

    Args:
      text: `Type: message`; white space does not matter.
    """
    line = " ".join(text.split())
    return next((codes for pattern, codes in _COMPILED if pattern.search(line)), ())


def place_in(text: str) -> tuple[str, int, str] | None:
    """The file, the 1-based line and the name of the function that a message of JAX speaks of; None if of none."""
    found = _SPOKEN_OF.search(" ".join(text.split()))
    return None if found is None else (found["path"], int(found["line"]), found["name"])

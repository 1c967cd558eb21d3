"""Imports a module of the user and has its kernels run in interpret mode: `python child.py REQUEST REPORT`.

It runs in the interpreter of the project, which need not have this package: only the standard library and JAX are
imported. REQUEST is a JSON file; to REPORT one JSON object a line is written, so that nothing is lost when the process
is stopped, and so that what the user's code prints does no harm.
"""

# It must run where pathlib's newest parts and this package are not.
# ruff: noqa: PTH119, PTH120, PTH122, PTH123

from __future__ import annotations

import ast
import contextlib
import importlib.util
import json
import os
import sys
import traceback
from typing import Any


class Reporter:
    """Writes what happens, a line each."""

    def __init__(self, path: str, file: str) -> None:
        self._stream = open(path, "a", encoding="utf-8")  # noqa: SIM115 - it lives as long as the process
        self.file = file

    def say(self, kind: str, **values: Any) -> None:
        """Writes one event."""
        self._stream.write(json.dumps({"kind": kind, **values}) + "\n")
        self._stream.flush()

    def error(self, function: str, error: BaseException) -> None:
        """Writes what was raised for a function, or for `import`; what the code itself wants skipped is no error."""
        kind = "skipped" if _is_skip(error) else "error"
        self.say(kind, function=function, type=type(error).__name__, message=str(error), line=self.line_of(error))

    def line_of(self, error: BaseException) -> int | None:
        """The innermost line of the checked file that an error came through."""
        lines = [frame.lineno for frame in _frames(error) if _same(frame.filename, self.file)]
        return lines[-1] if lines else None


def _is_skip(error: BaseException) -> bool:
    """Whether it is `unittest.SkipTest` or what `pytest.skip` raises; neither module may be there."""
    names = {kind.__name__ for kind in type(error).__mro__}
    return "SkipTest" in names or names >= {"Skipped", "OutcomeException"}


def _frames(error: BaseException) -> list[traceback.FrameSummary]:
    """The frames of an error and of what it was raised from; JAX keeps the full traceback there."""
    found: list[traceback.FrameSummary] = []
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        found = (
            [*traceback.extract_tb(current.__traceback__), *found]
            if found
            else list(traceback.extract_tb(current.__traceback__))
        )
        current = current.__cause__
    return found


def _same(one: str, other: str) -> bool:
    return os.path.realpath(one) == os.path.realpath(other)


class Recorder:
    """Stands in for `pl.pallas_call` and its like: interprets, and reports each launch of the checked file."""

    def __init__(self, reporter: Reporter) -> None:
        self._reporter = reporter

    def install(self) -> None:
        """Puts wrappers in place of the functions that launch kernels."""
        import jax.experimental.pallas as pallas

        for name in ("pallas_call", "kernel"):
            original = getattr(pallas, name, None)
            if original is not None:
                setattr(pallas, name, self._wrapper(original))

    def _wrapper(self, original: Any) -> Any:
        import functools
        import inspect

        parameters = inspect.signature(original).parameters
        takes_interpret = "interpret" in parameters
        body = next(iter(parameters))

        @functools.wraps(original)
        def launch(*arguments: Any, **options: Any) -> Any:
            line = self._line()
            if takes_interpret and not options.get("interpret"):
                options["interpret"] = True
            made = original(*arguments, **options)
            if line is None or not callable(made):
                return made
            if not arguments and body not in options:  # a decorator
                return lambda kernel: self._watched(made(kernel), line)
            return self._watched(made, line)

        return launch

    def _watched(self, made: Any, line: int) -> Any:
        """A launch that reports what it gives."""
        import functools

        @functools.wraps(made)
        def apply(*operands: Any, **named: Any) -> Any:
            try:
                result = made(*operands, **named)
            except Exception as error:
                at = self._reporter.line_of(error)
                self._reporter.say("raised", launch=line, type=type(error).__name__, message=str(error), line=at)
                raise
            self._see(line, result)
            return result

        return apply

    def _line(self) -> int | None:
        """The line of the checked file that launches, None for launches of other files."""
        frame = sys._getframe(1)
        while frame is not None and _same(frame.f_code.co_filename, __file__):
            frame = frame.f_back  # type: ignore[assignment]
        here = frame is not None and _same(frame.f_code.co_filename, self._reporter.file)
        return frame.f_lineno if here else None

    def _see(self, line: int, result: Any) -> None:
        import jax

        leaves = jax.tree_util.tree_leaves(result)
        outputs = [[str(leaf.dtype), list(leaf.shape)] for leaf in leaves if hasattr(leaf, "dtype")]
        self._reporter.say("launched", launch=line, outputs=outputs)
        for number, leaf in enumerate(leaves):
            if not hasattr(leaf, "dtype"):
                continue
            if isinstance(leaf, jax.core.Tracer):
                jax.debug.callback(self._count, line, number, leaf)
            else:
                self._count(line, number, leaf)

    def _count(self, line: Any, number: Any, values: Any) -> None:
        """Reports the values that interpret mode leaves where nothing is stored: NaN, or the least integer."""
        import numpy

        found = numpy.asarray(values)
        if found.dtype.kind == "i":
            unwritten = found == numpy.iinfo(found.dtype).min
        elif found.dtype.kind in "fcV" or "float" in str(found.dtype):
            unwritten = numpy.isnan(found.astype("float32") if found.dtype.kind == "V" else found)
        else:
            return
        count = int(unwritten.sum())
        if count:
            self._reporter.say("unwritten", launch=int(line), output=int(number), count=count, size=int(found.size))


def _loaded(file: str, source: str | None, root: str) -> Any:
    """Imports a file under the name that it has in its package; with another text than on disk if one is given."""
    relative = os.path.relpath(file, root)
    name = os.path.splitext(relative)[0].replace(os.sep, ".")
    name = name[: -len(".__init__")] if name.endswith(".__init__") else name
    if root not in sys.path:
        sys.path.insert(0, root)
    if name in sys.modules and not _same(getattr(sys.modules[name], "__file__", None) or "", file):
        name = f"{name} of {file}".replace(".", "_")  # tests in several folders often have the same name
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None and spec.loader is not None
    if "." in name:
        importlib.import_module(name.rpartition(".")[0])  # relative imports need the package
    if name in sys.modules and source is None:
        return sys.modules[name]
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    if source is None:
        spec.loader.exec_module(module)
    else:
        exec(compile(source, file, "exec", dont_inherit=True), module.__dict__)
    return module


def _made(described: dict[str, Any], seed: int) -> Any:
    """An input: a literal, or an array of numbers between 0 and 1 (0, 1, 2, ... for integers)."""
    if "literal" in described:
        return ast.literal_eval(described["literal"])
    import jax.numpy as jnp
    import numpy

    shape, dtype = tuple(described["shape"]), described["array"]
    size = int(numpy.prod(shape))
    if dtype == "bool":
        return jnp.asarray(numpy.arange(size) % 2 == 0).reshape(shape)
    if "int" in dtype:
        return jnp.asarray(numpy.arange(size) % 8, dtype).reshape(shape)
    return jnp.asarray(numpy.random.default_rng(seed).random(size), dtype).reshape(shape)


def _call(module: Any, call: dict[str, Any]) -> None:
    """Calls a function with its example, and waits for what it gives."""
    import jax

    function = getattr(module, call["function"])
    example = call["example"]
    positional = [_made(one, number) for number, one in enumerate(example["positional"])]
    keywords = {name: _made(one, 100 + number) for number, (name, one) in enumerate(example["keywords"].items())}
    jax.block_until_ready(function(*positional, **keywords))  # type: ignore[no-untyped-call]


def _follow(request: dict[str, Any], reporter: Reporter) -> None:
    try:
        Recorder(reporter).install()
    except ImportError as error:
        reporter.say("no jax", message=str(error), python=sys.executable)
        return
    try:
        module = _loaded(request["file"], request["source"], request["root"])
    except BaseException as error:
        reporter.error("import", error)
        return
    reporter.say("imported")
    for call in request["calls"]:
        if call["example"] is not None:
            try:
                reporter.say("calling", function=call["function"])
                _call(module, call)
                reporter.say("called", function=call["function"])
            except BaseException as error:
                reporter.error(call["function"], error)
            continue
        for file, root, test in call["tests"]:
            reporter.say("calling", function=test)
            try:
                tests = _loaded(file, None, root)
            except BaseException as error:
                # A test that cannot be imported here says nothing of the kernel.
                message = f"{os.path.basename(file)} cannot be imported: {type(error).__name__}: {error}"
                reporter.say("skipped", function=call["function"], type="", message=message)
                continue
            try:
                getattr(tests, test)()
                reporter.say("called", function=call["function"])
            except BaseException as error:
                reporter.error(call["function"], error)


def main() -> None:
    """Reads the request and does it."""
    with open(sys.argv[1], encoding="utf-8") as stream:
        request = json.load(stream)
    # The folder of this file holds modules that are none of the user's.
    sys.path[:] = [folder for folder in sys.path if not _same(folder or ".", os.path.dirname(__file__))]
    reporter = Reporter(sys.argv[2], request["file"])
    if request["memory"]:
        try:
            import resource

            limit = request["memory"] << 20
            resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
        except (ImportError, ValueError, OSError):
            reporter.say("no memory limit")
    _follow(request, reporter)
    with contextlib.suppress(Exception):  # what was said of the values counts, not that waiting failed
        import jax

        jax.effects_barrier()  # type: ignore[no-untyped-call]
    reporter.say("done")


if __name__ == "__main__":
    main()
    sys.stdout.flush()
    os._exit(0)  # whatever threads the user's code has started

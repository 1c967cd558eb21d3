"""Recall on real kernels: puts a `return` into each and asks whether the checker reports it.

    python bench/mutants.py                      the kernels that come with the installed JAX
    python bench/mutants.py FOLDER ...           all kernels below these folders
    python bench/mutants.py --fix FOLDER ...     fixes each mutant as well

Committed code has next to no kernel that returns a value, so recall cannot be measured on it as it is. Every `def` that
the checker resolves as the kernel of a launch is mutated, once for each variant; the file is checked as a whole, with
its project around it. A mutant counts as reported when there is a finding that was not there before.

What a fix should do is known as well: the original is given back where the returned value was stored already, or was
stored by the statement that the `return` took the place of.
"""

from __future__ import annotations

import argparse
import ast
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeGuard

from pallas_lsp.check import check
from pallas_lsp.fixing import fix_all
from pallas_lsp.semantics.analysis import Analysis, analyse
from pallas_lsp.semantics.frames import Invocation
from pallas_lsp.semantics.jax_api import Outcome
from pallas_lsp.semantics.kernels import leaves, reference_names, verdict, ways_out
from pallas_lsp.semantics.project import Module, Project
from pallas_lsp.semantics.values import Ref, Role

RULES = frozenset({"PAL001", "PAL002", "PAL003"})
SHOWN = 40


@dataclass(frozen=True)
class Kernel:
    """A kernel of a file that can be mutated.

    Args:
      name: of the function.
      node: the function in the whole file.
      output: a parameter that is an output Ref, empty when there is none that has a name.
      ends: whether its end is reached.
    """

    name: str
    node: ast.FunctionDef
    output: str
    ends: bool


@dataclass(frozen=True)
class Mutant:
    """A changed file.

    Args:
      text: the file.
      line: the 0-based line of the inserted `return`.
      restored: whether a fix should give the original back.
    """

    text: str
    line: int
    restored: bool = False


@dataclass(frozen=True)
class Source:
    """A file as lines, to insert statements into."""

    lines: tuple[str, ...]

    @property
    def newline(self) -> str:
        return "\r\n" if self.lines and self.lines[0].endswith("\r\n") else "\n"

    def with_statement(self, node: ast.stmt, statement: str, *, behind: bool = True) -> tuple[str, int]:
        """The text with a statement of one line, or with an inner one, behind or before another one; and its line."""
        assert node.end_lineno is not None
        decorators = getattr(node, "decorator_list", [])
        at = node.end_lineno if behind else min(part.lineno for part in (node, *decorators)) - 1
        first = self.lines[node.lineno - 1]
        margin = first[: len(first) - len(first.lstrip())]
        new = [f"{margin}{line}{self.newline}" for line in statement.split("\n")]
        before = [*self.lines[:at]]
        if before and not before[-1].endswith("\n"):
            before[-1] += self.newline
        return "".join([*before, *new, *self.lines[at:]]), at + len(new) - 1

    def with_named_value(self, node: ast.Assign, name: str) -> str:
        """The text with the value of a store given a name first."""
        store, value, margin = self._parts(node)
        new = f"{margin}{name} = {value}{self.newline}{margin}{store} {name}{self.newline}"
        return "".join([*self.lines[: node.lineno - 1], new, *self.lines[node.end_lineno :]])

    def with_return_for(self, node: ast.Assign) -> tuple[str, int]:
        """The text with `return value` in the place of a store, and the line of that."""
        _, value, margin = self._parts(node)
        new = f"{margin}return {value}{self.newline}"
        return "".join([*self.lines[: node.lineno - 1], new, *self.lines[node.end_lineno :]]), node.lineno - 1

    def _parts(self, node: ast.Assign) -> tuple[str, str, str]:
        """A store up to its `=`, its value with the parentheses around it, and the indentation."""
        assert node.end_lineno is not None and node.targets[0].end_col_offset is not None
        first = self.lines[node.lineno - 1]
        text = "".join(self.lines[node.lineno - 1 : node.end_lineno]).rstrip("\r\n")
        target = len(first.encode()[: node.targets[0].end_col_offset].decode())
        equals = text.index("=", target)
        margin = first[: len(first) - len(first.lstrip())]
        return text[: equals + 1].strip(), text[equals + 1 :].strip(), margin


# -- variants: each gives a mutant, or None where a kernel has no place for it ---------------------------------------


def last_stored_value(source: Source, kernel: Kernel) -> Mutant | None:
    """`o_ref[...] = f(x)` becomes `stored = f(x); o_ref[...] = stored; return stored`."""
    return _with_stored(source, kernel, "return {0}")


def pair(source: Source, kernel: Kernel) -> Mutant | None:
    """The same with `return stored, stored`."""
    return _with_stored(source, kernel, "return {0}, {0}")


def _with_stored(source: Source, kernel: Kernel, statement: str) -> Mutant | None:
    found = _last_store(kernel)
    if found is None or not kernel.ends:
        return None
    if isinstance(found.value, ast.Name):
        return Mutant(*source.with_statement(kernel.node.body[-1], statement.format(found.value.id)))
    text, line = source.with_statement(kernel.node.body[-1], statement.format("stored"))
    lines = Source(tuple(text.splitlines(keepends=True)))
    return Mutant(lines.with_named_value(found, "stored"), line + 1)


def in_branch(source: Source, kernel: Kernel) -> Mutant | None:
    """`if id(o_ref) % 2: return o_ref[...] * 2`: under a condition that nobody knows."""
    if not kernel.ends or not kernel.output:
        return None
    statement = f"if id({kernel.output}) % 2:\n    return {kernel.output}[...] * 2"
    return Mutant(*source.with_statement(kernel.node.body[-1], statement))


def instead(source: Source, kernel: Kernel) -> Mutant | None:
    """`return f(x)` in the place of `o_ref[...] = f(x)`."""
    last = kernel.node.body[-1]
    if not _is_plain_store(last):
        return None
    index = last.targets[0].slice
    whole = isinstance(index, ast.Constant) and index.value is Ellipsis
    only = sum(_is_store(node) for node in ast.walk(kernel.node)) == 1
    return Mutant(*source.with_return_for(last), restored=whole and only and _names(last.targets[0]) == {kernel.output})


def output_ref(source: Source, kernel: Kernel) -> Mutant | None:
    """`return o_ref`."""
    if not kernel.ends or not kernel.output:
        return None
    return Mutant(*source.with_statement(kernel.node.body[-1], f"return {kernel.output}"), restored=True)


def output_content(source: Source, kernel: Kernel) -> Mutant | None:
    """`return o_ref[...]`."""
    if not kernel.ends or not kernel.output:
        return None
    return Mutant(*source.with_statement(kernel.node.body[-1], f"return {kernel.output}[...]"), restored=True)


def at_the_start(source: Source, kernel: Kernel) -> Mutant | None:
    """`return 0` before all else."""
    body = kernel.node.body
    first = next((node for node in body if not _is_docstring(node)), body[0])
    return Mutant(*source.with_statement(first, "return 0", behind=False))


VARIANTS: dict[str, Callable[[Source, Kernel], Mutant | None]] = {
    "last stored value": last_stored_value,
    "pair": pair,
    "in a branch": in_branch,
    "instead of the store": instead,
    "output Ref": output_ref,
    "content of the output": output_content,
    "at the start": at_the_start,
}


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _is_store(node: ast.AST) -> TypeGuard[ast.Assign]:
    return isinstance(node, ast.Assign) and all(isinstance(target, ast.Subscript) for target in node.targets)


def _names(target: ast.expr) -> set[str]:
    return {node.id for node in ast.walk(target) if isinstance(node, ast.Name)}


def _last_store(kernel: Kernel) -> ast.Assign | None:
    """The last store that every way to the end passes; only one to a single target, with nothing behind it."""
    found = next((node for node in reversed(kernel.node.body) if _is_store(node)), None)
    return found if found is not None and _is_plain_store(found) else None


def _is_plain_store(node: ast.stmt) -> TypeGuard[ast.Assign]:
    """Whether a statement stores one value, by a target on one line."""
    return (
        _is_store(node)
        and len(node.targets) == 1
        and node.targets[0].end_lineno == node.lineno
        and not isinstance(node.value, ast.Tuple)
    )


# -- kernels ---------------------------------------------------------------------------------------------------------


def kernels_of(analysis: Analysis, text: str) -> list[Kernel]:
    """The kernels of a file that JAX would refuse to let return, each once."""
    functions = {node.lineno: node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)}
    found: dict[int, Kernel] = {}
    for launch in analysis.launches:
        # Those whose call is in view come last and count: it says how many inputs there are.
        runs = sorted(launch.runs, key=lambda run: run.given is not None)
        for invocation in (one for run in runs for one in _definitions(run.invocation)):
            function = invocation.function
            if launch.outcome is not Outcome.RAISES or function is None or function.frame.path != analysis.module.path:
                continue
            line = analysis.module.parsed.range_of(function.chunk, function.node).start.line + 1
            node = functions.get(line)
            if node is not None and node.body[0].lineno > node.lineno:
                ends = invocation.falls_through or (line in found and found[line].ends)
                found[line] = Kernel(node.name, node, _output_name(invocation), ends)
    return list(found.values())


def _definitions(invocation: Invocation) -> Iterator[Invocation]:
    """The call of a `def`, behind lambdas that only hand their Refs on: `lambda *refs: kernel(*refs, scale=2)`."""
    if invocation.function is None or not isinstance(invocation.function.node, ast.Lambda):
        yield invocation
    else:
        for returned in invocation.returns:
            if returned.invoked is not None:
                yield from _definitions(returned.invoked)


def _output_name(invocation: Invocation) -> str:
    """A parameter that is an output Ref by itself, and stays one."""
    assert invocation.function is not None
    nodes = list(ast.walk(invocation.function.node))
    rebound = {node.id for node in nodes if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}
    rebound |= {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
    for name, value in invocation.arguments.items():
        if isinstance(value, Ref) and value.role is Role.OUTPUT and name not in rebound:
            return name
    return ""


def why_missed(analysis: Analysis, line: int) -> str:
    """What the checker knows of the `return` on a 0-based line that it has not reported."""
    for ways in ways_out(analysis).values():
        for way in ways:
            place = analysis.module.parsed.range_of(way.function.chunk, way.node)
            if place.start.line == line:
                outputs = [reference_names(way).get(ref, "?") for ref in leaves(way.run.outputs or ())]
                known = verdict(way.returned.value).value
                return f"{known} is what it knows of `{ast.unparse(way.node)[:70]}`, outputs {outputs}"
    return "no launch leads here"


# -- the measurement -------------------------------------------------------------------------------------------------


@dataclass
class Tally:
    """What was counted for one variant."""

    mutants: int = 0
    reported: int = 0
    fixed: int = 0
    silent_after: int = 0
    restorable: int = 0
    restored: int = 0


@dataclass
class Measurement:
    """What was counted, and what went wrong."""

    fix: bool
    tallies: dict[str, Tally]
    misses: list[str]
    faults: list[str]
    unlike: list[str]
    kernels: int = 0

    def measure(self, project: Project, path: Path) -> None:
        """Mutates each kernel of a file."""
        text = path.read_bytes().decode("utf-8", "replace")
        try:
            kernels = kernels_of(analyse(project.update(str(path), text), project), text)
        except SyntaxError:
            return
        source = Source(tuple(text.splitlines(keepends=True)))
        findings = check(text, path=str(path), project=project).findings
        before = Counter(finding.message for finding in findings if finding.code in RULES)
        for kernel in kernels:
            self.kernels += 1
            for variant, mutate in VARIANTS.items():
                mutant = mutate(source, kernel)
                if mutant is not None:
                    self._try(project, path, kernel, variant, mutant, text, before)
        project.close(str(path))

    def _try(
        self,
        project: Project,
        path: Path,
        kernel: Kernel,
        variant: str,
        mutant: Mutant,
        text: str,
        before: Counter[str],
    ) -> None:
        tally, where = self.tallies[variant], f"{variant}: {path}:{mutant.line + 1} {kernel.name}"
        tally.mutants += 1
        report = check(mutant.text, path=str(path), project=project)
        found = Counter(finding.message for finding in report.findings if finding.code in RULES)
        if not found - before:
            module = project.module(str(path))
            assert isinstance(module, Module)
            self.misses.append(f"{where}: {why_missed(analyse(module, project), mutant.line)}")
            return
        tally.reported += 1
        if self.fix:
            self._fix(project, path, tally, where, mutant, text, before)

    def _fix(
        self, project: Project, path: Path, tally: Tally, where: str, mutant: Mutant, text: str, before: Counter[str]
    ) -> None:
        fixed = fix_all(mutant.text, path=str(path), project=project, unsafe=True)
        if fixed.text == mutant.text:
            return  # refused, with a reason
        tally.fixed += 1
        try:
            tree = ast.parse(fixed.text)
        except SyntaxError as error:
            self.faults.append(f"{where}: does not parse: {error}")
            return
        findings = check(fixed.text, path=str(path), project=project).findings
        after = Counter(finding.message for finding in findings if finding.code in RULES)
        if after - before:
            self.faults.append(f"{where}: left after the fix: {list(after - before)}")
        else:
            tally.silent_after += 1
        if mutant.restored:
            tally.restorable += 1
            if ast.dump(tree) == ast.dump(ast.parse(text)):
                tally.restored += 1
            else:
                self.unlike.append(where)


def files_below(folder: Path) -> Iterator[Path]:
    """The Python files that mention Pallas."""
    for path in sorted(folder.rglob("*.py")):
        if b"pallas" in path.read_bytes():
            yield path


def installed_kernels() -> Path:
    """The folder of the kernels that come with JAX."""
    from importlib.util import find_spec

    spec = find_spec("jax")
    assert spec is not None and spec.origin is not None, "JAX is not installed: name a folder"
    return Path(spec.origin).parent / "experimental" / "pallas" / "ops"


def main() -> None:
    """Prints recall for each variant, and every miss."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("folders", nargs="*", type=Path, help="where kernels are (default: the installed JAX's)")
    parser.add_argument("--fix", action="store_true", help="fix each mutant, unsafe fixes included")
    arguments = parser.parse_args()
    measurement = Measurement(arguments.fix, defaultdict(Tally), [], [], [])
    for folder in (folder.resolve() for folder in arguments.folders or [installed_kernels()]):
        for path in files_below(folder):
            measurement.measure(Project((folder,)), path)
    show(measurement)
    everything = sum(tally.mutants for tally in measurement.tallies.values())
    reported = sum(tally.reported for tally in measurement.tallies.values())
    sys.exit(not everything or reported < 0.99 * everything or bool(measurement.faults))


def show(measurement: Measurement) -> None:
    """Prints the table and the lists."""
    print(f"{measurement.kernels} kernels")
    print(f"{'variant':24}{'mutants':>9}{'reported':>10}{'recall':>9}", end="")
    print(f"{'fixed':>9}{'silent':>9}{'restored':>15}" if measurement.fix else "")
    rows = [*measurement.tallies.items(), ("all", _total(measurement.tallies.values()))]
    for variant, tally in rows:
        recall = tally.reported / max(tally.mutants, 1)
        print(f"{variant:24}{tally.mutants:9}{tally.reported:10}{recall:9.2%}", end="")
        restored = f"{tally.restored} of {tally.restorable}" if tally.restorable else ""
        print(f"{tally.fixed:9}{tally.silent_after:9}{restored:>15}" if measurement.fix else "")
    lists = {"missed": measurement.misses, "faults of fixes": measurement.faults, "not restored": measurement.unlike}
    for title, lines in lists.items():
        print(f"{title}: {len(lines)}")
        for line in lines[:SHOWN]:
            print(f"  {line}")


def _total(tallies: object) -> Tally:
    total = Tally()
    for tally in tallies:  # type: ignore[attr-defined]
        for name in Tally.__dataclass_fields__:
            setattr(total, name, getattr(total, name) + getattr(tally, name))
    return total


if __name__ == "__main__":
    main()

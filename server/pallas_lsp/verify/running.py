"""Starts the process that runs the user's code, under limits, and reads what it has to say."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from pallas_lsp.outline import Launch
from pallas_lsp.verify.planning import Plan

CHILD = Path(__file__).with_name("child.py")

TIMEOUT = 120.0
"""Seconds after which the process is stopped."""

MEMORY = 8192
"""MB that the process may have, where the system can limit it."""

_STEP = 0.1


@dataclass(frozen=True, slots=True)
class Limits:
    """What a run may take: seconds, and MB (0 for no limit)."""

    timeout: float = TIMEOUT
    memory: int = MEMORY


@dataclass(frozen=True, slots=True)
class Problem:
    """What a run has found.

    Args:
      line: 0-based, in the checked file.
      message: what JAX says, with the type of the error; or what is wrong with an output.
      launch: the 0-based line of the launch that it is about; None where it is about none.
    """

    line: int
    message: str
    launch: int | None = None


@dataclass(frozen=True, slots=True)
class Ran:
    """A launch that ran.

    Args:
      line: 0-based, of its call.
      kernel: its name.
      outputs: dtype and shape of each, such as `float32[8,128]`.
    """

    line: int
    kernel: str
    outputs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Skipped:
    """A launch that did not run: the 0-based line of its call, its kernel, and why."""

    line: int
    kernel: str
    reason: str


@dataclass(frozen=True, slots=True)
class Verification:
    """What came of a run.

    Args:
      ran: the launches that ran, in the order of the text.
      problems: errors of JAX and of the program, outputs that were not written; in the order of the text.
      skipped: the launches that did not run.
      failure: why the run as a whole has no result; empty if it has.
    """

    ran: tuple[Ran, ...] = ()
    problems: tuple[Problem, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    failure: str = ""


class Cancelled(Exception):
    """Whoever waited does so no longer."""


def verify(
    plan: Plan,
    path: str,
    *,
    root: str,
    python: str = sys.executable,
    source: str | None = None,
    limits: Limits | None = None,
    observe: Callable[[str], object] = lambda message: None,
) -> Verification:
    """Runs a plan.

    Args:
      plan: for the file.
      path: the file, absolute.
      root: the folder from which it is imported.
      python: the interpreter.
      source: the text of the file, where it is not the one on disk.
      limits: of the process.
      observe: is told now and then what happens; what it raises ends the process.
    """
    limits = limits or Limits()
    if plan.mistakes:
        return Verification(
            problems=tuple(Problem(line, f"No example: {message}") for line, message in plan.mistakes),
            skipped=tuple(_skipped(plan, set(), {})),
        )
    with tempfile.TemporaryDirectory(prefix="pallas-lsp-") as folder:
        request, report = Path(folder, "request.json"), Path(folder, "report.jsonl")
        asked = {
            "file": path,
            "root": root,
            "source": source,
            "memory": limits.memory,
            "calls": [call.as_json() for call in plan.calls if call.example is not None or call.tests],
        }
        request.write_text(json.dumps(asked), encoding="utf-8")
        report.touch()
        command = [python, str(CHILD), str(request), str(report)]
        with Path(folder, "errors").open("w+b") as errors:
            failure = _run(command, root, limits, report, errors, observe)
        events = list(_events(report))
        if not failure and not (events and events[-1]["kind"] == "done"):
            failure = f"the process ended with code 0 while {_doing(report)}"
    return _verification(plan, events, failure, limits)


def _run(
    command: list[str],
    folder: str,
    limits: Limits,
    report: Path,
    errors: BinaryIO,
    observe: Callable[[str], object],
) -> str:
    """Runs the process to its end; why it had to be stopped, empty if it had not.

    Raises:
      Cancelled, or whatever `observe` raises; the process is gone then.
    """
    environment = {"JAX_PLATFORMS": "cpu", **os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    group: dict[str, Any] = {} if sys.platform == "win32" else {"start_new_session": True}
    try:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=errors,  # no pipe: a process that the user's code leaves behind would keep it open
            **group,
        )
    except OSError as error:
        return f"{command[0]} cannot be started: {error.strerror}"
    began = time.monotonic()
    try:
        while True:
            try:
                process.wait(_STEP)
                break
            except subprocess.TimeoutExpired:
                observe(_doing(report))
                if time.monotonic() - began > limits.timeout:
                    return f"stopped after {limits.timeout:g} seconds, while {_doing(report)}"
    finally:
        _stop(process)
    if process.returncode:
        errors.seek(0)
        last = errors.read().decode("utf-8", "replace").strip().rpartition("\n")[2]
        limit = f" (it may have {limits.memory} MB)" if limits.memory else ""
        return f"the process ended with code {process.returncode} while {_doing(report)}{limit}" + (
            f": {last}" if last else ""
        )
    return ""


def _stop(process: subprocess.Popen[bytes]) -> None:
    """Ends a process, and those that it has started."""
    if sys.platform != "win32":
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    elif process.poll() is None:
        process.kill()
    process.wait()


def _doing(report: Path) -> str:
    events = list(_events(report))
    for event in reversed(events):
        if event["kind"] == "calling":
            return f"calling {event['function']}"
        if event["kind"] == "imported":
            break
    return "running" if events else "importing"


def _events(report: Path) -> Iterator[dict[str, Any]]:
    for line in report.read_text(encoding="utf-8").splitlines():
        try:
            yield json.loads(line)
        except ValueError:
            return  # the process was stopped while it wrote


def _verification(plan: Plan, events: list[dict[str, Any]], failure: str, limits: Limits) -> Verification:
    ran: dict[int, Ran] = {}
    problems: dict[Problem, None] = {}
    errors: dict[str, str] = {}
    explained: set[str] = set()
    for event in events:
        launch = _launch_at(plan, event.get("launch"))
        match event["kind"]:
            case "no jax":
                failure = f"JAX cannot be imported with {event['python']}: {event['message']}"
            case "launched" if launch is not None:
                line, of = launch
                outputs = tuple(f"{dtype}[{','.join(map(str, shape))}]" for dtype, shape in event["outputs"])
                ran.setdefault(line, Ran(line, of.kernel_name, outputs))
            case "raised" if launch is not None:
                line, _ = launch
                text = f"{event['type']}: {event['message']}"
                explained.add(event["message"])
                problems.setdefault(Problem(_line_of(event["line"], line), text, line))
            case "unwritten" if launch is not None:
                line, _ = launch
                part = "all" if event["count"] == event["size"] else f"{event['count']} of {event['size']}"
                text = (
                    f"Output {event['output']}: {part} values are what interpret mode leaves where nothing is stored"
                    " (NaN, or the least integer)."
                )
                problems.setdefault(Problem(line, text, line))
            case "skipped":
                errors.setdefault(event["function"], f"{event['type']}: {event['message']}".removeprefix(": "))
            case "error":
                text = f"{event['type']}: {event['message']}"
                errors[event["function"]] = text
                if event["message"] not in explained:
                    problems.setdefault(Problem(_line_of(event["line"], _call_line(plan, event["function"])), text))
    failed = {problem.launch for problem in problems if problem.launch is not None}
    return Verification(
        tuple(ran[line] for line in sorted(ran)),
        tuple(sorted(problems, key=lambda problem: problem.line)),
        tuple(_skipped(plan, {*ran, *failed}, errors)),
        failure,
    )


def _launch_at(plan: Plan, line: int | None) -> tuple[int, Launch] | None:
    """The launch whose call has a 1-based line in it."""
    if line is None:
        return None
    for first, launch in plan.launches:
        if first <= line - 1 <= launch.place.range.end.line:
            return first, launch
    return None


def _line_of(line: int | None, otherwise: int) -> int:
    return otherwise if line is None else line - 1


def _call_line(plan: Plan, function: str) -> int:
    return next((call.line for call in plan.calls if call.function == function), 0)


def _skipped(plan: Plan, seen: set[int], errors: dict[str, str]) -> Iterator[Skipped]:
    for line, launch in plan.launches:
        if line in seen:
            continue
        call = next((call for call in plan.calls if call.line <= line <= call.end), None)
        if call is None:
            reason = errors.get("import", "the module does not come to it when it is imported")
        elif call.obstacle:
            reason = f"`{call.function}` is not called: {call.obstacle}"
        else:
            reason = errors.get(call.function) or f"`{call.function}` does not come to it"
        yield Skipped(line, launch.kernel_name, reason)

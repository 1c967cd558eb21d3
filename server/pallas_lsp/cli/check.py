"""`pallas-lsp check`: finds mistakes in files, and mends them."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any, BinaryIO

import click

from pallas_lsp.cli.baselines import FILE_NAME, baseline_of, without_known
from pallas_lsp.cli.completion import config_completion, release_completion, rules_completion
from pallas_lsp.cli.console import Console, Failure, Verbosity, palette_of, progress_on
from pallas_lsp.cli.files import absolute, is_file
from pallas_lsp.cli.formats import FORMATS, render
from pallas_lsp.cli.formats.shared import count
from pallas_lsp.cli.results import Result
from pallas_lsp.cli.run import Mode, Run
from pallas_lsp.cli.summary import closing_lines, fixing_line, statistics
from pallas_lsp.config import ConfigError, Layer, combined, layer_from_assignment, layer_from_options, settings_for

_STDIN = "-"

_PATTERN_LISTS = ("exclude", "extend-exclude")
_LISTS = ("select", "extend-select", "ignore", *_PATTERN_LISTS)
"""The settings that the command line takes as lists, separated by commas."""


_Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def _switch(name: str, documentation: str) -> _Decorator:
    return click.option(f"--{name}/--no-{name}", default=None, help=documentation)


def _listed(name: str, metavar: str, documentation: str) -> _Decorator:
    return click.option(
        f"--{name}",
        multiple=True,
        metavar=metavar,
        shell_complete=rules_completion if metavar == "RULES" else None,
        help=f"{documentation} Separated by commas.",
    )


def _file(*names: str, metavar: str = "FILE", documentation: str) -> _Decorator:
    return click.option(*names, metavar=metavar, type=click.Path(), help=documentation)


def _choice(name: str, choices: Iterable[str], documentation: str) -> _Decorator:
    known = list(choices)
    return click.option(f"--{name}", type=click.Choice(known), default=known[0], show_default=True, help=documentation)


@click.command("check")
@click.argument("arguments", nargs=-1, metavar="[PATHS]...", type=click.Path())
@click.option("--fix", is_flag=True, help="Apply fixes.")
@_switch("unsafe-fixes", "Count fixes that need a look afterwards among those to apply.")
@click.option("--fix-only", is_flag=True, help="Apply fixes, and do not report what is left.")
@click.option("--diff", is_flag=True, help="Show what --fix-only would change, and change nothing.")
@_file("--baseline", documentation=f"Use this baseline instead of the project's {FILE_NAME}.")
@click.option("--no-baseline", is_flag=True, help="Report what a baseline knows as well.")
@click.option("--add-ignore", is_flag=True, help="Put comments into the files that hide what was found.")
@_choice("output-format", FORMATS, "How to report.")
@_file("-o", "--output-file", documentation="Write the report to a file instead of standard output.")
@click.option("--statistics", "counted", is_flag=True, help="Count the findings of each rule instead of showing them.")
@click.option("--watch", is_flag=True, help="Check again whenever a file has changed, until interrupted.")
@click.option("--show-files", is_flag=True, help="Show which files would be checked.")
@click.option("--show-settings", is_flag=True, help="Show the settings for the first of the files.")
@_listed("select", "RULES", "Report these rules: codes, beginnings of codes, names, or ALL.")
@_listed("extend-select", "RULES", "Report these rules besides those selected.")
@_listed("ignore", "RULES", "Do not report these rules.")
@click.option(
    "--target-jax",
    metavar="VERSION",
    shell_complete=release_completion,
    help="The JAX version that the code is written for.",
)
@_listed("exclude", "PATTERNS", "Leave these files and folders out of a search, instead of those configured.")
@_listed("extend-exclude", "PATTERNS", "Leave these files and folders out as well.")
@_switch("force-exclude", "Leave out excluded files even if they are named.")
@_switch("respect-gitignore", "Leave files out of a search that git ignores.")
@_file("--files-from", documentation="Check the files that FILE names, one a line; - is standard input.")
@_file("--stdin-filename", metavar="PATH", documentation="The name of the file that comes from standard input.")
@click.option(
    "--config",
    multiple=True,
    metavar="KEY=VALUE|FILE",
    shell_complete=config_completion,
    help="A setting in TOML, or a settings file to use.",
)
@click.option("--isolated", is_flag=True, help="Ignore all settings files.")
@click.option("--no-cache", is_flag=True, help="Neither use results of earlier runs nor keep these.")
@click.option("-j", "--jobs", metavar="N", type=click.IntRange(1), help="Check in N processes at most.")
@click.option("-e", "--exit-zero", is_flag=True, help="Exit with 0 even if something was found.")
@click.option("--exit-non-zero-on-fix", is_flag=True, help="Exit with 1 if something was fixed, even if all was.")
@_choice("color", ("auto", "always", "never"), "When to use colours.")
@click.option("-v", "--verbose", "verbosity", flag_value="VERBOSE", help="Say what is done.")
@click.option("-q", "--quiet", "verbosity", flag_value="QUIET", help="Report findings, and say nothing else.")
@click.option("-s", "--silent", "verbosity", flag_value="SILENT", help="Say nothing; the exit code tells.")
def command(
    arguments: tuple[str, ...],
    fix: bool,
    fix_only: bool,
    diff: bool,
    baseline: str | None,
    no_baseline: bool,
    add_ignore: bool,
    output_format: str,
    output_file: str | None,
    counted: bool,
    watch: bool,
    show_files: bool,
    show_settings: bool,
    files_from: str | None,
    stdin_filename: str | None,
    config: tuple[str, ...],
    isolated: bool,
    no_cache: bool,
    jobs: int | None,
    exit_zero: bool,
    exit_non_zero_on_fix: bool,
    color: str,
    verbosity: str | None,
    **settings: Any,
) -> int:
    """Check files and folders (default: the current one) for mistakes in Pallas kernels; - is standard input.

    Exits with 0 when nothing is left to report, 1 when something is, 2 when a file or setting cannot be used.
    """

    def paths_now() -> tuple[str, ...]:
        return (*arguments, *_names_from(files_from)) if files_from is not None else arguments or (".",)

    paths = paths_now()
    from_stdin = _STDIN in paths
    if from_stdin and len(paths) > 1:
        raise click.UsageError("standard input (-) cannot be checked together with files")
    if stdin_filename is not None and not from_stdin:
        raise click.UsageError("--stdin-filename is for standard input (-)")
    if add_ignore and (from_stdin or fix or fix_only or diff):
        other = "standard input (-)" if from_stdin else "--fix, --fix-only or --diff"
        raise click.UsageError(f"--add-ignore cannot be used together with {other}")
    if watch and (from_stdin or files_from == _STDIN or show_files or show_settings or fix or fix_only or add_ignore):
        other = "standard input (-)" if from_stdin or files_from == _STDIN else "options that change or show files"
        raise click.UsageError(f"--watch cannot be used together with {other}")
    overrides, config_file = _configured(config, isolated, settings)
    resolve = functools.partial(settings_for, overrides=overrides, isolated=isolated, config_file=config_file)
    mode = Mode.DIFF if diff else Mode.FIX_ONLY if fix_only else Mode.FIX if fix else Mode.REPORT
    # Fixed text takes standard output, so the report has to go elsewhere.
    stream = sys.stderr if from_stdin and mode in (Mode.FIX, Mode.FIX_ONLY) else sys.stdout
    palette = palette_of(stream, "never" if output_file and color == "auto" else color)
    loudness = Verbosity[verbosity or "DEFAULT"]

    def baseline_file(paths: Iterable[str]) -> Path | None:
        return Path(baseline).resolve() if baseline else None if from_stdin or isolated else baseline_of(paths)

    def check_once(paths: tuple[str, ...]) -> int:
        opened = _opened(output_file) if output_file else nullcontext(stream.buffer)
        with progress_on(sys.stderr, loudness) as progress, opened as output:
            console = Console(output, loudness, palette, progress)
            run = Run(console, mode, resolve, caches=not no_cache, processes=jobs)
            if show_files or show_settings:
                run.show(paths, settings=show_settings)
                return 2 if run.failed else 0
            listed = frozenset(paths).difference(arguments)
            results = run.check_stdin(stdin_filename) if from_stdin else run.check_files(paths, listed)
            known = None if no_baseline else baseline_file(paths)
            if known is not None and (baseline or known.exists()):
                results = _new_ones(console, results, known)
            if add_ignore:
                return _add_ignores(run, results)
            _report(run, results, output_format, counted)
        if run.failed:
            return 2
        return 0 if exit_zero else _exit_code(results, mode, exit_non_zero_on_fix)

    if not watch:
        return check_once(paths)
    from pallas_lsp.cli.watching import Watched, keep_checking

    console = Console(stream.buffer, loudness, palette)
    others = [file for file in (files_from, None if no_baseline else baseline_file(paths)) if file is not None]
    look = Watched(paths_now, resolve, others)
    return keep_checking(lambda: check_once(paths_now()), look, console, clears=output_file is None)


def _new_ones(console: Console, results: list[Result], file: Path) -> list[Result]:
    """The results without the findings of a baseline."""
    results, hidden = without_known(file, results)
    if hidden:
        console.note(f"{count(hidden, 'known finding', 'known findings')} not shown, see {file.name}.")
    return results


def _add_ignores(run: Run, results: Sequence[Result]) -> int:
    hidden, left = run.add_ignores(results)
    run.console.note(
        f"Added {count(hidden, 'comment', 'comments')}." + (f" {left} could not be hidden by one." if left else "")
    )
    return 2 if run.failed else int(left > 0)


def _report(run: Run, results: Sequence[Result], output_format: str, counted: bool) -> None:
    console, mode = run.console, run.mode
    if console.verbosity is Verbosity.SILENT:
        return
    if mode in (Mode.DIFF, Mode.FIX_ONLY):
        console.note(fixing_line(results, "Would fix" if mode is Mode.DIFF else "Fixed"))
        return
    if counted:
        console.write(statistics(results, output_format, console.palette))
    else:
        console.write(render(output_format, results, console.palette))
    if FORMATS[output_format].for_people and console.verbosity >= Verbosity.DEFAULT:
        console.write(closing_lines(results, console.palette, complete=not run.failed))


def _exit_code(results: Sequence[Result], mode: Mode, fixing_counts: bool) -> int:
    left = any(result.violations for result in results)
    fixed = any(result.fixed for result in results)
    if mode is Mode.DIFF:
        return int(fixed)
    return int((fixing_counts and fixed) or (left and mode is not Mode.FIX_ONLY))


def _opened(path: str) -> BinaryIO:
    try:
        return Path(path).open("wb")
    except OSError as error:
        raise Failure(f"{path}: cannot be written: {error.strerror}") from None


def _names_from(path: str) -> list[str]:
    """The names that a file lists: one a line, or separated by NUL characters as `git ls-files -z` does."""
    try:
        data = sys.stdin.buffer.read() if path == _STDIN else Path(path).read_bytes()
    except OSError as error:
        raise Failure(f"{path}: cannot be read: {error.strerror}") from None
    names = data.split(b"\0") if b"\0" in data else data.splitlines()
    return [name.decode(sys.getfilesystemencoding(), "surrogateescape") for name in names if name]


def _configured(config: Iterable[str], isolated: bool, settings: dict[str, Any]) -> tuple[Layer, str | None]:
    """What the command line sets, and the settings file that it names."""
    here = absolute(".")
    layer: Layer = {}
    config_file = None
    for value in config:
        if "=" not in value or is_file(value):
            if isolated or config_file is not None:
                other = "--isolated" if isolated else "another one"
                raise click.UsageError(f"the settings file {value} cannot be used together with {other}")
            config_file = absolute(value)
        else:
            layer = combined(layer, layer_from_assignment(value, root=here, source="--config"))
    flags: dict[str, object] = {}
    for name, value in settings.items():
        key = name.replace("_", "-")
        written = value
        if key in _LISTS:
            items = [item.strip() for part in value for item in part.split(",")]
            # No rule has an empty name, which `--select "$RULES"` may give; a pattern without a letter means nothing.
            written = [item for item in items if item or key not in _PATTERN_LISTS] if value else None
        try:
            flags |= layer_from_options({key: written}, root=here)
        except ConfigError as error:
            raise click.UsageError(f"--{key}: {error.problem}") from None
    return combined(layer, flags), config_file

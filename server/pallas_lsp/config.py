"""Settings of a check, and where they come from.

A setting is written in `pallas-lsp.toml`, `.pallas-lsp.toml` or `[tool.pallas-lsp]` of `pyproject.toml`; the file
nearest to the checked file wins and is not merged with others, unless it says `extend`. The editor and the command line
are laid on top. `OPTIONS` says everything about each setting once: its key, its form, its default, its documentation.
Nothing that is written is silently ignored: an unknown key or a wrong value is a `ConfigError`.

Rules are selected as ruff does it: of `select`, `extend-select` and `ignore` the longest matching prefix decides, and
`ignore` wins a tie. A later layer that says `select` replaces the selection below it; one that only says
`extend-select` or `ignore` adjusts it.
"""

# Paths stay strings here: a search for files handles thousands of them, and they are matched as strings.
# ruff: noqa: PTH100, PTH111, PTH116, PTH118, PTH119, PTH120

from __future__ import annotations

import functools
import os
import re
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pallas_lsp.files import content
from pallas_lsp.findings import Position, Range, Severity
from pallas_lsp.globs import ACROSS, FOLDERS, MAX_LENGTH, Wildcard, expression

FILE_NAMES = ("pallas-lsp.toml", ".pallas-lsp.toml", "pyproject.toml")
"""The names of configuration files; in one folder an earlier one wins."""

RULE_NAMES = {
    "PAL001": "returning-kernel",
    "PAL002": "dropped-result",
    "PAL003": "returning-body",
    "PAL101": "kernel-parameters",
    "PAL102": "in-specs",
    "PAL103": "out-specs",
    "PAL104": "out-shape",
    "PAL105": "grid-given-twice",
    "PAL106": "float-grid",
    "PAL107": "unknown-keyword",
    "PAL108": "launch-as-decorator",
    "PAL109": "scratch-shapes",
    "PAL110": "compiler-params",
    "PAL111": "aliases",
    "PAL112": "compiled-launch",
    "PAL201": "index-map-parameters",
    "PAL202": "index-map-results",
    "PAL203": "index-map-types",
    "PAL204": "block-spec-arguments",
    "PAL205": "block-rank",
    "PAL206": "index-map-captures",
    "PAL207": "index-map-condition",
    "PAL301": "unread-ref",
    "PAL302": "rebound-output",
    "PAL303": "unwritten-output",
    "PAL304": "stored-ref",
    "PAL305": "tree-store",
    "PAL306": "misfit-store",
    "PAL307": "wrong-dtype",
    "PAL308": "stored-input",
    "PAL309": "changed-array",
    "PAL310": "dropped-update",
    "PAL311": "traced-slice",
    "PAL401": "traced-condition",
    "PAL402": "traced-number",
    "PAL403": "misused-when",
    "PAL404": "lost-carry",
    "PAL405": "missing-axis",
    "PAL501": "captured-constant",
    "PAL502": "unused-copy",
    "PAL601": "missing-name",
    "PAL901": "unused-ignore",
}
"""The codes and slugs of all rules. Settings are read, and their mistakes reported, before any rule is imported."""

_DEFAULT_EXCLUDE = (
    *(".bzr", ".direnv", ".eggs", ".git", ".git-rewrite", ".hg", ".ipynb_checkpoints", ".mypy_cache", ".nox"),
    *(
        ".pallas_lsp_cache",
        ".pants.d",
        ".pyenv",
        ".pytest_cache",
        ".pytype",
        ".ruff_cache",
        ".svn",
        ".tox",
        ".venv",
        ".vscode",
    ),
    *("__pycache__", "__pypackages__", "_build", "buck-out", "build", "dist", "node_modules", "site-packages", "venv"),
)
_DEFAULT_INCLUDE = ("*.py", "*.pyi", "*.ipynb")


class ConfigError(Exception):
    """A setting that cannot be used: unknown, of the wrong form, or in a file that cannot be read.

    Args:
      problem: what is wrong and what was expected, without the place.
      source: the file, or what else the setting was read from; empty when unknown.
      line: 1-based line of the file, when known.
      key: the setting, as it was written; empty when the whole file is meant.
    """

    def __init__(self, problem: str, *, source: str = "", line: int | None = None, key: str = "") -> None:
        super().__init__(problem)
        self.problem = problem
        self.source = source
        self.line = line
        self.key = key

    def __str__(self) -> str:
        place = f"{self.source}:{self.line}" if self.line else self.source
        parts = (place, f"`{self.key}`" if self.key else "", self.problem)
        return ": ".join(part for part in parts if part)


class Pattern(NamedTuple):
    """A glob for files and folders, relative to the folder `root` (an absolute path; empty when there is none).

    It matches a path whose last part matches, or that matches as a whole. `*` and `?` match any character, `/` as well;
    `**/` matches any number of folders, `[a-z]` and `[!a-z]` one character, `{a,b}` either alternative.
    """

    glob: str
    root: str = ""


@dataclass(frozen=True)
class Patterns:
    """Several globs, matched at once: a search for files asks about each of them."""

    items: tuple[Pattern, ...]

    def matches(self, path: str) -> bool:
        """Whether one of them means the absolute `path`."""
        path = _with_slashes(path)
        if self._last_parts.fullmatch(path[path.rfind("/") + 1 :]):
            return True
        return self._wholes is not None and self._wholes.fullmatch(path) is not None

    @functools.cached_property
    def _last_parts(self) -> re.Pattern[str]:
        return re.compile("|".join(_translated(item.glob.rstrip("/")) for item in self.items) or r"(?!)", re.S)

    @functools.cached_property
    def _wholes(self) -> re.Pattern[str] | None:
        anchored = [_translated(_anchored(item.root, item.glob)) for item in self.items if item.root]
        return re.compile("|".join(anchored), re.S) if anchored else None


@dataclass(frozen=True, slots=True)
class PerFileIgnore:
    """Rules that are not reported in some files: those that `patterns` match, or do not when `negated`."""

    patterns: Patterns
    codes: tuple[str, ...]
    negated: bool = False

    def hides(self, code: str, path: str) -> bool:
        """Whether the rule `code` is not reported in the file with the absolute `path`."""
        return code.startswith(self.codes) and self.patterns.matches(path) != self.negated


@dataclass(frozen=True, slots=True)
class Settings:
    """What a check depends on besides the text.

    Args:
      select: rule codes or prefixes of codes (`PAL`, `PAL0`; empty for all) to report; None for the rules that are on
        by default.
      extend_select: codes or prefixes added to `select`.
      ignore: codes or prefixes not to report; the longest prefix wins, and this one when both are of the same length.
      severity: overrides, by code.
      per_file_ignores: codes or prefixes not to report in some files; nothing selects them again.
      exclude: files and folders that a search for files leaves out.
      include: files that a search for files finds.
      force_exclude: whether `exclude` holds for files that are named one by one as well.
      respect_gitignore: whether a search for files leaves out what git ignores.
      target_jax: the JAX version to check for, such as `0.9.2`; None for what the project says, see `target.target_of`.
      python: the absolute path of the interpreter that runs the code, or of its environment; None when not said.
      unsafe_fixes: whether fixes that need a look are applied by "fix all" as well.
      source: the configuration file that was read; None when there is none.
    """

    select: tuple[str, ...] | None = None
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    severity: dict[str, Severity] = field(default_factory=dict)
    per_file_ignores: tuple[PerFileIgnore, ...] = ()
    exclude: Patterns = Patterns(tuple(map(Pattern, _DEFAULT_EXCLUDE)))
    include: Patterns = Patterns(tuple(map(Pattern, _DEFAULT_INCLUDE)))
    force_exclude: bool = False
    respect_gitignore: bool = True
    target_jax: str | None = None
    python: str | None = None
    unsafe_fixes: bool = False
    source: str | None = None

    def enables(self, code: str, default: bool, path: str = "") -> bool:
        """Whether a rule is reported.

        Args:
          code: of the rule.
          default: whether the rule is on when nothing selects it.
          path: of the file, absolute; empty when it has none.
        """
        if path and any(entry.hides(code, path) for entry in self.per_file_ignores):
            return False
        selected = _longest_prefix(code, (*(self.select or ()), *self.extend_select))
        if self.select is None and default:
            selected = max(selected, 0)
        return selected > _longest_prefix(code, self.ignore)


def _longest_prefix(code: str, prefixes: Iterable[str]) -> int:
    return max((len(prefix) for prefix in prefixes if code.startswith(prefix)), default=-1)


DEFAULT = Settings()


# Globs.


def _with_slashes(path: str) -> str:
    return path.replace(os.sep, "/") if os.sep != "/" else path


def _anchored(root: str, glob: str) -> str:
    literal_root = re.sub(r"[*?\[{]", lambda found: f"[{found[0]}]", _with_slashes(root))
    return _with_slashes(os.path.normpath(os.path.join(literal_root, glob)))


_GLOB = r"(?s)(?P<folders>(?:^|(?<=[/{,]))\*\*/)|(?P<any>\*+)|(?P<one>\?)|\[(?P<set>!?\]?[^]]*)\]|(?P<bad>\[)|."
_Parts = tuple["str | Wildcard", ...]

MAX_WAYS = 256
"""A pattern whose braces stand for more patterns than this is none."""

_SET_SYNTAX = r"[\\^&~|\[\]]"


def _character_set(members: str) -> str:
    negation = "^" if members.startswith("!") else ""
    return f"[{negation}{re.sub(_SET_SYNTAX, _escaped, members.removeprefix('!'))}]"


def _escaped(found: re.Match[str]) -> str:
    return f"\\{found[0]}"


def _translated(glob: str) -> str:
    """A regular expression for a glob; raises ValueError when it is none."""
    if len(glob) > MAX_LENGTH:
        raise ValueError("it is too long")
    ways: list[_Parts] = [()]
    outer: list[tuple[list[_Parts], list[_Parts]]] = []
    for found in re.finditer(_GLOB, glob):
        token = found[0]
        part: str | Wildcard
        if found["folders"]:
            part = FOLDERS
        elif found["any"]:
            part = ACROSS
        elif found["one"]:
            part = "."
        elif found["set"] is not None:
            part = _character_set(found["set"])
        elif found["bad"]:
            raise ValueError("`[` is not closed")
        elif token == "{":
            outer.append((ways, []))
            ways = [()]
            continue
        elif token in ("}", ",") and outer:
            before, chosen = outer[-1]
            chosen += ways
            ways = [()]
            if token == "}":
                outer.pop()
                if len(before) * len(chosen) > MAX_WAYS:
                    raise ValueError("it has too many alternatives")
                ways = [(*start, *end) for start in before for end in chosen]
            continue
        else:
            part = re.escape(token)
        ways = [(*way, part) for way in ways]
    if outer:
        raise ValueError("`{` is not closed")
    written = "|".join(map(expression, dict.fromkeys(ways)))
    try:
        re.compile(written)
    except re.error as error:
        raise ValueError(str(error)) from None
    return f"(?:{written})"


# Forms of values. Each turns what was written into what `Settings` holds, or raises `_Unusable`.


class _Unusable(Exception):
    """A value of the wrong form: the problem, and the keys that lead to it below the setting."""

    def __init__(self, problem: str, *keys: str) -> None:
        super().__init__(problem)
        self.problem = problem
        self.keys = keys


_TYPE_NAMES = {bool: "a boolean", int: "an integer", float: "a number", list: "a list", dict: "a table"}


def _expected(what: str, value: object) -> _Unusable:
    written = f'"{value}"' if isinstance(value, str) else _TYPE_NAMES.get(type(value), "a date or time")
    return _Unusable(f"expected {what}, not {written}")


def _list(value: object, what: str) -> list[str]:
    if not isinstance(value, (list, tuple)):
        raise _expected(what, value)
    for item in value:
        if not isinstance(item, str):
            raise _expected(what, item)
    return list(value)


def _table(value: object, what: str) -> dict[str, object]:
    if not isinstance(value, Mapping):
        raise _expected(what, value)
    return dict(value)


def _boolean(value: object, _root: str) -> bool:
    if not isinstance(value, bool):
        raise _expected("true or false", value)
    return value


def _path(value: object, root: str) -> str:
    if not isinstance(value, str):
        raise _expected("a path", value)
    return os.path.abspath(os.path.join(root, os.path.expanduser(value)))


def _version(value: object, _root: str) -> str:
    if not isinstance(value, str) or not re.fullmatch(r"\d+(\.\d+){1,3}", value):
        raise _expected('a version in quotes, such as "0.9.2"', value)
    return value


def _suggestion(word: str, known: Iterable[str]) -> str:
    import difflib

    nearest = difflib.get_close_matches(word, tuple(known), n=1, cutoff=0.5)
    return f"; did you mean `{nearest[0]}`?" if nearest else ""


def _rule(selector: str) -> str:
    """The code of the one rule that is named by code or slug."""
    for code, name in RULE_NAMES.items():
        if selector in (code, name):
            return code
    raise _Unusable(f"unknown rule `{selector}`{_suggestion(selector, (*RULE_NAMES, *RULE_NAMES.values()))}")


def _selector(selector: str) -> str:
    """A code or a prefix of codes; a slug becomes its code, `ALL` the empty prefix."""
    if selector == "ALL":
        return ""
    if selector and any(code.startswith(selector) for code in RULE_NAMES):
        return selector
    return _rule(selector)


def _selectors(value: object, _root: str = "") -> tuple[str, ...]:
    return tuple(map(_selector, _list(value, 'a list of rule codes, such as ["PAL001"]')))


def _severities(value: object, _root: str) -> dict[str, Severity]:
    severities = {}
    names = [severity.value for severity in Severity]
    for selector, name in _table(value, "a table from rule codes to severities").items():
        if name not in names:
            raise _Unusable(f"expected one of {', '.join(names)}, not {name!r}", selector)
        try:
            severities[_rule(selector)] = Severity(name)
        except _Unusable as error:
            raise _Unusable(error.problem, selector) from None
    return severities


def _pattern(glob: str, root: str) -> Pattern:
    try:
        _translated(glob)
    except ValueError as error:
        raise _Unusable(f"`{glob}` is not a pattern: {error}") from None
    return Pattern(glob, root)


def _patterns(value: object, root: str) -> Patterns:
    return Patterns(tuple(_pattern(glob, root) for glob in _list(value, 'a list of patterns, such as ["docs/**"]')))


def _per_file_ignores(value: object, root: str) -> tuple[PerFileIgnore, ...]:
    entries = []
    for glob, selectors in _table(value, "a table from patterns to lists of rule codes").items():
        try:
            pattern = _pattern(glob.removeprefix("!"), root)
            entries.append(PerFileIgnore(Patterns((pattern,)), _selectors(selectors), glob.startswith("!")))
        except _Unusable as error:
            raise _Unusable(error.problem, glob) from None
    return tuple(entries)


# The options.


class Option(NamedTuple):
    """One setting, as it is written.

    Args:
      key: in a file; the editor may write it in camelCase.
      form: what the value must be, for the documentation.
      default: as it would be written.
      example: TOML that sets it.
      documentation: Markdown.
      parse: turns the value into what `Settings` holds, given the folder that paths are relative to.
      only_in_files: whether the editor and the command line cannot set it.
    """

    key: str
    form: str
    default: str
    example: str
    documentation: str
    parse: Callable[[object, str], object]
    only_in_files: bool = False


def _written(globs: Iterable[str]) -> str:
    return "[" + ", ".join(f'"{glob}"' for glob in globs) + "]"


_RULES = "list of rule codes"
_PATTERNS = "list of patterns"

OPTIONS = (
    Option(
        "extend",
        "path",
        "none",
        'extend = "../pallas-lsp.toml"',
        "Another configuration file that this one adds to. What this file sets wins. Paths and patterns are relative "
        "to the file they are written in.",
        _path,
        only_in_files=True,
    ),
    Option(
        "select",
        _RULES,
        "the rules that are on by default",
        'select = ["PAL0", "dropped-result"]',
        "The rules to report, instead of those that are on by default. A code, the beginning of codes, a rule's name, "
        "or `ALL`. Of `select`, `extend-select` and `ignore` the longest match decides.",
        _selectors,
    ),
    Option(
        "extend-select",
        _RULES,
        "[]",
        'extend-select = ["PAL003"]',
        "Rules to report besides those of `select`, or besides those that are on by default.",
        _selectors,
    ),
    Option(
        "ignore",
        _RULES,
        "[]",
        'ignore = ["PAL002"]',
        "Rules not to report. It wins over `select` when both match equally long.",
        _selectors,
    ),
    Option(
        "severity",
        "table from rules to severities",
        "each rule's own",
        'severity = { PAL002 = "error" }',
        "How bad the findings of a rule are: `error`, `warning`, `information` or `hint`. Any finding makes `check` "
        "exit with 1; the severity decides how it is shown.",
        _severities,
    ),
    Option(
        "per-file-ignores",
        "table from patterns to lists of rule codes",
        "{}",
        'per-file-ignores = { "tests/**" = ["ALL"], "!src/**" = ["PAL002"] }',
        "Rules not to report in the files that a pattern matches; with a leading `!`, in those that it does not match. "
        "It wins over all selections.",
        _per_file_ignores,
    ),
    Option(
        "exclude",
        _PATTERNS,
        _written(_DEFAULT_EXCLUDE),
        'exclude = [".venv", "third_party/**"]',
        "Files and folders that are left out when a folder is searched for files. Replaces the default. A file that is "
        "named on the command line is checked all the same, unless `force-exclude` is set.",
        _patterns,
    ),
    Option(
        "extend-exclude",
        _PATTERNS,
        "[]",
        'extend-exclude = ["third_party"]',
        "Files and folders to leave out besides those of `exclude`.",
        _patterns,
    ),
    Option(
        "include",
        _PATTERNS,
        _written(_DEFAULT_INCLUDE),
        'include = ["src/**/*.py"]',
        "The files to check when a folder is searched for files.",
        _patterns,
    ),
    Option(
        "force-exclude",
        "true or false",
        "false",
        "force-exclude = true",
        "Whether `exclude` holds for files that are named on the command line as well, as pre-commit names them.",
        _boolean,
    ),
    Option(
        "respect-gitignore",
        "true or false",
        "true",
        "respect-gitignore = false",
        "Whether files that git ignores are left out when a folder is searched for files: those in `.gitignore` files "
        "and in `.git/info/exclude`. A folder outside of a git repository has none.",
        _boolean,
    ),
    Option(
        "target-jax",
        "version",
        "what the project says, else the newest known",
        'target-jax = "0.9.2"',
        "The JAX version that the code is written for. It decides which API exists and what JAX says about a mistake. "
        "A project says it, in this order, in `uv.lock`, `poetry.lock` or `pdm.lock`, in `pyproject.toml` or a "
        "`requirements.txt`, or by what is installed in its `.venv`; the nearest folder above the file counts. A "
        "requirement of a range means the newest release in it.",
        _version,
    ),
    Option(
        "python",
        "path",
        "the `.venv` or `venv` of the project",
        'python = "../env/bin/python"',
        "The interpreter that runs the code, or the folder of its environment. It is not started: the JAX that is "
        "installed there is the `target-jax` when the project does not say which.",
        _path,
    ),
    Option(
        "unsafe-fixes",
        "true or false",
        "false",
        "unsafe-fixes = true",
        "Whether fixes that need a look afterwards are applied together with the safe ones.",
        _boolean,
    ),
)

_BY_KEY = {option.key: option for option in OPTIONS}


# Layers: what one source says, parsed.

_NO = Patterns(())

Layer = Mapping[str, Any]
"""What one source (a file, the editor, the command line) sets: option keys to the values that `Option.parse` made."""


def _parsed(table: Mapping[str, object], root: str, error: Callable[[str, tuple[str, ...]], Exception]) -> Layer:
    """Parses a table of settings; `error` makes the exception from a problem and the keys that lead to it."""
    layer = {}
    for key, value in table.items():
        option = _BY_KEY.get(key)
        if option is None:
            raise error(f"unknown setting{_suggestion(key, _BY_KEY) or '; there is none of a similar name'}", (key,))
        try:
            layer[key] = option.parse(value, root)
        except _Unusable as unusable:
            raise error(unusable.problem, (key, *unusable.keys)) from None
    return layer


def layer_from_options(options: Mapping[str, object], *, root: str = "", source: str = "settings") -> Layer:
    """Parses settings that were not written in a file.

    Args:
      options: keys in kebab-case or camelCase; None as a value means that the option is not set.
      root: the absolute path of the folder that patterns are relative to.
      source: where the options are from, for the error.

    Raises:
      ConfigError: a key is unknown, or a value is of the wrong form.
    """
    written = {re.sub(r"(?<=[a-z])[A-Z]", lambda found: f"-{found[0].lower()}", key): key for key in options}
    table = {key: options[name] for key, name in written.items() if options[name] is not None}

    def error(problem: str, keys: tuple[str, ...]) -> ConfigError:
        return ConfigError(problem, source=source, key=".".join((written[keys[0]], *keys[1:])))

    for key in table:
        if key in _BY_KEY and _BY_KEY[key].only_in_files:
            raise error("can only be set in a configuration file", (key,))
    return _parsed(table, root, error)


def layer_from_assignment(assignment: str, *, root: str = "", source: str = "--config") -> Layer:
    """Parses one `KEY = VALUE` in TOML, such as `ignore = ["PAL002"]`; see `layer_from_options`."""
    try:
        table = _loads(assignment)
    except ValueError as error:
        raise ConfigError(f"expected KEY = VALUE in TOML: {error}", source=source, key=assignment) from None
    return layer_from_options(table, root=root, source=source)


def combined(below: Layer, above: Layer) -> Layer:
    """Lays `above` on `below`: what it sets wins, exclusions and severities add up, selections as the module says."""
    extended = Patterns(tuple(item for layer in (below, above) for item in layer.get("extend-exclude", _NO).items))
    severity = {**below.get("severity", {}), **above.get("severity", {})}
    return {**below, **above, **_selection(below, above), "extend-exclude": extended, "severity": severity}


def _selection(below: Layer, above: Layer) -> Layer:
    keys = ("select", "extend-select", "ignore")
    if "select" in above:
        return {key: above.get(key, ()) for key in keys}
    selected, ignored = above.get("extend-select", ()), above.get("ignore", ())
    selection: dict[str, tuple[str, ...]] = {
        "extend-select": (*_outside(ignored, below.get("extend-select", ())), *selected),
        "ignore": (*_outside(selected, below.get("ignore", ())), *ignored),
    }
    if "select" in below:
        selection["select"] = _outside(ignored, below["select"])
    return selection


def _outside(prefixes: tuple[str, ...], codes: Iterable[str]) -> tuple[str, ...]:
    """The codes that no prefix covers: a lower layer's longer match must not win over a higher layer's shorter one."""
    return tuple(code for code in codes if not code.startswith(prefixes))


def _settings(layer: Layer, source: str | None) -> Settings:
    values = {key.replace("-", "_"): value for key, value in layer.items() if key not in ("extend", "extend-exclude")}
    excluded = layer.get("exclude", DEFAULT.exclude)
    values["exclude"] = Patterns((*excluded.items, *layer.get("extend-exclude", _NO).items))
    return Settings(source=source, **values)


# Files.


def _loads(text: str) -> dict[str, object]:
    """Parses TOML; raises ValueError."""
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


_KEY = r"""(?:[\w-]+|"[^"]*"|'[^']*')"""
_SETTING = re.compile(rf"\s*({_KEY}(?:\s*\.\s*{_KEY})*)\s*=")


def _line_of(text: str, keys: tuple[str, ...]) -> int | None:
    """The 1-based line that sets the dotted `keys`, or the nearest table or key around it; None when not found."""
    best, found_line = 0, None
    header: tuple[str, ...] = ()
    for number, line in enumerate(text.splitlines(), 1):
        if table := re.match(r"\s*\[+([^\[\]]+)\]", line):
            header = written = _dotted(table[1])
        elif setting := _SETTING.match(line):
            written = (*header, *_dotted(setting[1]))
        else:
            continue
        if len(written) > best and keys[: len(written)] == written:
            best, found_line = len(written), number
    return found_line


def _dotted(written: str) -> tuple[str, ...]:
    parts = re.findall(r"""[\w-]+|"[^"]*"|'[^']*'""", written)
    return tuple(part.strip("\"'") for part in parts)


def _signature(path: str) -> tuple[int, int] | None:
    """What changes when a file does; None when there is no such file."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    return (status.st_mtime_ns, status.st_size) if stat.S_ISREG(status.st_mode) else None


_READ: dict[str, tuple[tuple[int, int], Layer | ConfigError | None]] = {}


def _file_layer(path: str) -> Layer | None:
    """What a configuration file says, read again only when it changed; None for a pyproject.toml without our table."""
    signature = _signature(path)
    if signature is None:
        return None
    known = _READ.get(path)
    if known is None or known[0] != signature:
        try:
            known = signature, _read(path)
        except ConfigError as error:
            known = signature, error
        _READ[path] = known
    if isinstance(known[1], ConfigError):
        raise known[1].with_traceback(None)
    return known[1]


def _read(path: str) -> Layer | None:
    try:
        data = content(path)
    except OSError as error:
        raise ConfigError(f"cannot be read: {error.strerror}", source=path) from None
    header = _header(path)
    if header and b"pallas-lsp" not in data:
        return None
    try:
        text = data.decode("utf-8-sig")
        table: object = _loads(text)
    except ValueError as error:
        where = re.search(r"at line (\d+)", str(error))
        raise ConfigError(f"is not TOML: {error}", source=path, line=int(where[1]) if where else None) from None
    for key in header:
        table = table.get(key) if isinstance(table, dict) else None
    if table is None:
        return None

    def error_at(problem: str, keys: tuple[str, ...]) -> ConfigError:
        return ConfigError(problem, source=path, line=_line_of(text, (*header, *keys)), key=".".join(keys))

    if not isinstance(table, dict):
        raise ConfigError("expected a table", source=path, line=_line_of(text, header), key=".".join(header))
    return _parsed(table, os.path.dirname(path), error_at)


def _header(path: str) -> tuple[str, ...]:
    """The keys of the table of a configuration file that is ours; none for the whole file."""
    return ("tool", "pallas-lsp") if os.path.basename(path) == "pyproject.toml" else ()


def _with_extended(path: str, layer: Layer) -> Layer:
    """Lays a file on the files that it extends, however far that goes."""
    seen = [path]
    while "extend" in layer:
        extended = layer["extend"]
        if extended in seen:
            circle = " -> ".join((*seen, extended))
            raise ConfigError(f"the files extend each other: {circle}", source=path, key="extend")
        below = _file_layer(extended)
        if below is None:
            raise ConfigError(f"there is no configuration in {extended}", source=seen[-1], key="extend")
        seen.append(extended)
        layer = combined(below, {key: value for key, value in layer.items() if key != "extend"})
    return layer


def find_config(folder: str) -> str | None:
    """The configuration file that holds for the files in the absolute `folder`, or None.

    Raises:
      ConfigError: one of the files that had to be looked into cannot be used.
    """
    while True:
        for name in FILE_NAMES:
            path = os.path.join(folder, name)
            if _file_layer(path) is not None:
                return path
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent


class Problem(NamedTuple):
    """A mistake in a configuration file.

    Args:
      message: what is wrong and what was expected.
      range: the key or the value that is meant.
    """

    message: str
    range: Range


def problems_in(path: str, text: str) -> tuple[Problem, ...]:
    """All mistakes in a version of a configuration file, one for each setting.

    Args:
      path: of the file, absolute; its name says which table of it is ours.
      text: that is or will be in it.
    """
    lines = text.split("\n")
    header = _header(path)
    try:
        table: object = _loads(text)
    except ValueError as error:
        if header and "pallas-lsp" not in text:
            return ()
        place = re.search(r"at line (\d+)", str(error))
        return (
            Problem(f"This is not TOML: {error}", _range_of_line(lines, int(place[1]) - 1 if place else len(lines))),
        )
    for key in header:
        table = table.get(key) if isinstance(table, dict) else None
    if table is None:
        return ()
    if not isinstance(table, dict):
        return (Problem("Expected a table.", _place_of(text, header, "")),)
    return tuple(_problems_of(table, path, header, text))


def _problems_of(table: dict[str, object], path: str, header: tuple[str, ...], text: str) -> Iterator[Problem]:
    for key, value in table.items():
        try:
            layer = _parsed({key: value}, os.path.dirname(path), lambda problem, keys: _Unusable(problem, *keys))
            if key == "extend":
                _with_extended(path, layer)
        except _Unusable as unusable:
            yield Problem(
                f"{unusable.problem[:1].upper()}{unusable.problem[1:]}.".replace("?.", "?"),
                _place_of(text, (*header, *unusable.keys), unusable.problem),
            )
        except ConfigError as error:
            yield Problem(str(error), _place_of(text, (*header, key), ""))


def _place_of(text: str, keys: tuple[str, ...], problem: str) -> Range:
    """The value that a problem quotes if it is written after the key, else the key."""
    lines = text.split("\n")
    number = _line_of(text, keys)
    if number is None:
        return _range_of_line(lines, 0)
    for quoted in re.findall(r"""`([^`]+)`|"([^"]+)"|'([^']+)'""", problem):
        word = next(filter(None, quoted))
        for line in range(number - 1, len(lines)):
            found = re.search(rf"""(["']){re.escape(word)}\1""", lines[line])
            if found is not None:
                return Range(Position(line, found.start()), Position(line, found.end()))
            if line >= number and re.match(r"\s*(?:\[|[\w.\"'-]+\s*=)", lines[line]):
                break
    key = re.search(rf"""["']?(?<![\w-]){re.escape(keys[-1])}(?![\w-])["']?""", lines[number - 1])
    if key is None:
        return _range_of_line(lines, number - 1)
    return Range(Position(number - 1, key.start()), Position(number - 1, key.end()))


def _range_of_line(lines: list[str], number: int) -> Range:
    number = max(0, min(number, len(lines) - 1))
    line = lines[number].rstrip()
    return Range(Position(number, len(line) - len(line.lstrip())), Position(number, len(line)))


def settings_for(
    path: str,
    *,
    overrides: Layer | None = None,
    defaults: Layer | None = None,
    isolated: bool = False,
    config_file: str | None = None,
) -> Settings:
    """The settings of a file. Files are looked at anew on each call, and read again when they changed.

    Args:
      path: of the file to check, absolute; the file need not exist.
      overrides: what the editor or the command line sets.
      defaults: what holds where a configuration file says nothing.
      isolated: whether configuration files are ignored.
      config_file: the absolute path of the one configuration file to use, wherever `path` is.

    Raises:
      ConfigError: a configuration file cannot be used.
    """
    source = None if isolated else config_file or find_config(os.path.dirname(path))
    layer: Layer = {}
    if source is not None:
        read = _file_layer(source)
        if read is None:
            problem = "has no [tool.pallas-lsp] table" if _signature(source) else "there is no such file"
            raise ConfigError(problem, source=source)
        layer = _with_extended(source, read)
    return _settings(combined(combined(defaults or {}, layer), overrides or {}), source)

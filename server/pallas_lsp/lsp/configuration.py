"""The settings of a document: configuration files, and on top of them what the editor says."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from lsprotocol import types

from pallas_lsp.config import ConfigError, Patterns, Settings, layer_from_options, settings_for
from pallas_lsp.lsp import uris
from pallas_lsp.lsp.capabilities import SERVER_NAME
from pallas_lsp.lsp.documents import Unit
from pallas_lsp.lsp.logs import SHOW

if TYPE_CHECKING:
    from pallas_lsp.lsp.server import PallasServer

logger = logging.getLogger(__name__)

SECTION = SERVER_NAME
"""The section of the editor's configuration that is ours."""

PREFERENCES = ("editorFirst", "filesystemFirst", "editorOnly")
"""The values of `configurationPreference`: whose settings win, those of the editor or those of files."""

LEVELS = ("error", "warning", "info", "debug")
"""The values of `logLevel`."""

_PATIENCE = 2.0


class Shown(NamedTuple):
    """What is shown besides findings: `inlayHints.roles`, `inlayHints.shapes`, `codeLens.launches`, `codeLens.verify`.

    Args:
      roles: what a parameter is to the launch, behind its name.
      shapes: the dtypes and shapes of blocks, likewise.
      launches: above a kernel, where it is launched.
      verify: above a kernel, a command that runs it.
    """

    roles: bool = True
    shapes: bool = True
    launches: bool = True
    verify: bool = True


_SHOWN = {
    "roles": ("inlayHints", "roles"),
    "shapes": ("inlayHints", "shapes"),
    "launches": ("codeLens", "launches"),
    "verify": ("codeLens", "verify"),
}


class Configuration:
    """What the editor has told: its folders, and its options for each of them.

    Args:
      params: the client's `InitializeParams`, as JSON. The options of `initializationOptions`, below `settings` if
        there is such a key, hold until the client tells otherwise. What is for the server rather than for a check,
        such as `logLevel`, may stand beside `settings` as well.
      is_asked: whether the client will be asked for its options.

    `files` has the paths of the configuration files that were read, or could not be.
    """

    def __init__(self, params: Mapping[str, Any], *, is_asked: bool) -> None:
        self.folders = _folders(params)
        self._told = asyncio.Event()
        if not is_asked:
            self._told.set()
        options = params.get("initializationOptions")
        self._initial = _initial(options) if isinstance(options, dict) else {}
        self._everywhere = self._initial
        self._in_folder: dict[str, Mapping[str, object]] = {}
        self._reported: set[str] = set()
        self._excluded: dict[str, tuple[tuple[str, Patterns], bool]] = {}
        self.files: set[str] = set()
        self._set_level()

    async def told(self) -> None:
        """Waits until the client has answered the first question about its options, or does not seem to."""
        if not self._told.is_set():
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self._told.wait(), _PATIENCE)
            self._told.set()

    def change_folders(self, event: types.WorkspaceFoldersChangeEvent) -> None:
        """Takes a change of the workspace's folders."""
        removed = {folder.uri for folder in event.removed}
        kept = [uri for uri in self.folders if uri not in removed]
        self.folders = tuple(dict.fromkeys((*kept, *(folder.uri for folder in event.added))))

    def take(self, settings: object) -> None:
        """Takes the options that a client sent along: our section, or all that contains our section."""
        section = settings.get(SECTION, settings) if isinstance(settings, dict) else None
        self._everywhere = {**self._initial, **_options(section)}
        self._told.set()
        self._set_level()

    async def ask(self, server: PallasServer) -> None:
        """Asks the client for its options. Options that it does not tell stay as they were at the start."""
        folders = self.folders
        items = [types.ConfigurationItem(section=SECTION)]
        items += (types.ConfigurationItem(scope_uri=folder, section=SECTION) for folder in folders)
        try:
            answers = await server.workspace_configuration_async(types.ConfigurationParams(items))
            self._everywhere, *in_folders = ({**self._initial, **_options(answer)} for answer in answers)
            self._in_folder = dict(zip(folders, in_folders, strict=True))
        except Exception as error:
            logger.warning("The client does not tell its configuration: %s", error)
        self._told.set()
        self._set_level()

    def settings(self, unit: Unit) -> Settings:
        """The settings of a unit. Reads files; may be called from any thread.

        What cannot be used is reported once and left out: of the editor's options the one, of a file all.
        """
        folder = self._folder(unit.path)
        root = uris.to_path(folder)
        overrides: dict[str, Any] = {}
        options = self._in_folder.get(folder, self._everywhere)
        preference = self._choice(options, "configurationPreference", PREFERENCES)
        for name, value in options.items():
            if name in _OF_THE_SERVER:
                continue
            try:
                overrides.update(layer_from_options({name: value}, root=root, source="the editor's settings"))
            except ConfigError as error:
                self._report(error, show=False)
        # A document without a file gets the settings of the folder that it would probably be saved in.
        path = unit.path or (root and f"{root}{os.sep}untitled.py")
        isolated = not path or preference == "editorOnly"
        layers: dict[str, Any] = {"defaults" if preference == "filesystemFirst" else "overrides": overrides}
        try:
            settings = settings_for(path, isolated=isolated, **layers)
        except ConfigError as error:
            self._report(error, show=True)
            self.files.add(error.source)
            return settings_for(path, isolated=True, **layers)
        if settings.source is not None:
            self.files.add(settings.source)
        return settings

    def shown(self, unit: Unit) -> Shown:
        """What to show of a unit besides findings."""
        options = self._in_folder.get(self._folder(unit.path), self._everywhere)
        return Shown(**{field: self._switch(options, *names) for field, names in _SHOWN.items()})

    def excludes(self, path: str, settings: Settings) -> bool:
        """Whether a file, or a folder between it and its workspace folder, is one that a search would leave out.

        A file outside of all folders was opened on purpose.
        """
        root = uris.to_path(self._folder(path)) if path else ""
        if not root:
            return False
        asked = (root, settings.exclude)
        known = self._excluded.get(path)
        if known is None or known[0] != asked:
            inside = (str(each) for each in (Path(path), *Path(path).parents) if len(str(each)) > len(root))
            known = self._excluded[path] = (asked, any(map(settings.exclude.matches, inside)))
        return known[1]

    def _set_level(self) -> None:
        level = self._choice(self._everywhere, "logLevel", LEVELS)
        logging.getLogger("pallas_lsp").setLevel(getattr(logging, (level or "info").upper()))

    def _choice(self, options: Mapping[str, object], name: str, choices: Sequence[str]) -> str | None:
        """The value of an option of the server; None when it is not set, or cannot be used."""
        value = options.get(name)
        if value is None or value in choices:
            return value if isinstance(value, str) else None
        problem = f"expected one of {', '.join(choices)}, not {value!r}"
        self._report(ConfigError(problem, source="the editor's settings", key=name), show=False)
        return None

    def _switch(self, options: Mapping[str, object], group: str, name: str) -> bool:
        """Whether one of a group of options is on: when it is not set, or cannot be used."""
        switches = options.get(group)
        if switches is None:
            return True
        if not isinstance(switches, dict):
            problem = f"expected an object, not {switches!r}"
            self._report(ConfigError(problem, source="the editor's settings", key=group), show=False)
            return True
        value = switches.get(name)
        if value is not None and not isinstance(value, bool):
            problem = f"expected true or false, not {value!r}"
            self._report(ConfigError(problem, source="the editor's settings", key=f"{group}.{name}"), show=False)
        return value is not False

    def _folder(self, path: str) -> str:
        """The URI of the innermost folder that contains a path, of the first for no path; empty if there is none."""
        if not path:
            return next(iter(self.folders), "")
        containing = [uri for uri in self.folders if path.startswith(f"{uris.to_path(uri).rstrip(os.sep)}{os.sep}")]
        return max(containing, key=len, default="")

    def _report(self, error: ConfigError, *, show: bool) -> None:
        if str(error) not in self._reported:
            self._reported.add(str(error))
            logger.warning("%s", error, extra={SHOW: show})


def _folders(params: Mapping[str, Any]) -> tuple[str, ...]:
    folders = params.get("workspaceFolders")
    if isinstance(folders, list):
        named = (folder.get("uri") for folder in folders if isinstance(folder, dict))
        return tuple(dict.fromkeys(uri for uri in named if isinstance(uri, str)))
    root = params.get("rootUri")
    if isinstance(root, str):
        return (root,)
    path = params.get("rootPath")
    return (uris.from_path(path),) if isinstance(path, str) else ()


_OF_THE_SERVER = ("configurationPreference", "logLevel", "diagnosticMode", "inlayHints", "codeLens")
"""The options that no check depends on; they cannot be in a file."""


def _initial(options: Mapping[str, object]) -> Mapping[str, object]:
    """The options that `initializationOptions` have, with those of the server that stand beside `settings`."""
    if "settings" not in options:
        return _options(options)
    beside = {name: options[name] for name in _OF_THE_SERVER if options.get(name) is not None}
    return {**beside, **_options(options["settings"])}


def _options(value: object) -> Mapping[str, object]:
    """The options that are set in a client's answer: editors send null for those that are not."""
    if not isinstance(value, dict):
        return {}
    return {name: option for name, option in value.items() if option is not None}

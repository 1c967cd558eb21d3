"""URIs of files and their paths."""

from __future__ import annotations

import os

import pytest

from pallas_lsp.lsp import uris


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///work/a.py", "/work/a.py"),
        ("file:///w%20rk/%C3%A9%F0%9F%8E%89.py", "/w rk/é🎉.py"),
        ("file:///a.py?query#fragment", "/a.py"),
        ("file:///a%23b%3F.py", "/a#b?.py"),
        ("file:///C%3A/a.py", "c:/a.py"),
        ("file:///c:/a.py", "c:/a.py"),
        ("file://server/share/a.py", "//server/share/a.py"),
        ("file://", ""),
        ("file:", ""),
        ("", ""),
        ("untitled:Untitled-1", ""),
        ("vscode-notebook-cell:/nb.ipynb#W0", ""),
        ("http://[bad", ""),
        ("file://[bad", ""),
    ],
)
def test_the_path_of_a_uri(uri: str, path: str) -> None:
    assert uris.to_path(uri) == path.replace("/", os.sep)


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("/work/a.py", "file:///work/a.py"),
        ("/w rk/é#.py", "file:///w%20rk/%C3%A9%23.py"),
        ("c:/a.py", "file:///c%3A/a.py"),
        ("//server/share/a.py", "file://server/share/a.py"),
    ],
)
def test_the_uri_of_a_path(path: str, uri: str) -> None:
    assert uris.from_path(path) == uri
    assert uris.to_path(uri) == path.replace("/", os.sep)

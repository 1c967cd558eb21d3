"""Markdown and MyST documents in an editor: findings and fixes are in their blocks, whatever columns are counted in."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from lsp.client import NEOVIM, SERVER, Client, Json
from pallas_lsp.text import PositionEncoding

URI = "file:///work/kernels.md"
DOCUMENT = """\
# Kernels

- \U0001d499:

  ```python
  import jax
  from jax.experimental import pallas as pl
  def scale(x_ref, o_ref): "\U0001d499"; return x_ref[...] * 2
  ```

```{code-cell} ipython3
:tags: [a]
%matplotlib inline
pl.pallas_call(scale, out_shape=jax.ShapeDtypeStruct((8,), "float32"))(jax.numpy.ones(8))
```
"""
FIXED = DOCUMENT.replace("return x_ref", "o_ref[...] = x_ref")
LINE = DOCUMENT.splitlines()[7]


def capabilities(encoding: PositionEncoding) -> Json:
    made = copy.deepcopy(NEOVIM)
    made["general"]["positionEncodings"] = [encoding.value]
    return made


def units(text: str, encoding: PositionEncoding) -> int:
    codec = {PositionEncoding.UTF8: "utf-8", PositionEncoding.UTF16: "utf-16-le", PositionEncoding.UTF32: "utf-32-le"}
    size = {PositionEncoding.UTF8: 1, PositionEncoding.UTF16: 2, PositionEncoding.UTF32: 4}
    return len(text.encode(codec[encoding])) // size[encoding]


def applied(text: str, edits: list[Json], encoding: PositionEncoding) -> str:
    """The text after edits of single lines."""
    lines = text.splitlines(keepends=True)
    for edit in sorted(edits, key=lambda edit: edit["range"]["start"]["character"], reverse=True):
        start, end = edit["range"]["start"], edit["range"]["end"]
        assert start["line"] == end["line"]
        line = lines[start["line"]]
        first, last = (
            next(i for i in range(len(line)) if units(line[:i], encoding) == at["character"]) for at in (start, end)
        )
        lines[start["line"]] = line[:first] + edit["newText"] + line[last:]
    return "".join(lines)


@pytest.mark.parametrize("encoding", PositionEncoding, ids=lambda encoding: encoding.value)
def test_findings_and_fixes_are_in_their_blocks(encoding: PositionEncoding) -> None:
    with Client(SERVER) as client:
        client.initialize(capabilities(encoding))
        client.open(URI, DOCUMENT, language="markdown")
        (found,) = client.published(URI)
        start = units(LINE[: LINE.index("return")], encoding)
        assert (found["code"], found["range"]["start"]) == ("PAL001", {"line": 7, "character": start})
        assert found["relatedInformation"][0]["location"]["range"]["start"]["line"] == 13
        # At the caret, without the diagnostic: the range of the request is in the document as well.
        actions = client.code_actions(URI, {"start": found["range"]["end"], "end": found["range"]["end"]})
        assert applied(DOCUMENT, actions[0]["edit"]["changes"][URI], encoding) == FIXED
        (fix_all,) = client.code_actions(URI, found["range"], only=["source.fixAll"])
        resolved = client.request("codeAction/resolve", fix_all)
        assert applied(DOCUMENT, resolved["edit"]["changes"][URI], encoding) == FIXED
        client.change(URI, 2, FIXED)
        assert client.published(URI, 2) == []
        assert client.exit() == 0


@pytest.mark.parametrize(
    ("uri", "language", "is_checked"),
    [
        ("untitled:Untitled-1", "markdown", True),
        ("file:///a.md", "plaintext", True),
        ("file:///a.txt", "myst", True),
        ("file:///a.rst", "restructuredtext", False),
    ],
)
def test_the_language_or_the_name_tells_markdown(real: Client, uri: str, language: str, is_checked: bool) -> None:
    real.open(uri, DOCUMENT, language=language)
    assert (uri in real.documents()) == is_checked
    if is_checked:
        assert [found["code"] for found in real.published(uri)] == ["PAL001"]


@pytest.fixture(scope="module")
def real() -> Any:
    with Client(SERVER) as client:
        client.initialize({})
        yield client


def test_a_document_that_is_typed_keeps_its_findings(real: Client, tmp_path: Path) -> None:
    uri = (tmp_path / "typed.md").as_uri()
    real.open(uri, DOCUMENT, language="markdown")
    assert len(real.published(uri)) == 1
    line = {"line": 11, "character": 0}
    real.change(uri, 2, {"range": {"start": line, "end": line}, "text": "x = (\n"})
    assert [found["code"] for found in real.published(uri, 2)][:1] == ["PAL001"]
    # The fence is not closed while it is typed: what follows is the block's.
    first = {"line": 0, "character": 0}
    real.change(uri, 3, {"range": {"start": first, "end": first}, "text": "```sh\n"})
    assert real.published(uri, 3) == []

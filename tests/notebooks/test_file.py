"""`.ipynb` files: their cells are read, and changed cells are written with all else as it was."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pallas_lsp.notebooks.file import Notebook, NotebookError
from tests.examples import examples


def code(source: Any, **more: Any) -> dict[str, Any]:
    return {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": source, **more}


def words(source: Any) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": source}


def notebook(*cells: dict[str, Any], language: str = "python", **more: Any) -> dict[str, Any]:
    metadata = {"language_info": {"name": language}, "title": "naïve 🎉"}
    return {"cells": list(cells), "metadata": metadata, "nbformat": 4, "nbformat_minor": 5, **more}


def written(content: object, **style: Any) -> bytes:
    """A notebook as nbformat writes it, unless the style says otherwise."""
    style = {"indent": 1, "ensure_ascii": False, **style}
    return (json.dumps(content, **style) + "\n").encode()


def test_cells_are_read_whether_their_text_is_one_string_or_lines() -> None:
    read = Notebook.of(written(notebook(code("x = 1\ny"), words(["# Title"]), code(["x = 1\n", "y"]), code([]))))
    assert read.sources == ("x = 1\ny", None, "x = 1\ny", "")
    assert [cell.source for cell in read.cells] == ["x = 1\ny", "# Title", "x = 1\ny", ""]


def test_nbformat_3_has_worksheets() -> None:
    old = {"cell_type": "code", "language": "python", "input": ["x = 1\n", "y"], "outputs": []}
    perl = {**old, "language": "perl"}
    content = {"worksheets": [{"cells": [old, words("x")]}, {"cells": [perl]}], "nbformat": 3, "metadata": {}}
    read = Notebook.of(written(content))
    assert read.sources == ("x = 1\ny", None, None)
    content["worksheets"][0]["cells"][0]["input"] = ["x = 2\n", "y"]  # type: ignore[index]
    assert read.with_cells({0: "x = 2\ny"}) == written(content)


def test_cell_in_another_language_is_not_python() -> None:
    other = code("x", metadata={"vscode": {"languageId": "julia"}})
    same = code("x", metadata={"vscode": {"languageId": "python"}})
    assert Notebook.of(written(notebook(other, same, {**code("x"), "cell_type": "raw"}))).sources == (None, "x", None)


@pytest.mark.parametrize(
    "metadata",
    [
        {},
        {"language_info": {"name": "python"}},
        {"language_info": {"name": "Python"}, "kernelspec": {"language": "other"}},
        {"kernelspec": {"language": "python", "name": "python3"}},
        {"kernelspec": {"name": "tpu"}, "language_info": {}},
        {"kernelspec": None},
        [],
    ],
)
def test_notebook_is_python_unless_it_says_otherwise(metadata: Any) -> None:
    assert Notebook.of(written({**notebook(code("x")), "metadata": metadata})).sources == ("x",)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"\xff{}", "it is not UTF-8: invalid start byte at byte 0"),
        (b"", "it is not JSON: Expecting value: line 1 column 1 (char 0)"),
        (b'{"cells": [}', "it is not JSON: Expecting value: line 1 column 12 (char 11)"),
        (b'{"nbformat": 4, "cells": []} x', "it is not JSON: Extra data: line 1 column 30 (char 29)"),
        (b"[" * 100_000, "it is nested too deeply"),
        (b"[]", "it is not a notebook"),
        (b'{"cells": []}', "it is not a notebook"),
        (b'{"cells": [], "nbformat": 2}', "nbformat 2 is not known"),
        (b'{"cells": [], "nbformat": "4"}', "nbformat '4' is not known"),
        (b'{"nbformat": 4}', "it has no cells"),
        (b'{"nbformat": 4, "cells": {}}', "it has no cells"),
        (b'{"nbformat": 3, "cells": []}', "it has no worksheets"),
        (b'{"nbformat": 3, "worksheets": [1]}', "it has no cells"),
        (b'{"nbformat": 4, "cells": [1]}', "cell 1 is not an object"),
        (b'{"nbformat": 4, "cells": [{"source": ""}, {}]}', "cell 2 has no text"),
        (b'{"nbformat": 4, "cells": [{"source": ["", 1]}]}', "cell 1 has no text"),
        (written(notebook(language="Julia")), "its language is julia, not Python"),
        (written({**notebook(), "metadata": {"kernelspec": {"language": "R"}}}), "its language is r, not Python"),
    ],
)
def test_what_is_not_a_notebook_of_python_says_why(data: bytes, reason: str) -> None:
    with pytest.raises(NotebookError) as caught:
        Notebook.of(data)
    assert str(caught.value) == reason


STYLES = [
    {},
    {"indent": 2},
    {"indent": "\t"},
    {"indent": None},
    {"indent": None, "separators": (",", ":")},
    {"ensure_ascii": True},
    {"sort_keys": True},
    {"indent": 4, "ensure_ascii": True, "separators": (" , ", " : ")},
]


@pytest.mark.parametrize("style", STYLES)
def test_changed_cell_is_laid_out_like_the_others(style: dict[str, Any]) -> None:
    before = notebook(code(["x = 1\n", "é = '\u2028🎉'\n", "y\n"]), words("é"), code("x"), code(["z\n", "z\n"]))
    after = notebook(
        code(["x = 2\n", "é = '\u2028", "🎉'\n", "w\n", "y\n"]), words("é"), code("y\n'ü'"), code(["z\n", "z\n"])
    )
    before["cells"][0]["source"] = ["x = 1\n", "é = '\u2028", "🎉'\n", "y\n"]
    changes = {0: "x = 2\né = '\u2028🎉'\nw\ny\n", 2: "y\n'ü'"}
    assert Notebook.of(written(before, **style)).with_cells(changes) == written(after, **style)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(
    ("old", "new"), [(["a\n", "b"], ["a\n"]), (["a"], ["b\n", "c"]), (["a\n", "b"], []), ([], ["a"])]
)
def test_list_of_lines_grows_and_shrinks(old: list[str], new: list[str], style: dict[str, Any]) -> None:
    changed = Notebook.of(written(notebook(code(old), code("x")), **style)).with_cells({0: "".join(new)})
    assert json.loads(changed) == notebook(code(new), code("x"))
    if style.get("indent") is not None and old and " , " not in style.get("separators", ()):
        assert changed == written(notebook(code(new), code("x")), **style)


def test_lines_that_stay_are_spelt_as_they_were() -> None:
    before = rb'{"nbformat": 4, "cells": [{"cell_type": "code", "source": ["\u0061\n", "b \/ \u00fc\n", "c"]}]}'
    assert Notebook.of(before).with_cells({0: "a\nb / ü\nd"}) == before.replace(b'"c"', b'"d"')


def test_key_that_is_given_twice_counts_the_last_time() -> None:
    before = b'{"nbformat": 4, "cells": 1, "cells": [{"cell_type": "code", "source": "x", "source": "y"}]}'
    assert Notebook.of(before).sources == ("y",)
    assert Notebook.of(before).with_cells({0: "z"}) == before.replace(b'"y"', b'"z"')


def test_byte_order_mark_and_line_breaks_stay() -> None:
    before = b"\xef\xbb\xbf\r\n" + written(notebook(code(["x\n", "y"]))).replace(b"\n", b"\r\n")
    after = b"\xef\xbb\xbf\r\n" + written(notebook(code(["x\n", "z\n", "y"]))).replace(b"\n", b"\r\n")
    assert Notebook.of(before).with_cells({0: "x\nz\ny"}) == after


def test_lone_surrogate_is_escaped() -> None:
    before = written(notebook(code("'\ud800'")), ensure_ascii=True).replace(b"na\\u00efve", "naïve".encode())
    changed = Notebook.of(before).with_cells({0: "'\ud800' 🎉"})
    assert b"'\\ud800' \xf0\x9f\x8e\x89" in changed
    assert Notebook.of(changed).sources == ("'\ud800' 🎉",)


def test_text_that_is_no_code_is_never_changed() -> None:
    with pytest.raises(ValueError, match="cell 1 is not Python code"):
        Notebook.of(written(notebook(words("x")))).with_cells({0: "y"})


SOURCES = st.text(st.sampled_from('ab \n\r\f"\\/é\u2028🎉\x1f'), max_size=12)
VALUES = st.builds(
    lambda source, lines, style: json.dumps(source.splitlines(keepends=True) if lines else source, **style),
    SOURCES,
    st.booleans(),
    st.sampled_from(STYLES),
)


@examples()
@given(
    st.lists(st.tuples(st.sampled_from([code, words]), VALUES), max_size=4),
    st.sampled_from(STYLES),
    st.dictionaries(st.integers(0, 3), SOURCES),
)
def test_only_what_is_changed_changes(
    cells: list[tuple[Any, str]], style: dict[str, Any], changes: dict[int, str]
) -> None:
    around = re.split(
        '"@[0-9]"', written(notebook(*(make(f"@{n}") for n, (make, _) in enumerate(cells))), **style).decode()
    )
    values = [value for _, value in cells]
    data = around[0] + "".join(value + rest for value, rest in zip(values, around[1:], strict=True))
    read = Notebook.of(data)
    assert Notebook.of(data.encode()).with_cells({}) == data.encode()
    assert read.with_cells({n: text for n, text in enumerate(read.sources) if text is not None}) == data.encode()
    changes = {n: text for n, text in changes.items() if n < len(cells) and cells[n][0] is code}
    left = read.with_cells(changes).decode()
    for number, value in enumerate(values):
        assert left.startswith(around[number])
        left = left[len(around[number]) :]
        new, end = json.JSONDecoder().raw_decode(left)
        before = json.loads(value)
        assert type(new) is type(before)
        text = changes.get(number, "".join(before))
        assert "".join(new) == text
        if text == "".join(before):
            assert left.startswith(value)
        left = left[end:]
    assert left == around[-1]

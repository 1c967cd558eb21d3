"""Text that would exhaust a stack, a clock or the memory. Each is checked, or the report says what was skipped.

`tests/syntax/test_recovery.py` has the same for the parse alone, with counters of its work.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from pallas_lsp.check import check
from pallas_lsp.files import MAX_BYTES
from pallas_lsp.semantics import interpreter
from tests.cli.test_process import execute
from tests.examples import number_of
from tests.lsp.client import SERVER, Client

PRELUDE = """\
import functools
import itertools
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl

OUT = jax.ShapeDtypeStruct((8,), jnp.float32)


"""


def kernel(body: str, result: str = "y") -> str:
    """A kernel that returns, with more statements before."""
    return (
        f"def k(x_ref, o_ref):\n    y = x_ref[...]\n{body}\n    return {result}\n\n\n"
        "pl.pallas_call(k, out_shape=OUT)(jnp.ones(8))\n"
    )


def nested(header: str, count: int) -> str:
    """A statement in as many blocks."""
    lines = [" " * level + header for level in range(count)]
    return "".join(f"    {line}\n" for line in [*lines, " " * count + "pass"])


EXPRESSIONS = {
    "10,000 nested brackets": "(" * 10_000 + ")" * 10_000,
    "10,000 open brackets": "[" * 10_000,
    "190 nested brackets": "[" * 190 + "]" * 190,
    "a sum of 5,000 terms": " + ".join(["y"] * 5_000),
    "a sum of 5,000 numbers": " + ".join(["1"] * 5_000),
    "a sum of 190 terms": " + ".join(["y"] * 190),
    "100,000 unary operators": "-" * 100_000 + "1",
    "5,000 attributes": "y" + ".a" * 5_000,
    "190 attributes": "y" + ".a" * 190,
    "5,000 calls": "y" + "()" * 5_000,
    "5,000 subscripts": "y" + "[0]" * 5_000,
    "subscripts without an end": "y" + "[y" * 20_000,
    "5,000 nested lambdas": "lambda: " * 5_000 + "1",
    "5,000 conditions": "1 if y else " * 5_000 + "2",
    "5,000 comparisons": " < ".join(["y"] * 5_000),
    "1,000 nested f-strings": "f'{" * 1_000 + "1" + "}'" * 1_000,
    "a tower of powers": "9**9**9**9",
    "a number of 10,000 digits": "9" * 10_000,
    "a shift by a billion": "1 << 10**12",
    "a text of a terabyte": "'a' * 10**12",
    "a list of a terabyte": "[0] * 10**12",
    "a list of lists": "[[0] * 10**6] * 10**6",
    "a wide format": "'%1000000000d' % 1",
    "a wide f-string": "f'{1:1000000000}'",
    "a long range": "list(range(10**12))",
    "a sum over a long range": "sum(range(10**12))",
    "a big product": "list(itertools.product(range(10**6), repeat=10**6))",
    "a function that is given itself": "(lambda f: f(f))(lambda f: f(f))",
    "a text of 1 MB": "'" + "a" * 2**20 + "'",
    "a name of 1 MB": "a" * 2**20,
    "a set of 20,000": "{" + "1, " * 20_000 + "}",
    "a division by zero": "1 // 0",
}
STATEMENTS = {
    "99 nested conditions": nested("if y:", 98),
    "19 nested loops": nested("for i in range(10**9):", 19),
    "90 nested functions": nested("def f():", 90),
    "1,000 conditions in a row": "    if y: y = 1\n" * 1_000,
    "3,000 cases": "    if y: pass\n" + "    elif y: pass\n" * 3_000,
    "2,000 names": "".join(f"    a{number} = y\n" for number in range(2_000)),
    "an endless loop": "    while True:\n        y = y + 1\n",
    "a tuple that doubles": "    y = (y, y)\n" * 100,
    "a list that doubles": "    y = [*y, *y]\n" * 100,
    "a dict that doubles": "    y = {'a': y, 'b': y}\n" * 100,
    "a list in itself": "    y = []\n" + "    y.append(list(y))\n" * 100,
    "a partial that doubles": "    y = functools.partial(y, y)\n" * 100,
    "a text that doubles": "    y = 'ab'\n" + "    y = y + y\n" * 100,
    "a number that is squared": "    y = 99_999\n" + "    y = y * y\n" * 60,
    "functions that call two": "    def f0(): return 1\n"
    + "".join(f"    def f{number + 1}(): return f{number}(), f{number}()\n" for number in range(40))
    + "    y = f40()\n",
}
FILES = {
    "a function that calls itself": "def f(n):\n    return f(n - 1)\n" + kernel("", "f(3)"),
    "500 functions in a circle": "".join(
        f"def f{number}(n):\n    return f{(number + 1) % 500}(n) + f{(number + 7) % 500}(n)\n" for number in range(500)
    )
    + kernel("", "f0(3)"),
    "a chain of 1,000 functions": "def f0(n):\n    return n\n"
    + "".join(f"def f{number + 1}(n):\n    return f{number}(n)\n" for number in range(1_000))
    + kernel("", "f1000(y)"),
    "a chain of 1,000 names": "a0 = OUT\n"
    + "".join(f"a{number + 1} = a{number}\n" for number in range(1_000))
    + kernel("").replace("=OUT", "=a1000"),
    "a chain of 1,000 classes": "class C0: pass\n"
    + "".join(f"class C{number + 1}(C{number}): pass\n" for number in range(1_000))
    + kernel("", "C1000().x"),
    "a class that is its own base": "class A(A): pass\nclass B(C): pass\nclass C(B): pass\n" + kernel("", "C().x"),
    "names in a circle": "a = b\nb = c\nc = a\n" + kernel("", "a"),
    "1,000 decorators": "def d(f): return f\n" + "@d\n" * 1_000 + kernel(""),
    "a grid without end": kernel("").replace("=OUT", "=OUT, grid=(10**9,) * 10**9"),
    "outputs without end": kernel("").replace("=OUT", "=[OUT] * 10**9"),
    "specs without end": kernel("").replace("=OUT", "=OUT, in_specs=[pl.BlockSpec()] * 10**10"),
    "a comment of 100,000 codes": f"# pallas: ignore[{'PAL001,' * 100_000}]\n" + kernel(""),
    "a comment of blanks": "x = 1  # noqa" + " " * 300_000 + "x\n" + kernel(""),
    "100,000 carriage returns": "\r" * 100_000 + kernel(""),
    "100,000 quotes": "'" * 100_000 + "\n" + kernel(""),
    "10,000 open f-strings": "f'''{" * 10_000 + "\n" + kernel(""),
    "1,000 unterminated strings": "x = 'a\n" * 1_000 + kernel(""),
    "a name in normal form of 360,000 characters": "\ufdfa" * 20_000 + " = 1\n" + kernel(""),
    "1,000 broken functions": "def f(:\n" * 1_000 + kernel(""),
    "5,000 names of types": f"def f[{', '.join(f'T{number}' for number in range(5_000))}](x): pass\n" + kernel(""),
}
PROGRAMS = {
    **{name: PRELUDE + kernel(f"    y = {text}") for name, text in EXPRESSIONS.items()},
    **{f"{name}, returned": PRELUDE + kernel("", text) for name, text in EXPRESSIONS.items()},
    **{name: PRELUDE + kernel(text) for name, text in STATEMENTS.items()},
    **{name: PRELUDE + text for name, text in FILES.items()},
}
BLIND = {"100,000 quotes", "10,000 open f-strings"}
"""What may well be a string up to the end of the file."""


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.timeout(60)
def test_a_report_comes_with_bounded_work(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interpreter, "MAX_STEPS", 5_000)
    report = check(PROGRAMS[name], path="/project/k.py")
    assert report.crashes == ()
    if "returned" not in name and name not in BLIND:
        # The kernel is there, or the report says what was skipped.
        assert report.kernels or any(notice.skipped for notice in report.notices)
    for finding in report.findings[:3]:
        assert all(fix.title for fix in finding.fixes())


def test_a_text_that_is_longer_than_any_source_is_not_read() -> None:
    report = check(PRELUDE + kernel("") + "#" * MAX_BYTES)
    (notice,) = report.notices
    assert (report.findings, notice.message) == ((), "Not analysed: the text is longer than 8 MiB.")
    assert notice.skipped


def programs() -> list[str]:
    """What whole processes are given: a part in `make test`, all in `make nightly`."""
    return list(PROGRAMS.values())[:: max(1, 6 // number_of(1))]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All of these programs as files."""
    made = tmp_path_factory.mktemp("hostile")
    for number, text in enumerate(programs()):
        (made / f"k{number}.py").write_bytes(text.encode("utf-8", "surrogatepass"))
    (made / "bracket_after_bracket.ipynb").write_text("[" * 100_000)
    return made


def test_no_file_ends_the_command_line(folder: Path) -> None:
    done = execute("check", "-q", "--no-cache", "--output-format", "json", str(folder))
    assert done.returncode == 1
    assert "mistake in pallas-lsp" not in done.stderr
    found = {Path(finding["filename"]).name for finding in json.loads(done.stdout) if finding["code"] == "PAL001"}
    assert len(found) > 8


@pytest.fixture
def server() -> Iterator[Client]:
    with Client(SERVER) as client:
        client.initialize({"textDocument": {"publishDiagnostics": {}}})
        yield client


def test_no_document_ends_the_server(server: Client) -> None:
    texts = programs()
    for number, text in enumerate(texts):
        server.open(f"file:///hostile/k{number}.py", text)
    for number in range(len(texts)):
        server.published(f"file:///hostile/k{number}.py")
    assert server.stderr == ""
    assert server.exit() == 0

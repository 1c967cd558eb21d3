"""PAL001: a kernel returns a value."""

from __future__ import annotations

import textwrap

import pytest

from pallas_lsp.check import check
from pallas_lsp.findings import Position, Range
from pallas_lsp.text import SourceText
from tests.rules.support import LAUNCH, PRELUDE, disagreements, finding, findings, underlined

KERNELS = {
    "one array": """
        def k(x_ref, o_ref):
            return x_ref[...] + 1  # PAL001: in the pallas_call k should return None. It returns a PyTree: PyTreeDef(*).
    """,
    "the remedy names the output": """
        def k(x_ref, total):
            return x_ref[...]  # PAL001: Store the result in `total[...]`.
    """,
    "a tuple": """
        def k(x_ref, o_ref):
            return x_ref[...], None  # PAL001: PyTreeDef((*, None))
    """,
    "an empty tuple": """
        def k(x_ref, o_ref):
            return ()  # PAL001: PyTreeDef(())
    """,
    "a list of None": """
        def k(x_ref, o_ref):
            return [None]  # PAL001: PyTreeDef([None])
    """,
    "a dict, its keys in order": """
        def k(x_ref, o_ref):
            return {"b": x_ref[...], "a": 1}  # PAL001: PyTreeDef({'a': *, 'b': *})
    """,
    "the output Ref": """
        def k(x_ref, o_ref):
            o_ref[...] = x_ref[...]
            return o_ref  # PAL001: PyTreeDef(*)
    """,
    "what has no JAX type": """
        def k(x_ref, o_ref):
            return "done"  # PAL001
    """,
    "an array or a number": """
        def k(x_ref, o_ref, *, flag=None):
            return x_ref[...] if flag else 0  # PAL001
    """,
    "each return by itself": """
        def k(x_ref, o_ref):
            if x_ref.shape[0] > SIZE:
                return x_ref[...]  # PAL001
            elif SIZE:
                return
            return x_ref[...] * 2  # PAL001
    """,
    "a return in a loop, a with, a try and a match": """
        def k(x_ref, o_ref):
            for i in range(SIZE):
                return x_ref[...]  # PAL001
            with jax.named_scope("s"):
                if SIZE:
                    return x_ref[...]  # PAL001
            try:
                if SIZE == 2:
                    return x_ref[...]  # PAL001
            finally:
                pass
            match SIZE:
                case 3:
                    return x_ref[...]  # PAL001
                case _:
                    o_ref[...] = x_ref[...]
    """,
    "a lambda": """
        k = lambda x_ref, o_ref: x_ref[...] * 2  # PAL001: in the pallas_call <lambda> should return None
    """,
    "a helper's value": """
        def double(v):
            return v * 2

        def k(x_ref, o_ref):
            return double(x_ref[...])  # PAL001
    """,
    "the function that gets the Refs": """
        def body(x_ref, o_ref):
            return x_ref[...] * 2  # PAL001: in the pallas_call k should return None

        def k(x_ref, o_ref):
            return body(x_ref, o_ref)
    """,
    "the kernel behind a wrapper that is in view": """
        def passing(f):
            @functools.wraps(f)
            def wrapper(*refs):
                return f(*refs)
            return wrapper

        @passing
        def k(x_ref, o_ref):
            return x_ref[...]  # PAL001
    """,
    "a generator is no kernel": """
        def k(x_ref, o_ref):  # PAL001: Calling it gives a generator, and its body never runs.
            yield x_ref[...]
    """,
    "a coroutine is no kernel": """
        async def k(x_ref, o_ref):  # PAL001: Calling it gives a coroutine
            o_ref[...] = x_ref[...]
    """,
    "None in every form": """
        def k(x_ref, o_ref):
            o_ref[...] = x_ref[...]
            if SIZE == 1:
                return
            if SIZE == 2:
                return None
            if SIZE == 3:
                return (None)
            if SIZE == 4:
                return (y := None)
            if SIZE == 5:
                return print("done")
            if SIZE == 6:
                return o_ref.set(x_ref[...])
            if SIZE == 7:
                return pl.debug_print("done")
            return lax.fori_loop(0, 8, lambda i, c: None, None)
    """,
    "values that cannot be followed": """
        import elsewhere

        def k(x_ref, o_ref):
            if SIZE == 1:
                return elsewhere.store(x_ref, o_ref)
            if SIZE == 2:
                return elsewhere.TABLE[SIZE](o_ref)
            if SIZE == 3:
                return getattr(elsewhere, "f")(o_ref)
            return None if elsewhere.FLAG else x_ref[...]
    """,
    "a decorator that cannot be followed": """
        import elsewhere

        @elsewhere.storing
        def k(x_ref, o_ref):
            return x_ref[...]
    """,
    "the returns of functions and classes in it": """
        def k(x_ref, o_ref):
            def helper():
                return 1
            class Helper:
                def f(self):
                    return 1
            g = lambda: 1
            o_ref[...] = x_ref[...] + helper() + Helper().f() + g()
    """,
    "a return behind a condition that does not hold": """
        def k(x_ref, o_ref):
            if False:
                return x_ref[...]
            o_ref[...] = x_ref[...]
    """,
    "a return that `finally` takes back": """
        def k(x_ref, o_ref):
            try:
                return x_ref[...]
            finally:
                return
    """,
}


def program(kernel: str) -> str:
    return "SIZE = int(input())\n" + textwrap.dedent(kernel).lstrip("\n") + LAUNCH


@pytest.mark.parametrize("kernel", KERNELS.values(), ids=KERNELS)
def test_findings_stand_on_their_lines(kernel: str) -> None:
    assert disagreements(program(kernel)) == []


ENTRIES = {
    "pl.kernel": (
        "@pl.kernel(out_type=OUT, mesh=mesh)\ndef k(x_ref, o_ref):\n    return x_ref[...]",
        "The kernel function in mpmd_map k should return None. It returns a PyTree: PyTreeDef(*).",
    ),
    "pl.core_map": (
        "@pl.core_map(mesh)\ndef k():\n    return 1",
        " k should return None. It returns a PyTree: PyTreeDef(*).",
    ),
    "the name of the launch": (
        "def k(x_ref, o_ref):\n    return 1\npl.pallas_call(k, out_shape=OUT, name='my name')(x)",
        "The kernel function in the pallas_call my_name should return None.",
    ),
    "a partial": (
        "def k(x_ref, o_ref, *, n):\n    return n\npl.pallas_call(functools.partial(k, n=2), out_shape=OUT)(x)",
        "The kernel function in the pallas_call k should return None.",
    ),
    "no output parameter": (
        "def k(x_ref):\n    return x_ref[...]\npl.pallas_call(k, out_shape=OUT)(x)",
        "Add an output parameter and store the result in it.",
    ),
    "two outputs": (
        "def k(x_ref, a, b):\n    return 1, 2\npl.pallas_call(k, out_shape=(OUT, OUT))(x)",
        "Store the result in `a[...]` and `b[...]`.",
    ),
    "outputs in a dict": (
        "def k(x_ref, o):\n    return 1\npl.pallas_call(k, out_shape={'y': OUT, 'z': OUT})(x)",
        'Store the result in `o["y"][...]` and `o["z"][...]`.',
    ),
    "nothing to store": (
        "def k(x_ref, o_ref):\n    return None, []\npl.pallas_call(k, out_shape=OUT)(x)",
        "PyTreeDef((None, [])). There is nothing in it to store.",
    ),
    "what an output holds": (
        "def k(x_ref, o_ref):\n    o_ref[...] = x_ref[...]\n    return o_ref[...]\npl.pallas_call(k, out_shape=OUT)(x)",
        "PyTreeDef(*). It is in `o_ref[...]` already.",
    ),
    "what was stored": (
        "def k(x_ref, o_ref):\n    y = x_ref[...]\n    o_ref[...] = y\n    return y\n"
        "pl.pallas_call(k, out_shape=OUT)(x)",
        "PyTreeDef(*). It is in `o_ref[...]` already.",
    ),
    "an output that nothing was stored in": (
        "def k(x_ref, o_ref):\n    return o_ref\npl.pallas_call(k, out_shape=OUT)(x)",
        "PyTreeDef(*). Store the result in `o_ref[...]`.",
    ),
}


@pytest.mark.parametrize(("text", "message"), ENTRIES.values(), ids=ENTRIES)
def test_message_says_what_jax_says(text: str, message: str) -> None:
    assert message in finding(text + "\n").message


@pytest.mark.parametrize(
    "returned",
    [
        "return x_ref[...]",
        "return (\n        x_ref[...]\n        + 1\n    )",
        "return x_ref[...] \\\n        + 1",
        "return x_ref[...], '''a\nb'''",
        "return x_ref[{'ä': 0, '🐍': 1}['🐍']]",
        "return(x_ref[...])",
    ],
)
def test_range_is_the_whole_return(returned: str) -> None:
    assert underlined(f"def k(x_ref, o_ref):\n    {returned}  # why\n{LAUNCH}") == [returned]


@pytest.mark.parametrize(
    "before",
    ["", "'ä'; ", "'🐍🐍'; ", "'e\u0301'; ", "ü = 1; ", "print('👩‍🔬'); "],
    ids=["nothing", "two bytes", "astral", "combining", "identifier", "joined"],
)
def test_range_counts_code_points(before: str) -> None:
    text = f"def k(x_ref, o_ref):\n    {before}return x_ref[...]\n{LAUNCH}"
    assert underlined(text) == ["return x_ref[...]"]
    assert finding(text).range.start.character == 4 + len(before)


@pytest.mark.parametrize("body", ["x_ref[...] * 2", "(x_ref[...], '🐍')[0]", "f'{1}ä' and x_ref[...]"])
def test_range_of_a_lambda_is_its_body(body: str) -> None:
    text = f"'🐍'; pl.pallas_call(lambda x_ref, o_ref: {body}, out_shape=OUT)(x)\n"
    assert underlined(text) == [body]


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])
def test_range_counts_the_lines_that_python_counts(newline: str) -> None:
    text = PRELUDE + f"def k(x_ref, o_ref):\n    '\u2028 \x0c \x85'\n    return x_ref[...]\n{LAUNCH}"
    (one,) = check(text.replace("\n", newline)).findings
    line = PRELUDE.count("\n") + 2
    assert one.range == Range(Position(line, 4), Position(line, 21))


@pytest.mark.parametrize(
    ("header", "underline"),
    [
        ("def k(x_ref, o_ref):\n    yield 1", "def k(x_ref, o_ref):"),
        ("def k(x_ref, o_ref): yield 1", "def k(x_ref, o_ref): yield 1"),
        ("async def k(\n    x_ref, o_ref,\n):\n    pass", "async def k("),
    ],
)
def test_range_of_a_generator_is_its_header(header: str, underline: str) -> None:
    assert underlined(f"{header}\n{LAUNCH}") == [underline]


def test_related_information_names_each_launch_once() -> None:
    text = "def k(x_ref, o_ref):\n    return x_ref[...]\nfor _ in range(2):\n    " + LAUNCH + "y = " + LAUNCH
    related = finding(text).related
    source = SourceText(PRELUDE + text)
    assert [(one.path, one.message, source.slice(one.range)) for one in related] == [
        (None, "`k` is given to `pallas_call` here.", "pl.pallas_call(k, out_shape=OUT)")
    ] * 2
    assert [one.range.start.line for one in related] == [PRELUDE.count("\n") + 3, PRELUDE.count("\n") + 4]


def test_related_information_is_the_decorator_that_launches() -> None:
    text = "@functools.partial(pl.pallas_call, out_shape=OUT)\ndef k(x_ref, o_ref):\n    return x_ref[...]\nk(x)\n"
    (related,) = finding(text).related
    assert SourceText(PRELUDE + text).slice(related.range) == "functools.partial(pl.pallas_call, out_shape=OUT)"


def test_findings_of_one_kernel_share_a_group() -> None:
    kernel = "def {0}(x_ref, o_ref):\n    if x.size:\n        return 1\n    return 2\n"
    launches = "pl.pallas_call(a, out_shape=OUT)(x)\npl.pallas_call(b, out_shape=OUT)(x)\n"
    groups = [one.group for one in findings(kernel.format("a") + kernel.format("b") + launches)]
    assert len(groups) == 4
    assert groups[0] == groups[1] != groups[2] == groups[3]
    assert all(groups)


def test_one_return_under_several_launches_is_one_finding() -> None:
    helper = "def launch(f):\n    return pl.pallas_call(f, out_shape=OUT)(x)\n"
    assert len(findings(helper + "def k(x_ref, o_ref):\n    return 1\nlaunch(k)\nlaunch(k)\n" + LAUNCH)) == 1

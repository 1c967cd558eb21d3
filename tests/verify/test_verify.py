"""`pallas-lsp verify`: a real process with JAX runs the kernels, and what happens in it is told."""

from __future__ import annotations

import inspect
import json
import os
import sys
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from pallas_lsp.config import DEFAULT, Settings
from pallas_lsp.semantics.project import Project
from pallas_lsp.verify.running import Cancelled, Limits, Verification
from pallas_lsp.verify.verifying import UnknownKernel, interpreter_for, planned, verified

pytestmark = pytest.mark.jax

IMPORTS = """\
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
OUT = jax.ShapeDtypeStruct((8,), jnp.float32)
"""
DOUBLE = "def double(x_ref, o_ref):\n    o_ref[...] = x_ref[...] * 2\n"


def run(folder: Path, text: str, *, name: str = "k.py", kernel: str | None = None, **options: Any) -> Verification:
    """Verifies a file with this text after the imports."""
    source = IMPORTS + dedent(text)
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(source)
    plan = planned(source, str(file), DEFAULT, Project((folder,)), kernel)
    return verified(plan, source, str(file), DEFAULT, python=sys.executable, **options)


def line_of(text: str, part: str) -> int:
    return (IMPORTS + dedent(text)).split(part)[0].count("\n")


def test_a_launch_with_an_example(tmp_path: Path) -> None:
    text = f"""
{DOUBLE}
# pallas: example(f32[8])
@jax.jit
def launch(x):
    return pl.pallas_call(double, out_shape=OUT)(x)
"""
    found = run(tmp_path, text)
    assert [(one.line, one.kernel, one.outputs) for one in found.ran] == [
        (line_of(text, "pl.pallas_call"), "double", ("float32[8]",))
    ]
    assert (found.problems, found.skipped, found.failure) == ((), (), "")


def test_an_error_of_jax_at_its_line(tmp_path: Path) -> None:
    text = """
        def wrong(x_ref, o_ref):
            y = x_ref[...] + 1
            o_ref[...] = jnp.dot(y, jnp.ones(3))

        # pallas: example(f32[8])
        def launch(x):
            return pl.pallas_call(wrong, out_shape=OUT)(x)
    """
    [problem] = run(tmp_path, text).problems
    assert problem.line == line_of(text, "o_ref[...]")
    assert problem.message.startswith("TypeError: dot_general requires contracting dimensions to have the same shape")


def test_a_returning_kernel_is_what_jax_says(tmp_path: Path) -> None:
    text = """
        def wrong(x_ref, o_ref):
            return x_ref[...]

        # pallas: example(f32[8])
        def launch(x):
            return pl.pallas_call(wrong, out_shape=OUT)(x)
    """
    [problem] = run(tmp_path, text).problems
    assert "should return None. It returns a PyTree: PyTreeDef(*)" in problem.message


def test_outputs_that_are_never_written(tmp_path: Path) -> None:
    text = """
        def part(x_ref, o_ref, n_ref):
            o_ref[0] = x_ref[0]

        # pallas: example(f32[8])
        @jax.jit
        def launch(x):
            return pl.pallas_call(part, out_shape=[OUT, jax.ShapeDtypeStruct((4,), jnp.int32)])(x)
    """
    found = run(tmp_path, text)
    said = [problem.message.partition(" values")[0] for problem in found.problems]
    assert said == ["Output 0: 7 of 8", "Output 1: all"]
    assert {problem.line for problem in found.problems} == {line_of(text, "pl.pallas_call")}
    assert [one.outputs for one in found.ran] == [("float32[8]", "int32[4]")]


def test_ways_to_inputs(tmp_path: Path) -> None:
    """Annotations, defaults, tests, and what runs when the module is imported; else it is said what to write."""
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_k.py").write_text(
        "import jax.numpy as jnp\nfrom k import by_test\n\ndef test_it():\n    by_test(jnp.ones(8))\n"
        "def test_other(fixture):\n    by_test(fixture)\n"
    )
    text = f"""
{DOUBLE}
class Float:
    def __class_getitem__(cls, item): return cls

def annotated(x: Float[jax.Array, "8"], n=3):
    return pl.pallas_call(double, out_shape=OUT)(x)

def by_test(x):
    return pl.pallas_call(double, out_shape=OUT)(x)

def with_nothing():
    return pl.pallas_call(double, out_shape=OUT)(jnp.ones(8))

imported = pl.pallas_call(double, out_shape=OUT)(jnp.ones(8))

def unknown(x):
    return pl.pallas_call(double, out_shape=OUT)(x)
"""
    found = run(tmp_path, text)
    assert (found.problems, len(found.ran)) == ((), 4)
    [skipped] = found.skipped
    assert skipped.line == line_of(text, "def unknown") + 1
    assert "`unknown` is not called: its inputs are not known; say them above it" in skipped.reason


def test_a_program_that_is_only_imported(tmp_path: Path) -> None:
    """What stands in `if __name__ == "__main__"` is not come to, whatever is called before it."""
    text = f"""
{DOUBLE}
def launch():
    return pl.pallas_call(double, out_shape=OUT)(jnp.ones(8))

if __name__ == "__main__":
    print(pl.pallas_call(double, out_shape=OUT)(jnp.ones(8)))
"""
    found = run(tmp_path, text)
    assert len(found.ran) == 1
    assert [one.reason for one in found.skipped] == ["the module does not come to it when it is imported"]


def test_launches_under_transformations(tmp_path: Path) -> None:
    """`jit`, `vmap` and `scan` around a launch: traced once, and the values are looked at all the same."""
    text = f"""
{DOUBLE}
def nothing(x_ref, o_ref):
    x_ref[...]

# pallas: example(f32[3,8])
@jax.jit
def mapped(x):
    return jax.vmap(pl.pallas_call(double, out_shape=OUT))(x)

# pallas: example(f32[8])
def repeated(x):
    step = lambda carry, _: (pl.pallas_call(nothing, out_shape=OUT)(carry), None)
    return jax.lax.scan(step, x, None, length=2)[0]
"""
    found = run(tmp_path, text)
    assert [one.kernel for one in found.ran] == ["double", "nothing"]
    assert [problem.message.partition(" values")[0] for problem in found.problems] == ["Output 0: all"]


def test_one_kernel_of_several(tmp_path: Path) -> None:
    text = f"""
{DOUBLE}
def other(x_ref, o_ref):
    return 1

def one():
    return pl.pallas_call(double, out_shape=OUT)(jnp.ones(8))

def two():
    return pl.pallas_call(other, out_shape=OUT)(jnp.ones(8))
"""
    found = run(tmp_path, text, kernel="double")
    assert ([one.kernel for one in found.ran], found.problems, found.skipped) == (["double"], (), ())
    with pytest.raises(UnknownKernel, match="no kernel `three` is launched; there is double, other"):
        run(tmp_path, text, kernel="three")


def test_what_the_code_does_besides_does_no_harm(tmp_path: Path) -> None:
    """Prints, processes that stay, and a module of the name of one of ours."""
    (tmp_path / "examples.py").write_text("VALUE = 8.0\n")
    text = f"""
import subprocess, sys
from examples import VALUE
print('{{"kind": "done"}}')
print("noise", file=sys.stderr)
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"])
{DOUBLE}
def launch():
    return pl.pallas_call(double, out_shape=OUT)(jnp.full(8, VALUE))
"""
    found = run(tmp_path, text)
    assert ([one.kernel for one in found.ran], found.problems, found.failure) == (["double"], (), "")


def test_relative_imports(tmp_path: Path) -> None:
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "__init__.py").write_text("")
    (tmp_path / "package" / "sizes.py").write_text("SIZE = 8\n")
    text = f"""
from .sizes import SIZE
{DOUBLE}
def launch():
    return pl.pallas_call(double, out_shape=OUT)(jnp.ones(SIZE))
"""
    assert [one.kernel for one in run(tmp_path, text, name="package/k.py").ran] == ["double"]


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("import no_such_module", "ModuleNotFoundError: No module named 'no_such_module'"),
        ("import sys; sys.exit(3)", "SystemExit: 3"),
        ("1 / 0", "ZeroDivisionError: division by zero"),
    ],
)
def test_a_module_that_cannot_be_imported(tmp_path: Path, statement: str, message: str) -> None:
    found = run(tmp_path, f"{statement}\nout = pl.pallas_call(print, out_shape=OUT)(1)\n")
    assert [(problem.line, problem.message) for problem in found.problems] == [(4, message)]
    assert [one.reason for one in found.skipped] == [message]


def test_a_process_that_ends(tmp_path: Path) -> None:
    found = run(tmp_path, "import os; os._exit(3)\nout = pl.pallas_call(print, out_shape=OUT)(1)\n")
    assert found.failure.startswith("the process ended with code 3 while importing")


LAUNCH = f"{DOUBLE}\ndef launch(x):\n    return pl.pallas_call(double, out_shape=OUT)(x)\n"
"""A launch whose inputs only tests give."""


@pytest.mark.parametrize(
    ("statements", "reason"),
    [
        ("import pytest; pytest.skip('needs a TPU')", "Skipped: needs a TPU"),
        ("import unittest; raise unittest.SkipTest('needs a TPU')", "SkipTest: needs a TPU"),
    ],
)
def test_a_test_that_skips_is_no_problem(tmp_path: Path, statements: str, reason: str) -> None:
    """And the tests behind it run."""
    test = (
        f"import jax.numpy as jnp\nfrom k import launch\n\ndef test_a():\n    {statements}\n    launch(jnp.ones(8))\n"
    )
    (tmp_path / "test_k.py").write_text(test)
    found = run(tmp_path, LAUNCH)
    assert (found.problems, [one.reason for one in found.skipped], found.failure) == ((), [reason], "")
    (tmp_path / "test_k.py").write_text(f"{test}\ndef test_b():\n    launch(jnp.ones(8))\n")
    found = run(tmp_path, LAUNCH)
    assert ([one.kernel for one in found.ran], found.problems, found.failure) == (["double"], (), "")


def test_a_test_that_fails_is_a_problem_of_what_it_calls(tmp_path: Path) -> None:
    """What `pytest.fail` raises is no `Exception`, like what `pytest.skip` raises."""
    (tmp_path / "test_k.py").write_text(
        "import pytest\nfrom k import launch\n\ndef test():\n    launch\n    pytest.fail('no')\n"
    )
    found = run(tmp_path, LAUNCH)
    assert [(one.line, one.message) for one in found.problems] == [(line_of(LAUNCH, "def launch"), "Failed: no")]


def test_a_test_file_that_cannot_be_imported_says_nothing_of_the_kernel(tmp_path: Path) -> None:
    (tmp_path / "test_k.py").write_text("import no_such_module\nfrom k import launch\n\ndef test():\n    launch(1)\n")
    found = run(tmp_path, LAUNCH)
    assert (found.problems, found.failure) == ((), "")
    assert [one.reason for one in found.skipped] == [
        "test_k.py cannot be imported: ModuleNotFoundError: No module named 'no_such_module'"
    ]


def test_test_files_of_the_same_name(tmp_path: Path) -> None:
    """And one of the name of a module that is there already."""
    for name, size in (("a/test_k.py", 8), ("b/test_k.py", 4)):
        file = tmp_path / "tests" / name
        file.parent.mkdir(parents=True)
        file.write_text(
            f"import jax.numpy as jnp\nfrom k import launch\n\ndef test_{size}():\n    launch(jnp.ones({size}))\n"
        )
    found = run(tmp_path, LAUNCH)
    assert [one.kernel for one in found.ran] == ["double"]
    assert len(found.problems) == 1, "the second runs, and has a shape that does not fit"
    assert "AttributeError" not in found.problems[0].message
    assert [
        one.kernel
        for one in run(
            tmp_path,
            f"{DOUBLE}\ndef f():\n    return pl.pallas_call(double, out_shape=OUT)(jnp.ones(8))\n",
            name="copy.py",
        ).ran
    ] == ["double"]


def test_tests_inside_a_package(tmp_path: Path) -> None:
    """In the file itself, and in a package of tests: relative imports hold."""
    (tmp_path / "package" / "tests").mkdir(parents=True)
    (tmp_path / "package" / "__init__.py").write_text("")
    (tmp_path / "package" / "tests" / "__init__.py").write_text("")
    (tmp_path / "package" / "sizes.py").write_text("SIZE = 8\n")
    own = f"from .sizes import SIZE\n{LAUNCH}\ndef test():\n    launch(jnp.ones(SIZE))\n"
    found = run(tmp_path, own, name="package/own.py")
    assert ([one.kernel for one in found.ran], found.problems) == (["double"], ())
    (tmp_path / "package" / "tests" / "test_k.py").write_text(
        "import jax.numpy as jnp\nfrom ..k import launch\n\ndef test():\n    launch(jnp.ones(8))\n"
    )
    found = run(tmp_path, LAUNCH, name="package/k.py")
    assert ([one.kernel for one in found.ran], found.problems) == (["double"], ())


def test_a_process_that_ends_as_if_all_were_well(tmp_path: Path) -> None:
    text = f"{DOUBLE}\ndef launch():\n    import os; os._exit(0)\n    return pl.pallas_call(double, out_shape=OUT)(1)\n"
    assert run(tmp_path, text).failure == "the process ended with code 0 while calling launch"


def test_a_launch_by_a_decorator(tmp_path: Path) -> None:
    """It has run when what is decorated is called, not before."""
    pl = pytest.importorskip("jax.experimental.pallas")
    if "out_type" not in inspect.signature(getattr(pl, "kernel", print)).parameters:
        pytest.skip("this JAX has no `pl.kernel` that decorates")
    text = """
from jax.experimental.pallas import tpu as pltpu

def launch():
    mesh = pltpu.create_tensorcore_mesh("core", num_cores=1)
    @pl.kernel(out_type=OUT, mesh=mesh)
    def kernel(x_ref, o_ref):
        raise TypeError("as it is traced")
    return kernel(jnp.ones(8))
"""
    found = run(tmp_path, text)
    assert found.ran == ()
    assert [(one.line, one.message) for one in found.problems] == [
        (line_of(text, "raise"), "TypeError: as it is traced")
    ]


def test_a_process_that_takes_too_long(tmp_path: Path) -> None:
    text = "while True: pass\nout = pl.pallas_call(print, out_shape=OUT)(1)\n"
    found = run(tmp_path, text, limits=Limits(timeout=1))
    assert found.failure == "stopped after 1 seconds, while importing"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits memory")
def test_a_process_that_wants_too_much_memory(tmp_path: Path) -> None:
    text = "x = bytearray(2_000_000_000)\nout = pl.pallas_call(print, out_shape=OUT)(1)\n"
    [problem] = run(tmp_path, text, limits=Limits(memory=1024)).problems
    assert problem.message.startswith("MemoryError")
    assert problem.line == 4


def test_a_run_that_is_cancelled(tmp_path: Path) -> None:
    def cancel(message: str) -> None:
        raise Cancelled

    marker = tmp_path / "ended"
    text = f"import time; time.sleep(5); open({str(marker)!r}, 'w')\nout = pl.pallas_call(print, out_shape=OUT)(1)\n"
    with pytest.raises(Cancelled):
        run(tmp_path, text, observe=cancel)
    assert not marker.exists()


def test_the_text_of_an_editor_counts(tmp_path: Path) -> None:
    file = tmp_path / "k.py"
    file.write_text("raise SystemExit\n")
    source = f"{IMPORTS}{DOUBLE}\nout = pl.pallas_call(double, out_shape=OUT)(jnp.ones(8))\n"
    plan = planned(source, str(file), DEFAULT, Project())
    assert [one.kernel for one in verified(plan, source, str(file), DEFAULT, python=sys.executable).ran] == ["double"]


def test_the_text_of_an_editor_is_compiled_as_a_file_is(tmp_path: Path) -> None:
    """Its annotations are values, unless it says otherwise itself."""
    source = (
        f"{IMPORTS}{DOUBLE}\ndef f(x: int): ...\nassert f.__annotations__['x'] is int\n"
        "out = pl.pallas_call(double, out_shape=OUT)(jnp.ones(8))\n"
    )
    plan = planned(source, str(tmp_path / "k.py"), DEFAULT, Project())
    (tmp_path / "k.py").write_text("")
    found = verified(plan, source, str(tmp_path / "k.py"), DEFAULT, python=sys.executable)
    assert ([one.kernel for one in found.ran], found.problems) == (["double"], ())


def test_text_that_does_not_parse(tmp_path: Path) -> None:
    [problem] = run(tmp_path, "def f(:\n").problems
    assert problem.message.startswith("SyntaxError")


def test_an_example_that_is_wrong(tmp_path: Path) -> None:
    text = f"""
{DOUBLE}
# pallas: example(float[8])
def launch(x):
    return pl.pallas_call(double, out_shape=OUT)(x)
"""
    found = run(tmp_path, text)
    [problem] = found.problems
    assert problem.line == line_of(text, "# pallas")
    assert [one.reason for one in found.skipped] == [f"`launch` is not called: line {problem.line + 1} gives no inputs"]
    assert problem.message.startswith("No example: `float` is no dtype")


def test_the_interpreter(tmp_path: Path) -> None:
    """That of the settings, of an environment around the file, or the one that runs the checker."""
    file = str(tmp_path / "a" / "k.py")
    assert interpreter_for(file, DEFAULT) == sys.executable
    environment = tmp_path / ".venv" / ("Scripts" if os.name == "nt" else "bin")
    environment.mkdir(parents=True)
    python = environment / ("python.exe" if os.name == "nt" else "python")
    python.write_text("")
    assert interpreter_for(file, DEFAULT) == str(python)
    assert interpreter_for(file, Settings(python="/opt/python")) == "/opt/python"


def test_an_interpreter_without_jax_or_none_at_all(tmp_path: Path) -> None:
    source = f"{IMPORTS}{DOUBLE}\nout = pl.pallas_call(double, out_shape=OUT)(jnp.ones(8))\n"
    file = tmp_path / "k.py"
    file.write_text(source)
    plan = planned(source, str(file), DEFAULT, Project())
    missing = verified(plan, source, str(file), DEFAULT, python=str(tmp_path / "python"))
    assert missing.failure.endswith("python cannot be started: No such file or directory")
    (tmp_path / "jax").mkdir()
    (tmp_path / "jax" / "__init__.py").write_text("raise ImportError('none here')\n")
    os.environ["PYTHONPATH"], before = str(tmp_path), os.environ.get("PYTHONPATH")
    try:
        hidden = verified(plan, source, str(file), DEFAULT, python=sys.executable)
    finally:
        os.environ.pop("PYTHONPATH") if before is None else os.environ.update(PYTHONPATH=before)
    assert hidden.failure.startswith("JAX cannot be imported with ") and hidden.failure.endswith("none here")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "pyproject.toml").write_text("")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def command(*arguments: str, capsysbinary: pytest.CaptureFixture[bytes]) -> tuple[int, str, str]:
    from pallas_lsp.cli.main import run as run_command

    code = run_command(["verify", *arguments])
    captured = capsysbinary.readouterr()
    return code, captured.out.decode(), captured.err.decode()


def test_the_command(folder: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    (folder / "good.py").write_text(f"{IMPORTS}{DOUBLE}\nout = pl.pallas_call(double, out_shape=OUT)(jnp.ones(8))\n")
    (folder / "bad.py").write_text(
        f"{IMPORTS}def bad(x_ref, o_ref):\n    return 1\n\nout = pl.pallas_call(bad, out_shape=OUT)(jnp.ones(8))\n"
    )
    (folder / "unknown.py").write_text(
        f"{IMPORTS}{DOUBLE}\ndef launch(x):\n    return pl.pallas_call(double, out_shape=OUT)(x)\n"
    )
    python = ("--python", sys.executable)
    code, out, err = command("good.py::double", *python, capsysbinary=capsysbinary)
    assert (code, err) == (0, "")
    assert out == "good.py:8: double ran, outputs float32[8]\n1 launch ran, 0 problems, 0 not run.\n"
    code, out, _ = command("good.py", "bad.py", "--output-format", "json", *python, capsysbinary=capsysbinary)
    assert code == 1
    good, bad = json.loads(out)
    assert good["ran"] == [{"line": 8, "kernel": "double", "outputs": ["float32[8]"]}]
    assert [one["line"] for one in bad["problems"]] == [8]
    assert command("unknown.py", *python, capsysbinary=capsysbinary)[0] == 2
    code, _, err = command("good.py::other", *python, capsysbinary=capsysbinary)
    assert (code, err) == (2, "pallas-lsp: error: good.py: no kernel `other` is launched; there is double\n")
    assert command("missing.py", capsysbinary=capsysbinary)[0] == 2
    (folder / "nb.ipynb").write_text("{}")
    assert "notebooks are not run" in command("nb.ipynb", capsysbinary=capsysbinary)[2]
    limits = ("--timeout", "0.2", "--memory", "0")
    assert "stopped after 0.2 seconds" in command("good.py", *python, *limits, capsysbinary=capsysbinary)[1]

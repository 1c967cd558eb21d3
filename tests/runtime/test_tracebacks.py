"""Tracebacks in all the shapes in which programs print them."""

from __future__ import annotations

import textwrap

import pytest

from pallas_lsp.runtime.tracebacks import Frame, raised_in

MESSAGE = "ValueError: The kernel function in the pallas_call k at /p/kernel.py:5 should return None."

PYTHON = f"""\
    Traceback (most recent call last):
      File "/p/run.py", line 3, in <module>
        kernel.run()
      File "/p/kernel.py", line 10, in run
        return pl.pallas_call(
               ^^^^^^^^^^^^^^^
    {MESSAGE}
    --------------------
    For simplicity, JAX has removed its internal frames from the traceback of the following exception.
"""

OLD_JAX = f"""\
    jax._src.source_info_util.JaxStackTraceBeforeTransformation: {MESSAGE}

    The preceding stack trace is the source of the JAX operation that, once transformed by JAX, triggered this.

    --------------------

    The above exception was the direct cause of the following exception:

    Traceback (most recent call last):
      File "/p/run.py", line 3, in <module>
        kernel.run()
      File "/p/kernel.py", line 10, in run
        return pl.pallas_call(
    {MESSAGE}
"""

IPYTHON_9 = f"""\
    ---------------------------------------------------------------------------
    ValueError                                Traceback (most recent call last)
    Cell In[1], line 2
          1 y = 1
    ----> 2 kernel.run()

    File /p/kernel.py:10, in run()
          8 def run():
          9     x = jnp.arange(8.0)
    ---> 10     return pl.pallas_call(add_one, out_shape=x)(x)

        [... skipping hidden 5 frame]

    {MESSAGE}
"""

IPYTHON_7 = f"""\
    ---------------------------------------------------------------------------
    ValueError                                Traceback (most recent call last)
    <ipython-input-1-0123456789ab> in <module>
          1 y = 1
    ----> 2 kernel.run()

    /p/kernel.py in run()
          8 def run():
          9     x = jnp.arange(8.0)
    ---> 10     return pl.pallas_call(add_one, out_shape=x)(x)

    {MESSAGE}
"""

PYTEST = f"""\
    =================================== FAILURES ===================================
    _____________________________________ test _____________________________________

        def test():
    >       kernel.run()

    /p/run.py:3:
    _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _

        def run():
    >       return pl.pallas_call(add_one, out_shape=x)(x)
    E       {MESSAGE}
    E       --------------------
    E       For simplicity, JAX has removed its internal frames from the traceback of the following exception.

    /p/kernel.py:10: ValueError
    =========================== short test summary info ============================
    FAILED run.py::test - ValueError: The kernel function in the pallas_cal...
    1 failed in 2.41s
"""

PYTEST_SHORT = f"""\
    _____________________________________ test _____________________________________
    /p/run.py:3: in test
        kernel.run()
    /p/kernel.py:10: in run
        return pl.pallas_call(add_one, out_shape=x)(x)
    E   {MESSAGE}
"""

GROUP = f"""\
      + Exception Group Traceback (most recent call last):
      |   File "/p/run.py", line 1, in <module>
      | ExceptionGroup: two (1 sub-exception)
      +-+---------------- 1 ----------------
        | Traceback (most recent call last):
        |   File "/p/run.py", line 3, in <module>
        |     kernel.run()
        |   File "/p/kernel.py", line 10, in run
        | {MESSAGE}
        +------------------------------------
"""

COLOURED = PYTHON.replace("ValueError", "\x1b[1;35mValueError\x1b[0m").replace(
    '"/p/kernel.py"', '\x1b[35m"/p/kernel.py"\x1b[0m'
)


@pytest.mark.parametrize(
    "text",
    [PYTHON, OLD_JAX, IPYTHON_9, IPYTHON_7, PYTEST, PYTEST_SHORT, GROUP, COLOURED, PYTHON.replace("\n", "\r\n")],
    ids=["python", "old jax", "ipython 9", "ipython 7", "pytest", "pytest short", "group", "coloured", "crlf"],
)
def test_the_error_and_the_lines_that_were_running(text: str) -> None:
    raised = [one for one in raised_in(textwrap.dedent(text)) if one.text.startswith("ValueError: ")]
    assert raised
    assert raised[-1].text.partition("\n")[0] == MESSAGE
    assert Frame("/p/kernel.py", 10) in raised[-1].frames
    assert any(frame.line in (2, 3) for frame in raised[-1].frames)


def test_the_errors_of_a_chain_in_order() -> None:
    text = (
        f"{textwrap.dedent(PYTHON)}\nDuring handling of the above exception, another exception occurred:\n\n"
        'Traceback (most recent call last):\n  File "/p/other.py", line 7, in f\n    x\nRuntimeError: wrapped\n'
    )
    raised = raised_in(text)
    assert [one.text.partition(":")[0] for one in raised] == ["ValueError", "RuntimeError"]
    assert raised[1].text == "RuntimeError: wrapped"
    assert raised[1].frames[-1] == Frame("/p/other.py", 7)


def test_a_message_of_several_lines() -> None:
    text = (
        'Traceback (most recent call last):\n  File "/p/k.py", line 7, in f\n    x\n'
        "jax.errors.TracerBoolConversionError: Attempted boolean conversion of traced array.\nThe error occurred\n"
    )
    (raised,) = raised_in(text)
    assert raised.text == (
        "jax.errors.TracerBoolConversionError: Attempted boolean conversion of traced array.\nThe error occurred"
    )


@pytest.mark.parametrize("text", ["", "hello", "1 passed in 2.41s\n", "warning: x.py:3: something\n", "\x00\x1b["])
def test_what_is_no_traceback(text: str) -> None:
    assert raised_in(text) == ()

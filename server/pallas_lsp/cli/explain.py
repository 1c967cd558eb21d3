"""`pallas-lsp explain`: the finding behind an error of JAX."""

from __future__ import annotations

import sys

import click

from pallas_lsp.cli.console import Failure
from pallas_lsp.cli.files import read, shown_path

_STDIN = "-"


@click.command("explain")
@click.argument("file", default=_STDIN, metavar="[FILE]", type=click.Path())
def command(file: str) -> int:
    """Explain an error of JAX: where the mistake is in your program, and how to mend it.

    Reads a traceback from FILE, or from standard input, as Python, IPython or pytest prints it, with or without the
    frames of JAX. Other lines around it do not matter. The files that it names are read, and nothing is run.

    Exit code: 0 the error is explained, 1 it is one that no rule knows, 2 there is no traceback.
    """
    from pallas_lsp.runtime.explaining import as_text, explain_traceback
    from pallas_lsp.runtime.tracebacks import raised_in

    data = sys.stdin.buffer.read() if file == _STDIN else read(file)
    text = data.decode("utf-8", "replace")
    explanation = explain_traceback(text)
    if explanation is not None:
        click.echo(as_text(explanation, shown_path), nl=False)
        return 0
    raised = raised_in(text)
    if not raised:
        raise Failure("there is no traceback in it; give one as FILE or on standard input")
    first = raised[-1].text.partition("\n")[0]
    click.echo(f"No rule knows this error: {first}")
    return 1

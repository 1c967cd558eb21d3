"""The commands, and what becomes of their failures."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence

import click

from pallas_lsp import __version__
from pallas_lsp.cli.console import Failure, report_error
from pallas_lsp.config import ConfigError

_PROGRAM = "pallas-lsp"
_COMPLETION_VARIABLE = "_PALLAS_LSP_COMPLETE"
_COMMANDS = ("baseline", "check", "clean", "config", "explain", "kernels", "rule", "server", "verify", "version")


class _Commands(click.Group):
    """A group whose commands are imported when they are used: starting one must not cost the others."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"pallas_lsp.cli.{cmd_name}").command
        return command


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name=_PROGRAM, message="%(prog)s %(version)s")
def commands() -> None:
    """A language server and command-line checker for JAX Pallas kernels."""


def run(arguments: Sequence[str]) -> int:
    """Runs one command line.

    Returns:
      The exit code: 0 nothing is left to report, 1 something is, 2 the command could not do its work, 130 interrupted.
    """
    if _COMPLETION_VARIABLE in os.environ:
        commands.main(list(arguments), prog_name=_PROGRAM, complete_var=_COMPLETION_VARIABLE)
    if not arguments:
        click.echo(commands.get_help(click.Context(commands, info_name=_PROGRAM)), err=True)
        return 2
    try:
        with commands.make_context(_PROGRAM, list(arguments)) as context:
            code = commands.invoke(context)
            return code if isinstance(code, int) else 0
    except click.exceptions.Exit as exit_request:
        return exit_request.exit_code
    except click.ClickException as error:
        report_error(error.format_message())
        return 2
    except (ConfigError, Failure) as error:
        report_error(str(error))
        return 2
    except BrokenPipeError:
        # Whoever reads has seen enough. Python would complain when it flushes the stream at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        report_error(f"{error.filename or 'the output'}: {error.strerror or error}")
        return 2
    except (KeyboardInterrupt, click.Abort):
        return 130
    except Exception:
        import traceback

        traceback.print_exc()
        report_error("this is a mistake in pallas-lsp itself; please report it with the lines above")
        return 2

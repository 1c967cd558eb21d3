"""The command line: one module per command, one module per output format.

`main` holds the commands together and turns every failure into one line and an exit code. `check` works in steps that
know nothing of each other: `files` finds what to check, `checking` makes a `Result` of each file, `run` reads, mends
and writes, and a module of `formats` turns the results into text.

Records are named tuples here: each dataclass would add a millisecond to the start of every command.
"""

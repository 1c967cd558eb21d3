"""Runs kernels of the user, on purpose, in a process of their own: the one part that executes the user's code.

`planning` says what to call and with what, from the source alone. `child` is the program that does it, in the
interpreter of the project; it imports nothing of this package. `running` starts it, under limits, and reads what it
says; `verifying` is what the two fronts use.
"""

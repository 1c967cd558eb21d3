"""For running programs: is this function a kernel, make it one, and say how to mend what JAX refuses.

Nothing here is imported by the checker or the server. JAX itself is never imported, only met in the program.
"""

from pallas_lsp.runtime.noting import explained
from pallas_lsp.runtime.stripping import StripError, strip_return
from pallas_lsp.runtime.verdicts import kernel_returns_none

__all__ = ["StripError", "explained", "kernel_returns_none", "strip_return"]

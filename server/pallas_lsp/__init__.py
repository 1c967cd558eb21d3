"""pallas-lsp: a language server and command-line checker for JAX Pallas kernels."""

__version__ = "0.1.0"

"""Notebooks: their code cells as one module, with IPython's own syntax out of the way, and back to the cells.

`file` reads and writes `.ipynb`; `magics` and `cells` make one Python module of texts, wherever these come from;
`checking` checks and mends them. Cells are numbered from 0, and every cell counts: text, code or other.
"""

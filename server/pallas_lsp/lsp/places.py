"""Where things are, as a client and as a reader have it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from lsprotocol import types

from pallas_lsp.findings import Range
from pallas_lsp.lsp.convert import from_client_range, in_unit, to_client_range
from pallas_lsp.lsp.documents import Part, Unit
from pallas_lsp.outline import Place

if TYPE_CHECKING:
    from pallas_lsp.lsp.analysis import Analysis
    from pallas_lsp.text import PositionEncoding


def range_in_unit(part: Part, range: types.Range, encoding: PositionEncoding) -> Range:
    """A client's range in a document as a range of the unit that it is part of."""
    return in_unit(part, from_client_range(part.document.text, range, encoding))


def position_in_unit(part: Part, position: types.Position, encoding: PositionEncoding) -> Range:
    """A client's position, as an empty range of the unit."""
    return range_in_unit(part, types.Range(position, position), encoding)


def in_part(unit: Unit, part: Part, range: Range, encoding: PositionEncoding) -> types.Range | None:
    """A range of a unit as one of a document that is part of it; None if it stands in another part."""
    inside, inner = unit.locate(range)
    return to_client_range(part.document.text, inner, encoding) if inside is part else None


def location(analysis: Analysis, unit: Unit, place: Place, encoding: PositionEncoding) -> types.Location:
    """A place in a unit, or in another file; for the analysis thread."""
    if place.path is None:
        part, inner = unit.locate(place.range)
        return types.Location(part.document.uri, to_client_range(part.document.text, inner, encoding))
    uri, text = analysis.text_of(place.path)
    return types.Location(uri, to_client_range(text, place.range, encoding))


def in_words(unit: Unit, part: Part, place: Place) -> str:
    """Where a place is for a reader of a document: `line 12`, `cell 3, line 2` or `launches.py, line 12`; 1-based."""
    if place.path is not None:
        return f"{os.path.basename(place.path)}, line {place.range.start.line + 1}"  # noqa: PTH119
    inside, inner = unit.locate(place.range)
    line = f"line {inner.start.line + 1}"
    return line if inside is part else f"cell {unit.parts.index(inside) + 1}, {line}"

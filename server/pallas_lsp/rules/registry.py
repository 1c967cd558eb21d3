"""All rules, in the order of their codes."""

from __future__ import annotations

from pallas_lsp.rules.aliases import Aliases
from pallas_lsp.rules.base import Rule
from pallas_lsp.rules.block_rank import BlockRank
from pallas_lsp.rules.block_spec_arguments import BlockSpecArguments
from pallas_lsp.rules.captured_constant import CapturedConstant
from pallas_lsp.rules.changed_array import ChangedArray
from pallas_lsp.rules.compiled_launch import CompiledLaunch
from pallas_lsp.rules.compiler_params import CompilerParams
from pallas_lsp.rules.dropped_result import DroppedResult
from pallas_lsp.rules.dropped_update import DroppedUpdate
from pallas_lsp.rules.float_grid import FloatGrid
from pallas_lsp.rules.grid_given_twice import GridGivenTwice
from pallas_lsp.rules.in_specs import InSpecs
from pallas_lsp.rules.index_map_captures import IndexMapCaptures
from pallas_lsp.rules.index_map_condition import IndexMapCondition
from pallas_lsp.rules.index_map_parameters import IndexMapParameters
from pallas_lsp.rules.index_map_results import IndexMapResults
from pallas_lsp.rules.index_map_types import IndexMapTypes
from pallas_lsp.rules.kernel_parameters import KernelParameters
from pallas_lsp.rules.launch_as_decorator import LaunchAsDecorator
from pallas_lsp.rules.lost_carry import LostCarry
from pallas_lsp.rules.misfit_store import MisfitStore
from pallas_lsp.rules.missing_axis import MissingAxis
from pallas_lsp.rules.missing_name import MissingName
from pallas_lsp.rules.misused_when import MisusedWhen
from pallas_lsp.rules.out_shape import OutShape
from pallas_lsp.rules.out_specs import OutSpecs
from pallas_lsp.rules.rebound_output import ReboundOutput
from pallas_lsp.rules.returning_body import ReturningBody
from pallas_lsp.rules.returning_kernel import ReturningKernel
from pallas_lsp.rules.scratch_shapes import ScratchShapes
from pallas_lsp.rules.stored_input import StoredInput
from pallas_lsp.rules.stored_ref import StoredRef
from pallas_lsp.rules.traced_condition import TracedCondition
from pallas_lsp.rules.traced_number import TracedNumber
from pallas_lsp.rules.traced_slice import TracedSlice
from pallas_lsp.rules.tree_store import TreeStore
from pallas_lsp.rules.unknown_keyword import UnknownKeyword
from pallas_lsp.rules.unread_ref import UnreadRef
from pallas_lsp.rules.unused_copy import UnusedCopy
from pallas_lsp.rules.unused_ignore import UnusedIgnore
from pallas_lsp.rules.unwritten_output import UnwrittenOutput
from pallas_lsp.rules.wrong_dtype import WrongDtype

RULES: tuple[type[Rule], ...] = (
    *(ReturningKernel, DroppedResult, ReturningBody),
    *(KernelParameters, InSpecs, OutSpecs, OutShape, GridGivenTwice, FloatGrid, UnknownKeyword, LaunchAsDecorator),
    *(ScratchShapes, CompilerParams, Aliases, CompiledLaunch),
    *(IndexMapParameters, IndexMapResults, IndexMapTypes, BlockSpecArguments, BlockRank),
    *(IndexMapCaptures, IndexMapCondition),
    *(UnreadRef, ReboundOutput, UnwrittenOutput, StoredRef, TreeStore, MisfitStore, WrongDtype, StoredInput),
    *(ChangedArray, DroppedUpdate, TracedSlice),
    *(TracedCondition, TracedNumber, MisusedWhen, LostCarry, MissingAxis),
    *(CapturedConstant, UnusedCopy, MissingName, UnusedIgnore),
)

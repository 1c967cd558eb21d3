"""What is known of JAX, as tables. A new JAX API is a new row here, never a new branch elsewhere.

Every row was tried under jax 0.10.2 (`interpret=True`, CPU); file and line of the source stand beside the entry points.
Names are canonical: the public path that users import, such as `jax.experimental.pallas.pallas_call`.
"""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass
from functools import lru_cache

PALLAS = "jax.experimental.pallas"
TPU = "jax.experimental.pallas.tpu"
MOSAIC_GPU = "jax.experimental.pallas.mosaic_gpu"
TRITON = "jax.experimental.pallas.triton"
SPARSE_CORE = "jax.experimental.pallas.tpu_sc"

CANONICAL_MODULES: dict[str, str] = {
    "jax._src.pallas.mosaic.sc_primitives": SPARSE_CORE,
    "jax._src.pallas.mosaic.sc_core": SPARSE_CORE,
    "jax._src.pallas.mosaic.core": TPU,
    "jax._src.pallas.mosaic.helpers": TPU,
    "jax._src.pallas.mosaic.pipeline": TPU,
    "jax._src.pallas.mosaic.primitives": TPU,
    "jax._src.pallas.mosaic.random": TPU,
    "jax._src.pallas.mosaic": TPU,
    "jax._src.pallas.mosaic_gpu.core": MOSAIC_GPU,
    "jax._src.pallas.mosaic_gpu.helpers": MOSAIC_GPU,
    "jax._src.pallas.mosaic_gpu.pipeline": MOSAIC_GPU,
    "jax._src.pallas.mosaic_gpu.primitives": MOSAIC_GPU,
    "jax._src.pallas.mosaic_gpu": MOSAIC_GPU,
    "jax._src.pallas.triton.core": TRITON,
    "jax._src.pallas.triton.primitives": TRITON,
    "jax._src.pallas.triton": TRITON,
    "jax._src.pallas.core": PALLAS,
    "jax._src.pallas.helpers": PALLAS,
    "jax._src.pallas.mpmd": PALLAS,
    "jax._src.pallas.pallas_call": PALLAS,
    "jax._src.pallas.primitives": PALLAS,
    "jax._src.pallas.utils": PALLAS,
    "jax._src.pallas": PALLAS,
    "jax._src.state.discharge": PALLAS,
    "jax._src.lax.control_flow": "jax.lax",
    "jax._src.lax.lax": "jax.lax",
    "jax._src.lax": "jax.lax",
    "jax._src.numpy.lax_numpy": "jax.numpy",
    "jax._src.numpy": "jax.numpy",
    "jax._src.api": "jax",
    "jax._src.tree_util": "jax.tree_util",
    "jax.experimental.pallas.gpu": TRITON,
    "jax_triton.pallas": PALLAS,
    "jax.tree_util.tree_map": "jax.tree.map",
    "jax.tree_map": "jax.tree.map",
    "jax.core.ShapeDtypeStruct": "jax.ShapeDtypeStruct",
    "jax.api.ShapeDtypeStruct": "jax.ShapeDtypeStruct",
}
"""Other import paths of the same thing; the longest prefix counts."""


@lru_cache(maxsize=4096)
def canonical(name: str) -> str:
    """The public path of a dotted name: `jax._src.pallas.core.BlockSpec` is `jax.experimental.pallas.BlockSpec`."""
    head = name
    while head:
        replacement = CANONICAL_MODULES.get(head)
        if replacement is not None:
            return replacement + name[len(head) :]
        head = head.rpartition(".")[0]
    return name


Version = tuple[int, ...]
"""A JAX release as numbers: `(0, 9, 2)`."""

NEWEST: Version = (999,)
"""Later than every release."""


def as_version(text: str | None) -> Version:
    """The numbers at the start of a version; the newest one for None."""
    if text is None:
        return NEWEST
    found = re.match(r"\d+(?:\.\d+)*", text)
    return tuple(map(int, found.group().split("."))) if found is not None else NEWEST


class Outcome(enum.Enum):
    """What JAX does with a value that the function returns."""

    RAISES = "JAX raises: the function should return None"
    RAISES_OTHERWISE = "JAX raises another error"
    DROPS = "JAX drops the value"
    USES = "JAX uses the value"


class Signature(enum.Enum):
    """Which arguments the function gets."""

    PALLAS_CALL = "scalar prefetch, inputs, outputs, scratch"
    MESH_KERNEL = "inputs, outputs, scratch"
    SCRATCH_ONLY = "scratch"
    PIPELINE = "input blocks, output blocks, scratch"
    INDEXED_PIPELINE = "indices, input blocks, output blocks"
    NO_ARGUMENTS = "nothing"
    INDEX = "the loop index"
    REF = "one Ref, or a tree of them"


@dataclass(frozen=True, slots=True)
class EntryPoint:
    """An API that receives a user's function.

    Args:
      name: canonical.
      parameters: the names of its positional parameters in order; spellings of other JAX versions after a bar.
      function: the parameter that takes the function; empty when the API returns a decorator that takes it.
      outcome: what happens to a value that the function returns.
      signature: what the function is called with.
      says: what JAX says, with {name} and {tree}, each wording with the first release that has it; newest first.
      outputs: the parameter with the shapes of the outputs.
      scratch: the parameter with the scratch shapes.
      carry: the parameter that makes the function's result the carry of a loop, so that it must return one.
      factory: whether it may be called without the function, and then returns a decorator.
      leaves_only: whether a result without leaves, such as `()`, passes.
      pair: whether it returns the launched function with a second object.
    """

    name: str
    parameters: tuple[str, ...]
    function: str
    outcome: Outcome
    signature: Signature
    says: tuple[tuple[Version, str], ...] = ()
    outputs: str = ""
    scratch: str = ""
    carry: str = ""
    factory: bool = False
    leaves_only: bool = False
    pair: bool = False

    def wording(self, target: Version) -> str:
        """What that JAX release says; empty when it says nothing."""
        return next((text for since, text in self.says if target >= since), "")

    @property
    def short_name(self) -> str:
        """The last part of the name: `pallas_call`."""
        return self.name.rpartition(".")[2]


_AT_MPMD_MAP = "The kernel function in mpmd_map {name} should return None. It returns a PyTree: {tree}."
_AT_CORE_MAP = "The kernel function in core_map {name} should return None. It returns a PyTree: {tree}."
_NONE_ERROR = (
    ((0, 4, 35), "The kernel function in the pallas_call {name} should return None. It returns a PyTree: {tree}."),
    ((0,), "The kernel function in a pallas_call should return None. Found a PyTree: {tree}."),
)
_MPMD_ERROR = (((0, 10), _AT_MPMD_MAP), ((0,), _AT_CORE_MAP))
_CORE_MAP_ERROR = (
    ((0, 11, 2), _AT_MPMD_MAP),
    ((0, 7), _AT_CORE_MAP),
    ((0,), "core_map must not return any outputs."),
)
_SCAN_ERROR = (((0,), "scan body function carry input and carry output must have the same pytree structure"),)
_COND_ERROR = (
    ((0, 6), "cond branch outputs must have the same pytree structure"),
    ((0, 5), "true_fun output must have same type structure as false_fun output"),
    ((0,), "true_fun and false_fun output must have same type structure"),
)
_STATE_ERROR = (((0,), "Too many leaves for PyTreeDef; expected 1."),)

ENTRY_POINTS: dict[str, EntryPoint] = {
    row.name: row
    for row in (
        # pallas/pallas_call.py:1132, the check at :833
        EntryPoint(
            f"{PALLAS}.pallas_call",
            ("kernel|f", "out_shape"),
            "kernel",
            Outcome.RAISES,
            Signature.PALLAS_CALL,
            _NONE_ERROR,
            outputs="out_shape",
            scratch="scratch_shapes",
        ),
        # pallas/helpers.py:156, the check in mpmd.py:903
        EntryPoint(
            f"{PALLAS}.kernel",
            ("body", "out_type|out_shape"),
            "body",
            Outcome.RAISES,
            Signature.MESH_KERNEL,
            _MPMD_ERROR,
            outputs="out_type",
            scratch="scratch_types|scratch_shapes",
            factory=True,
        ),
        # pallas/mpmd.py:603
        EntryPoint(
            f"{PALLAS}.mpmd_map",
            ("meshes_and_fns", "out_types"),
            "meshes_and_fns",
            Outcome.RAISES,
            Signature.MESH_KERNEL,
            _MPMD_ERROR,
            outputs="out_types",
            scratch="scratch_types|scratch_shapes",
        ),
        # pallas/core.py:1505, the check at :1558
        EntryPoint(
            f"{PALLAS}.core_map",
            ("mesh",),
            "",
            Outcome.RAISES,
            Signature.SCRATCH_ONLY,
            _CORE_MAP_ERROR,
            scratch="scratch_shapes|scratch_types",
        ),
        # pallas/mosaic_gpu/core.py:248: the body's result is ignored at :372
        EntryPoint(
            f"{MOSAIC_GPU}.kernel",
            ("body", "out_shape|out_type"),
            "body",
            Outcome.DROPS,
            Signature.MESH_KERNEL,
            outputs="out_shape|out_type",
            scratch="scratch_shapes|scratch_types",
            factory=True,
        ),
        # pallas/mosaic_gpu/helpers.py:463
        EntryPoint(f"{MOSAIC_GPU}.warp_map", (), "", Outcome.RAISES, Signature.INDEX, _CORE_MAP_ERROR),
        # pallas/mosaic/pipeline.py:1835: the result is ignored at :1712
        EntryPoint(
            f"{TPU}.emit_pipeline",
            ("body",),
            "body",
            Outcome.DROPS,
            Signature.PIPELINE,
            outputs="out_specs",
        ),
        # pallas/mosaic/pipeline.py:1801
        EntryPoint(
            f"{TPU}.emit_pipeline_with_allocations",
            ("body",),
            "body",
            Outcome.DROPS,
            Signature.PIPELINE,
            outputs="out_specs",
            pair=True,
        ),
        # pallas/mosaic_gpu/pipeline.py:217
        EntryPoint(
            f"{MOSAIC_GPU}.emit_pipeline",
            ("body",),
            "body",
            Outcome.DROPS,
            Signature.INDEXED_PIPELINE,
            outputs="out_specs",
            carry="init_carry",
        ),
        # pallas/mosaic_gpu/pipeline.py:534, the loop at :883
        EntryPoint(
            f"{MOSAIC_GPU}.emit_pipeline_warp_specialized",
            ("body",),
            "body",
            Outcome.RAISES_OTHERWISE,
            Signature.INDEXED_PIPELINE,
            _SCAN_ERROR,
            outputs="out_specs",
            carry="compute_context",
        ),
        # pallas/helpers.py:68
        EntryPoint(
            f"{PALLAS}.when",
            ("condition",),
            "",
            Outcome.RAISES_OTHERWISE,
            Signature.NO_ARGUMENTS,
            _COND_ERROR,
        ),
        # pallas/helpers.py:117
        EntryPoint(
            f"{PALLAS}.loop",
            ("lower", "upper"),
            "",
            Outcome.RAISES_OTHERWISE,
            Signature.INDEX,
            _SCAN_ERROR,
            carry="init_carry",
        ),
        # pallas/mosaic_gpu/helpers.py:75 and :338
        EntryPoint(f"{MOSAIC_GPU}.nd_loop", ("grid",), "", Outcome.DROPS, Signature.INDEX, carry="init_carry"),
        EntryPoint(
            f"{MOSAIC_GPU}.dynamic_scheduling_loop",
            ("grid_names", "thread_axis", "cluster_axes", "init_carry"),
            "",
            Outcome.DROPS,
            Signature.INDEX,
            carry="init_carry",
        ),
        # pallas/mosaic/sc_primitives.py:839
        EntryPoint(
            f"{SPARSE_CORE}.parallel_loop",
            ("lower", "upper", "step"),
            "",
            Outcome.DROPS,
            Signature.INDEX,
            carry="carry",
        ),
        # state/discharge.py:829
        EntryPoint(
            f"{PALLAS}.run_state",
            ("f",),
            "f",
            Outcome.RAISES_OTHERWISE,
            Signature.REF,
            _STATE_ERROR,
            leaves_only=True,
        ),
    )
}

ENTRY_NAMES = frozenset(row.short_name for row in ENTRY_POINTS.values())
"""The last parts of their names."""


class Result(enum.Enum):
    """What an API function returns, whatever it is given."""

    NONE = "None"
    ARRAY = "one array"
    SCALAR = "a traced scalar"
    NUMBER = "a Python number"
    SOMETHING = "an object that is not None"
    EMPTY_LIST = "[]"
    DESCRIPTOR = "an AsyncCopyDescriptor"
    NOT_JAX = "an object that JAX does not accept as a result"
    HOST_ARRAY = "a NumPy array"


def _rows(prefix: str, names: str, result: Result) -> dict[str, Result]:
    return {f"{prefix}.{name}": result for name in names.split()}


RESULTS: dict[str, Result] = {
    **_rows(PALLAS, "debug_print debug_check delay semaphore_signal semaphore_wait store", Result.NONE),
    **_rows(PALLAS, "program_id semaphore_read", Result.SCALAR),
    **_rows(PALLAS, "num_programs cdiv next_power_of_2", Result.NUMBER),
    **_rows(PALLAS, "multiple_of reciprocal dot load swap broadcast_to align_to", Result.ARRAY),
    **_rows(
        PALLAS, "atomic_add atomic_and atomic_cas atomic_max atomic_min atomic_or atomic_xchg atomic_xor", Result.ARRAY
    ),
    **_rows(PALLAS, "empty empty_like empty_ref_like get_global max_contiguous strides_from_shape", Result.SOMETHING),
    **_rows(PALLAS, "ds dslice", Result.SOMETHING),
    **_rows(
        TPU,
        "sync_copy store prng_seed touch trace_value core_barrier matmul_push_rhs matmul_acc_lhs semaphore_signal"
        " semaphore_wait delay enable_debug_checks",
        Result.NONE,
    ),
    **_rows(TPU, "make_async_copy async_copy make_async_remote_copy async_remote_copy", Result.DESCRIPTOR),
    **_rows(
        TPU,
        "load prng_random_bits roll bitcast repeat stateful_normal stateful_uniform stateful_bits stateful_bernoulli"
        " einshape matmul_pop approx_tanh stochastic_round sample_block",
        Result.ARRAY,
    ),
    **_rows(TPU, "get_barrier_semaphore to_pallas_key", Result.SOMETHING),
    f"{TPU}.semaphore_read": Result.SCALAR,
    **_rows(TRITON, "store", Result.NONE),
    **_rows(
        TRITON,
        "load approx_tanh dot atomic_add atomic_and atomic_cas atomic_max atomic_min atomic_or atomic_xchg atomic_xor",
        Result.ARRAY,
    ),
    f"{TRITON}.debug_barrier": Result.EMPTY_LIST,
    f"{TRITON}.elementwise_inline_asm": Result.SOMETHING,
    **_rows(
        MOSAIC_GPU,
        "copy_gmem_to_smem copy_smem_to_gmem barrier_wait barrier_arrive wait_smem_to_gmem commit_smem commit_tmem"
        " commit_smem_to_gmem_group async_prefetch wgmma set_max_registers print_layout semaphore_signal_multicast"
        " semaphore_signal_parallel async_store_tmem async_store_smem wait_load_tmem atomic_add griddepcontrol_wait"
        " griddepcontrol_launch_dependents multimem_store tcgen05_commit_arrive",
        Result.NONE,
    ),
    **_rows(MOSAIC_GPU, "load layout_cast broadcasted_iota async_load_tmem multimem_load_reduce", Result.ARRAY),
    f"{MOSAIC_GPU}.barrier_test": Result.SCALAR,
    f"{MOSAIC_GPU}.wgmma_wait": Result.EMPTY_LIST,
    **_rows(SPARSE_CORE, "store_scatter addupdate_scatter subcore_barrier addupdate store_compressed", Result.NONE),
    **_rows(SPARSE_CORE, "load_gather cumsum cummax load_expanded", Result.ARRAY),
    **_rows(SPARSE_CORE, "scan_count sort_key_val bitcast", Result.SOMETHING),
    **_rows("jax.debug", "print callback breakpoint", Result.NONE),
    **_rows("jax.ref", "set addupdate", Result.NONE),
    **_rows("jax.ref", "get swap", Result.ARRAY),
    "jax.freeze": Result.ARRAY,
    "jax.new_ref": Result.SOMETHING,
    "jax.device_get": Result.SOMETHING,
    "builtins.print": Result.NONE,
    "builtins.setattr": Result.NONE,
    "builtins.delattr": Result.NONE,
    "builtins.breakpoint": Result.NONE,
    **_rows("builtins", "len int float complex bool ord hash id all any", Result.NUMBER),
    **_rows("sequence", "index count", Result.NUMBER),
    **_rows("builtins", "abs round sum pow", Result.ARRAY),
    "builtins.divmod": Result.SOMETHING,
    **_rows(
        "builtins",
        "str repr format chr ascii hex oct bin bytes slice object type range map filter reversed iter",
        Result.NOT_JAX,
    ),
    "warnings.warn": Result.NONE,
    "time.sleep": Result.NONE,
    **_rows("jax.numpy", "save savez set_printoptions", Result.NONE),
    **_rows(
        "jax.numpy",
        "array_split split hsplit vsplit dsplit meshgrid broadcast_arrays unravel_index nonzero gradient"
        " frexp modf divmod histogram histogram2d histogramdd tril_indices triu_indices diag_indices"
        " ix_ unique atleast_1d atleast_2d atleast_3d mask_indices slogdet polyfit r_ c_ s_ mgrid ogrid index_exp",
        Result.SOMETHING,
    ),
    **_rows(
        "jax.lax", "top_k sort split reduce reduce_window approx_max_k approx_min_k rng_bit_generator", Result.SOMETHING
    ),
    **_rows(
        "jax.lax",
        "psum pmax pmin pmean all_gather all_to_all ppermute pshuffle optimization_barrier custom_root",
        Result.SOMETHING,
    ),
    **_rows("jax.lax", "axis_index", Result.SCALAR),
    **_rows("jax.lax", "axis_size", Result.NUMBER),
    **_rows(
        "jax.lax", "linalg conv_dimension_numbers GatherDimensionNumbers ScatterDimensionNumbers", Result.SOMETHING
    ),
    **_rows("numpy", "save savez savetxt set_printoptions copyto put place fill_diagonal", Result.NONE),
}
"""What single functions return."""

DEFAULT_RESULTS: dict[str, Result] = {
    "jax.numpy.linalg": Result.SOMETHING,
    "jax.numpy.fft": Result.ARRAY,
    "jax.numpy": Result.ARRAY,
    "jax.lax": Result.ARRAY,
    "jax.nn": Result.ARRAY,
    "jax.scipy.special": Result.ARRAY,
    "jax.random": Result.SOMETHING,
    "numpy": Result.HOST_ARRAY,
    "math": Result.NUMBER,
}
"""What the functions of a module return that have no row of their own; only for names in lower case."""

MODULES_WITHOUT_DEFAULT = (
    "numpy.testing",
    "numpy.random",
    "numpy.lib",
    "numpy.ctypeslib",
    "jax.nn.initializers",
    "jax.lax.linalg",
)
"""Parts of those modules that the default does not hold for."""


def result_of(name: str) -> Result | None:
    """What a call of the canonical `name` returns; None when it is not known."""
    row = RESULTS.get(name)
    if row is not None:
        return row
    module, _, function = name.rpartition(".")
    if not function.islower() and not function.isidentifier():
        return None
    if function[:1].isupper() or name.startswith(MODULES_WITHOUT_DEFAULT):
        return None
    return DEFAULT_RESULTS.get(module)


PASSES_THROUGH = frozenset(
    {
        "jax.jit",
        "jax.pjit",
        "jax.experimental.pjit.pjit",
        "jax.named_call",
        "jax.checkpoint",
        "jax.remat",
        "jax.ad_checkpoint.checkpoint",
        "jax.ad_checkpoint.remat",
        "jax.profiler.annotate_function",
        "functools.update_wrapper",
        "typing.no_type_check",
        "typing.final",
        "typing_extensions.final",
        "typing.override",
        "typing_extensions.override",
        "builtins.staticmethod",
        "builtins.classmethod",
    }
)
"""Decorators and wrappers whose result, when called, returns what the wrapped function returns."""

PASSES_THROUGH_FACTORIES = frozenset(
    {
        "jax.named_scope",
        "jax.default_matmul_precision",
        "jax.numpy_dtype_promotion",
        "jax.numpy_rank_promotion",
        "jax.enable_checks",
        "functools.wraps",
        "typing.cast_",
        "jax.disable_jit",
        "jax.ensure_compile_time_eval",
        "jax.profiler.trace_function",
    }
)
"""Calls that return such a decorator: `@jax.named_scope("x")`, `@functools.wraps(f)`."""

JAX_ARRAY_TYPES = frozenset(
    {
        "float64",
        "float32",
        "float16",
        "bfloat16",
        "int64",
        "int32",
        "int16",
        "int8",
        "uint64",
        "uint32",
        "uint16",
        "uint8",
        "bool",
        "complex64",
        "complex128",
        "int4",
        "uint4",
        "int2",
        "uint2",
        "float8_e4m3fn",
        "float8_e5m2",
    }
)
"""Names of dtypes; `jax.numpy.float32(x)` makes an array of rank 0."""

CONSTRUCTORS: dict[str, tuple[str, ...]] = {
    "jax.ShapeDtypeStruct": ("shape", "dtype"),
    f"{PALLAS}.BlockSpec": ("block_shape", "index_map", "memory_space"),
    f"{MOSAIC_GPU}.BlockSpec": ("block_shape", "index_map", "memory_space"),
    f"{TPU}.BlockSpec": ("block_shape", "index_map", "memory_space"),
    f"{PALLAS}.GridSpec": ("grid", "in_specs", "out_specs", "scratch_shapes"),
    f"{TPU}.PrefetchScalarGridSpec": ("num_scalar_prefetch", "grid", "in_specs", "out_specs", "scratch_shapes"),
    f"{TPU}.VMEM": ("shape", "dtype"),
    f"{TPU}.SMEM": ("shape", "dtype"),
    f"{TPU}.HBM": ("shape", "dtype"),
    f"{TPU}.ANY": ("shape", "dtype"),
    f"{TPU}.MemorySpace": ("shape", "dtype"),
    f"{PALLAS}.ANY": ("shape", "dtype"),
    f"{PALLAS}.MemoryRef": ("shape", "dtype", "memory_space"),
    f"{PALLAS}.Element": ("block_size", "padding"),
    f"{PALLAS}.Blocked": ("block_size",),
    f"{PALLAS}.BoundedSlice": ("block_size",),
    f"{PALLAS}.Squeezed": (),
    f"{PALLAS}.Buffered": ("buffer_count",),
    f"{MOSAIC_GPU}.SMEM": ("shape", "dtype"),
    f"{MOSAIC_GPU}.GMEM": ("shape", "dtype"),
    f"{MOSAIC_GPU}.TMEM": ("shape", "dtype"),
    f"{MOSAIC_GPU}.ACC": ("shape", "dtype"),
    f"{MOSAIC_GPU}.Barrier": (),
}
"""External classes and the names of their positional parameters."""

REF_METHODS: dict[str, Result] = {
    "__setitem__": Result.NONE,
    "set": Result.NONE,
    "addupdate": Result.NONE,
    "get": Result.ARRAY,
    "swap": Result.ARRAY,
    "__getitem__": Result.ARRAY,
}
"""What the methods of a Ref, and of its views, return."""

DESCRIPTOR_METHODS: dict[str, Result] = {
    "start": Result.NONE,
    "wait": Result.NONE,
    "wait_send": Result.NONE,
    "wait_recv": Result.NONE,
}
"""What the methods of an AsyncCopyDescriptor return."""

VIEW_METHODS = frozenset({"reshape", "bitcast", "transpose"})
"""Methods of a Ref that give a view of it."""


_ON_ARRAYS = {
    "jax.numpy": (
        "abs absolute acos acosh add all allclose amax amin angle any arccos arccosh arcsin arcsinh arctan"
        " arctan2 arctanh argmax argmin argsort argwhere around asin asinh atan atan2 atanh average bincount"
        " bitwise_and bitwise_count bitwise_invert bitwise_left_shift bitwise_not bitwise_or bitwise_right_shift"
        " bitwise_xor broadcast_to cbrt ceil clip concatenate conj conjugate convolve copysign cos cosh"
        " count_nonzero cross cumprod cumsum deg2rad degrees diag diagonal diff divide divmod dot einsum equal"
        " exp exp2 expand_dims expm1 fabs flip fliplr flipud float_power floor floor_divide fmax fmin fmod"
        " greater greater_equal heaviside histogram hypot imag inner interp isclose isfinite isinf isnan kron"
        " left_shift less less_equal log log10 log1p log2 logaddexp logaddexp2 logical_and logical_not logical_or"
        " logical_xor matmul matrix_transpose max maximum mean median min minimum mod moveaxis multiply nanmax"
        " nanmean nanmin nansum negative nextafter not_equal outer pad percentile positive pow power prod ptp"
        " quantile rad2deg radians ravel real reciprocal remainder repeat reshape right_shift rint roll rot90"
        " round searchsorted sign signbit sin sinc sinh sort square squeeze stack std subtract sum swapaxes take"
        " take_along_axis tan tanh tensordot tile trace transpose tril triu true_divide trunc unique unwrap"
        " vander var vdot where"
    ),
    "jax.lax": (
        "abs acos acosh add asin asinh atan atan2 atanh batch_matmul bitwise_and bitwise_not bitwise_or"
        " bitwise_xor cbrt ceil clz cos cosh cumlogsumexp cummax cummin cumprod cumsum digamma div dot"
        " dot_general dynamic_index_in_dim dynamic_slice dynamic_update_slice eq erf erf_inv erfc exp exp2 expm1"
        " floor ge gt integer_pow is_finite le lgamma log log1p logistic lt max min mul ne neg nextafter pow"
        " reciprocal rem round rsqrt select_n shift_left shift_right_arithmetic shift_right_logical sign sin sinh"
        " sqrt square sub tan tanh"
    ),
    "jax.nn": (
        "celu elu gelu glu hard_sigmoid hard_silu hard_swish hard_tanh leaky_relu log_sigmoid log_softmax"
        " logsumexp mish relu relu6 selu sigmoid silu soft_sign softmax softplus squareplus standardize swish"
        " tanh"
    ),
}

ARRAY_FUNCTIONS = frozenset(f"{module}.{name}" for module, names in _ON_ARRAYS.items() for name in names.split())
"""Functions that stop at a Ref among their positional arguments, and for which a traced argument gives a traced result.

Each was tried with a Ref in each position.
"""

ITERATING_BUILTINS = frozenset(
    f"builtins.{name}" for name in ("sum", "list", "tuple", "set", "frozenset", "sorted", "enumerate", "zip", "iter")
)
"""Builtins that loop over their positional arguments."""

COMPARING_BUILTINS = {"builtins.abs": "abs", "builtins.round": "round"}
"""Builtins that call a method of their argument that a Ref does not have."""

_ARRAY_MEMBERS = (
    "all any argmax argmin argsort astype ceil clip conj conjugate copy cumprod cumsum diagonal dot flat flatten imag"
    " item max mean min mT nbytes nonzero prod ptp ravel real repeat round searchsorted sort squeeze std sum swapaxes"
    " take trace var view itemsize"
)

ARRAY_MEMBERS = frozenset(_ARRAY_MEMBERS.split())
"""Attributes and methods of arrays that a Ref does not have."""

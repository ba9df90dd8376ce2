"""Rows padded to whole strips of eight lanes: their distances, means and copies.

Entry points: `padded` (Python, makes rows), `apart`, `inside`, `gain`, `toward`, `center`, `copy`,
`exchange`, `fetch`. As in `lanes`, vector instructions are spelled out: of rows as short as these
the compiler makes none. Lanes are summed strip after strip, then by halves, without fused
operations, so that a processor with vectors of any width comes to the same sums. Lanes beyond the
last attribute are 0.

Rows are of single or of double precision, and so is all that is computed from them.
"""

import numpy as np
from llvmlite import ir
from numba import config, types
from numba.core import cgutils
from numba.extending import intrinsic

__all__ = [
    "LANES",
    "apart",
    "center",
    "copy",
    "exchange",
    "fetch",
    "gain",
    "inside",
    "padded",
    "toward",
]

LANES = 8
LINE = 64  # bytes of a cache line

_WORD, _SMALL = ir.IntType(64), ir.IntType(32)


def padded(shape, dtype):
    """Zeros of this shape, the last side rounded up to fill strips; every row begins a strip."""
    *rows, d = shape
    width = -(-d // LANES) * LANES
    size = int(np.prod(rows)) * width * np.dtype(dtype).itemsize
    room = np.zeros(size + LINE, dtype=np.uint8)
    begin = -room.ctypes.data % LINE
    return room[begin : begin + size].view(dtype).reshape(*rows, width)


class _Rows:
    """An argument that holds rows, as the compiler sees it."""

    def __init__(self, context, builder, kind, value):
        self.builder = builder
        array = context.make_array(kind)(context, builder, value)
        self.data = array.data
        self.width = builder.extract_value(array.shape, kind.ndim - 1)
        self.lane = context.get_value_type(kind.dtype)
        self.strip = ir.VectorType(self.lane, LANES)
        self.zero = ir.Constant(self.strip, [0.0] * LANES)
        self.align = kind.dtype.bitwidth // 8 * LANES

    def row(self, number):
        """Where a row begins."""
        return self.builder.mul(number, self.width)

    def strips(self):
        """A loop over the strips of a row."""
        return cgutils.for_range(self.builder, self.builder.udiv(self.width, _WORD(LANES)))

    def _place(self, row, at):
        begin = self.builder.add(row, self.builder.mul(at, _WORD(LANES)))
        pointer = self.builder.gep(self.data, [begin])
        return self.builder.bitcast(pointer, self.strip.as_pointer())

    def load(self, row, at):
        """Strip `at` of the row that begins at `row`."""
        return self.builder.load(self._place(row, at), align=self.align)

    def store(self, strip, row, at):
        """Write a strip."""
        self.builder.store(strip, self._place(row, at), align=self.align)

    def everywhere(self, scalar):
        """A strip that holds `scalar` in every lane."""
        nothing = ir.Constant(self.strip, ir.Undefined)
        first = self.builder.insert_element(nothing, scalar, _SMALL(0))
        spread = ir.Constant(ir.VectorType(_SMALL, LANES), [0] * LANES)
        return self.builder.shuffle_vector(first, nothing, spread)

    def total(self, strip):
        """The sum of all lanes, by halves."""
        builder, count = self.builder, LANES
        while count > 1:
            count //= 2
            nothing = ir.Constant(strip.type, ir.Undefined)
            kind = ir.VectorType(_SMALL, count)
            low, high = (
                builder.shuffle_vector(
                    strip, nothing, ir.Constant(kind, list(range(first, first + count)))
                )
                for first in (0, count)
            )
            strip = builder.fadd(low, high)
        return builder.extract_element(strip, _SMALL(0))


def _summed(term):
    """Code that sums ``term(rows, strip of a difference, strip number, further arguments)``."""

    def code(context, builder, signature, arguments):
        rows = _Rows(context, builder, signature.args[0], arguments[0])
        i, j = rows.row(arguments[1]), rows.row(arguments[2])
        given = list(arguments[3:])
        if given:
            given[0] = _Rows(context, builder, signature.args[3], given[0])
            given[1] = rows.everywhere(given[1])
        sums = cgutils.alloca_once_value(builder, rows.zero)
        with rows.strips() as loop:
            w = builder.fsub(rows.load(i, loop.index), rows.load(j, loop.index))
            strip = term(builder, w, loop.index, *given)
            builder.store(builder.fadd(builder.load(sums), strip), sums)
        return rows.total(builder.load(sums))

    return code


def _square(builder, w, at):
    return builder.fmul(w, w)


def _crossed(builder, w, at, direction, share):
    inner = builder.fadd(direction.load(_WORD(0), at), builder.fmul(share, w))
    return builder.fmul(w, inner)


@intrinsic
def apart(typing_context, rows, i, j):
    """Squared distance of two rows."""
    return rows.dtype(rows, i, j), _summed(_square)


@intrinsic
def inside(typing_context, rows, i, direction):
    """The product of row `i` and another."""

    def code(context, builder, signature, arguments):
        rows = _Rows(context, builder, signature.args[0], arguments[0])
        other = _Rows(context, builder, signature.args[2], arguments[2])
        i = rows.row(arguments[1])
        sums = cgutils.alloca_once_value(builder, rows.zero)
        with rows.strips() as loop:
            strip = builder.fmul(rows.load(i, loop.index), other.load(_WORD(0), loop.index))
            builder.store(builder.fadd(builder.load(sums), strip), sums)
        return rows.total(builder.load(sums))

    return rows.dtype(rows, i, direction), code


@intrinsic
def gain(typing_context, rows, i, j, direction, share):
    """Sum of w (direction + share w), w the difference of rows `i` and `j`."""
    return rows.dtype(rows, i, j, direction, rows.dtype), _summed(_crossed)


@intrinsic
def toward(
    typing_context,
    rows,
    i,
    j,
    out,  # out
):
    """Twice the way from row `i` to row `j`."""

    def code(context, builder, signature, arguments):
        rows = _Rows(context, builder, signature.args[0], arguments[0])
        out = _Rows(context, builder, signature.args[3], arguments[3])
        i, j = rows.row(arguments[1]), rows.row(arguments[2])
        with rows.strips() as loop:
            w = builder.fsub(rows.load(j, loop.index), rows.load(i, loop.index))
            out.store(builder.fadd(w, w), _WORD(0), loop.index)
        return context.get_dummy_value()

    return types.void(rows, i, j, out), code


@intrinsic
def center(
    typing_context,
    rows,  # out
    to,
    count,
    share,
):
    """Row `to` is `share` times the sum of the `count` that follow it."""

    def code(context, builder, signature, arguments):
        rows = _Rows(context, builder, signature.args[0], arguments[0])
        to, share = rows.row(arguments[1]), rows.everywhere(arguments[3])
        first = builder.add(to, rows.width)
        sums = cgutils.alloca_once_value(builder, rows.zero)
        with rows.strips() as loop:
            builder.store(rows.zero, sums)
            with cgutils.for_range(builder, arguments[2]) as member:
                row = builder.add(first, rows.row(member.index))
                strip = rows.load(row, loop.index)
                builder.store(builder.fadd(builder.load(sums), strip), sums)
            rows.store(builder.fmul(share, builder.load(sums)), to, loop.index)
        return context.get_dummy_value()

    return types.void(rows, to, count, rows.dtype), code


def _moved(both):
    """Code that copies row j to row i, and the other way round as well if `both`."""

    def code(context, builder, signature, arguments):
        rows = _Rows(context, builder, signature.args[0], arguments[0])
        i, j = rows.row(arguments[1]), rows.row(arguments[2])
        with rows.strips() as loop:
            one, other = rows.load(i, loop.index), rows.load(j, loop.index)
            rows.store(other, i, loop.index)
            if both:
                rows.store(one, j, loop.index)
        return context.get_dummy_value()

    return code


@intrinsic
def copy(
    typing_context,
    rows,  # out
    to,
    i,
):
    """Row `to` becomes row `i`."""
    return types.void(rows, to, i), _moved(both=False)


@intrinsic
def exchange(
    typing_context,
    rows,  # out
    i,
    j,
):
    """Rows `i` and `j` change places."""
    return types.void(rows, i, j), _moved(both=True)


@intrinsic
def fetch(typing_context, rows, first, count):
    """Have `count` rows ready in the cache: nothing is read, and nothing waits."""

    def code(context, builder, signature, arguments):
        rows = _Rows(context, builder, signature.args[0], arguments[0])
        if signature.args[0].ndim == 1:  # rows of one
            rows.width = _WORD(1)
        item = _WORD(signature.args[0].dtype.bitwidth // 8)
        begin = builder.ptrtoint(builder.gep(rows.data, [rows.row(arguments[1])]), _WORD)
        size = builder.mul(rows.row(arguments[2]), item)
        lines = builder.udiv(builder.add(size, _WORD(LINE - 1)), _WORD(LINE))
        byte = ir.IntType(8).as_pointer()
        kind = ir.FunctionType(ir.VoidType(), [byte, _SMALL, _SMALL, _SMALL])
        ask = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0i8")
        read, soon, data = _SMALL(0), _SMALL(3), _SMALL(1)
        with cgutils.for_range(builder, lines) as loop:
            at = builder.add(begin, builder.mul(loop.index, _WORD(LINE)))
            builder.call(ask, [builder.inttoptr(at, byte), read, soon, data])
        return context.get_dummy_value()

    return types.void(rows, first, count), code


if config.DISABLE_JIT:  # plain Python, for a debugger

    def _total(row):
        strip = row.reshape(-1, LANES)
        sums = np.zeros(LANES, dtype=row.dtype)
        for one in strip:
            sums = sums + one
        while len(sums) > 1:
            low, high = np.split(sums, 2)
            sums = low + high
        return sums[0]

    def apart(rows, i, j):
        w = rows[i] - rows[j]
        return _total(w * w)

    def inside(rows, i, direction):
        return _total(rows[i] * direction)

    def gain(rows, i, j, direction, share):
        w = rows[i] - rows[j]
        return _total(w * (direction + share * w))

    def toward(rows, i, j, out):
        out[:] = 2 * (rows[j] - rows[i])

    def center(rows, to, count, share):
        sums = np.zeros_like(rows[to])
        for row in rows[to + 1 : to + 1 + count]:
            sums = sums + row
        rows[to] = share * sums

    def copy(rows, to, i):
        rows[to] = rows[i]

    def exchange(rows, i, j):
        rows[[i, j]] = rows[[j, i]]

    def fetch(rows, first, count):
        pass

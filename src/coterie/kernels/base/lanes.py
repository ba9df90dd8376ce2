"""Distances of one query to thirty-two records or boxes at a time, in single precision.

Entry points: `screen`, `box_near`. Here and in `strips` vector instructions are spelled out: the
compiler finds them by itself only for long loops, and pays for each short one with tests of overlap
and leftovers that cost more than the distances. Thirty-two running sums stay in
registers here, on a processor with vectors of any width.

What these functions give is rounded: callers widen their limits by what rounding can do and confirm
in double precision. Lanes are summed one by one, attribute after attribute, without fused
operations, so that the same lanes pass on every processor.
"""

import numpy as np
from llvmlite import ir
from numba import config, types
from numba.core import cgutils
from numba.extending import intrinsic

__all__ = ["LANES", "box_near", "screen"]

LANES = 32

_WORD, _LANE = ir.IntType(64), ir.FloatType()
_WIDE = ir.VectorType(_LANE, LANES)
_ZERO = ir.Constant(_WIDE, [0.0] * LANES)


def _everywhere(builder, scalar):
    """A vector that holds `scalar` in every lane."""
    nothing = ir.Constant(_WIDE, ir.Undefined)
    first = builder.insert_element(nothing, scalar, ir.IntType(32)(0))
    spread = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
    return builder.shuffle_vector(first, nothing, spread)


def _larger(builder, a, b):
    return builder.select(builder.fcmp_ordered(">", a, b), a, b)


def _record(builder, at, query):
    return builder.fsub(at[0], query)


def _gap(builder, at, query):
    low, high = at
    outside = _larger(builder, builder.fsub(low, query), builder.fsub(query, high))
    return _larger(builder, outside, _ZERO)


def _summed(term, inputs):
    """An intrinsic (inputs..., block, query, out): sums of squared terms of one block of lanes.

    Each input is (blocks, d, LANES). The sums are written into ``out``; the least and the greatest
    of them are returned.
    """

    def typed(arrays, block, query, out):
        signature = types.UniTuple(types.float32, 2)(*arrays, block, query, out)

        def codegen(context, builder, signature, arguments):
            def array(number):
                kind = signature.args[number]
                return context.make_array(kind)(context, builder, arguments[number])

            columns = [array(number) for number in range(inputs)]
            query, out = array(inputs + 1), array(inputs + 2)
            d = builder.extract_value(columns[0].shape, 1)
            start = builder.mul(arguments[inputs], builder.mul(d, _WORD(LANES)))
            sums = cgutils.alloca_once_value(builder, _ZERO)
            with cgutils.for_range(builder, d) as loop:
                at = builder.add(start, builder.mul(loop.index, _WORD(LANES)))
                lanes = []
                for column in columns:
                    place = builder.gep(column.data, [at])
                    pointer = builder.bitcast(place, _WIDE.as_pointer())
                    lanes.append(builder.load(pointer, align=4))
                value = builder.load(builder.gep(query.data, [loop.index]))
                t = term(builder, lanes, _everywhere(builder, value))
                builder.store(builder.fadd(builder.load(sums), builder.fmul(t, t)), sums)
            result = builder.load(sums)
            builder.store(result, builder.bitcast(out.data, _WIDE.as_pointer()), align=4)
            ends = []
            for end in ("min", "max"):
                reduction = cgutils.get_or_insert_function(
                    builder.module,
                    ir.FunctionType(_LANE, [_WIDE]),
                    f"llvm.vector.reduce.f{end}.v{LANES}f32",
                )
                ends.append(builder.call(reduction, [result], fastmath=("nnan",)))
            return context.make_tuple(builder, signature.return_type, ends)

        return signature, codegen

    return typed


_screen, _near = _summed(_record, 1), _summed(_gap, 2)


@intrinsic
def screen(
    typing_context,
    cube,
    block,
    query,
    out,  # out
):
    """Squared distances of a block of records, attribute by attribute in `cube`."""
    return _screen((cube,), block, query, out)


@intrinsic
def box_near(
    typing_context,
    low,
    high,
    block,
    query,
    out,  # out
):
    """Squared distances to the nearest points of a block of boxes."""
    return _near((low, high), block, query, out)


if config.DISABLE_JIT:  # plain Python, for a debugger

    def screen(cube, block, query, out):
        out[:] = np.square(cube[block] - query[:, None]).sum(axis=0)
        return out.min(), out.max()

    def box_near(low, high, block, query, out):
        q = query[:, None]
        gap = np.maximum(np.maximum(low[block] - q, q - high[block]), np.float32(0.0))
        out[:] = np.square(gap).sum(axis=0)
        return out.min(), out.max()

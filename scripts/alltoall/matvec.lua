-- Matrix-vector and vector-matrix products by all-to-all communication:
--   wsevm run scripts/alltoall/matvec.lua P=256 Q=256 d=4 nodes=grid --machine=cm200
-- README.md has the arguments. With require "alltoall.matvec" it gives lib/matvec.lua.
local matvec = require "alltoall.lib.matvec"
if ... then return matvec end  -- a module gets its name

local command = require "alltoall.lib.command"
local wse = require "wse"

local options = {P = wse.argument("P", 64), Q = wse.argument("Q", 64), d = wse.argument("d", 4),
                 nodes = wse.argument("nodes", "grid"), order = wse.argument("order", "gray"),
                 product = wse.argument("product", "matrix-vector"),
                 layout = wse.argument("layout", "column"),
                 seed = wse.argument("seed", 1), steps = command.optional("steps", 1)}
wse.no_more_arguments()
local result = command.run("P and Q", matvec.run, options)
local factors = result.product == "matrix-vector" and "%d x %d matrix times a vector"
                or "a vector times a %d x %d matrix"
print(string.format(factors .. " on 2^%d nodes as %s, %s order, on %s: %d cycles = %.4g ms, "
                    .. "%.4g Mflop/s%s", result.P, result.Q, result.d, result.nodes, result.order,
                    result.machine, result.cycles, result.milliseconds, result.mflops,
                    result.scaled and string.format(" (product scaled from %d of %d terms)",
                                                    result.steps_run, result.steps) or ""))
print(string.format("  broadcast: %d cycles, product: %d, reduction: %d, exchange of pieces: %d, "
                    .. "largest error: %g", result.broadcast_cycles, result.multiply_cycles,
                    result.reduce_cycles, result.exchange_cycles, result.max_abs_error))
wse.user(result)

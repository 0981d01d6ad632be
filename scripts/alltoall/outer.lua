-- Rank-1 updates and products of matrices by all-to-all broadcasts of both operands:
--   wsevm run scripts/alltoall/outer.lua product=matrix-matrix P=64 Q=64 S=64 d=4 --machine=cm200
-- README.md has the arguments. With require "alltoall.outer" it gives lib/outer.lua.
local outer = require "alltoall.lib.outer"
if ... then return outer end  -- a module gets its name

local command = require "alltoall.lib.command"
local wse = require "wse"

local options = {product = wse.argument("product", "rank-1"), P = wse.argument("P", 64), Q = wse.argument("Q", 64),
                 S = command.optional("S", 64), d = wse.argument("d", 4), nodes = wse.argument("nodes", "grid"),
                 layout = wse.argument("layout", "column"), order = wse.argument("order", "gray"),
                 seed = wse.argument("seed", 1)}
wse.no_more_arguments()
local result = command.run("P, Q and S", outer.run, options)
local what = result.product == "rank-1" and string.format("%d x %d matrix plus y x^T", result.P, result.Q)
             or string.format("%d x %d matrix times %d x %d", result.P, result.Q, result.Q, result.S)
print(string.format("%s on 2^%d nodes as %s, %s order, on %s: %d cycles = %.4g ms, %.4g Mflop/s", what, result.d,
                    result.nodes, result.order, result.machine, result.cycles, result.milliseconds, result.mflops))
print(string.format("  exchange of pieces: %d cycles, broadcasts: %d and %d, product: %d, largest error: %g",
                    result.exchange_cycles, result.x_cycles, result.y_cycles, result.multiply_cycles,
                    result.max_abs_error))
wse.user(result)

-- y = x W, an all-reduce along columns of PEs:
--   wsevm run scripts/gemm/gemv.lua P=16 M=64 N=64 levels=2
-- README.md has the arguments. With require "gemm.gemv" it gives run and layout.
local gemv = require "gemm.lib.gemv"
if ... then return gemv end  -- a module gets its name

local command = require "support.command"
local figures = require "support.figures"
local wse = require "wse"
local format = string.format

local result = command.call("M and N (or Mt and Nt)", gemv.run, command.options(gemv.examples))
print(format("%s, %d x %d PEs, x %d, W %d x %d, %s, code=%s, on %s", result.algorithm,
             result.columns, result.P, result.M, result.M, result.N, result.type, result.code,
             result.machine))
print(format("  %d levels, groups of %d; %.1f cycles, mean of the PEs %.1f, utilisation %s",
             result.levels, result.group, result.cycles, result.mean_cycles,
             figures.percent(result.utilisation)))
print(format("  %d hops, the longest way %d, %d colours, at most %d bytes in a PE", result.hops,
             result.max_hops, result.colours, result.memory_bytes_per_pe))
print(format("  off by at most %.3g, %.2g of the largest; %.2g of what rounding explains",
             result.max_abs_error, result.max_rel_error, result.bound_share))
wse.user(result)

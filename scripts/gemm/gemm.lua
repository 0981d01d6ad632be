-- C = A B on P x P PEs:
--   wsevm run scripts/gemm/gemm.lua algorithm=meshgemm P=8 M=64 K=64 N=64
-- README.md has the arguments. With require "gemm.gemm" it gives run and layout.
local machine_run = require "gemm.lib.machine_run"
if ... then return machine_run end  -- a module gets its name

local command = require "support.command"
local figures = require "support.figures"
local host = require "wse.host"
local memory_plan = require "gemm.lib.memory_plan"
local requests = require "gemm.lib.requests"
local wse = require "wse"

local options = command.options(requests.examples)
local result, _, request = command.call("M, K and N (or Mt, Kt and Nt)", machine_run.run, options)

print(string.format("%s, %d x %d PEs, A %d x %d, B %d x %d, %s, sums in %s, code=%s, on %s",
                    result.algorithm, result.P, result.P, result.M, result.K, result.K, result.N,
                    result.type, result.accumulate, result.code, result.machine))
print("memory of a PE: address, bytes")
print(memory_plan.lines(request.plan, host.machine(request.machine).memory_bytes))
print(string.format("  %.1f cycles, mean of the PEs %.1f; %.1f per step, utilisation %s",
                    result.cycles, result.mean_cycles, result.cycles_per_step,
                    figures.percent(result.utilisation)))
if result.move_share then
  local part = result.shares_P == result.P and ""
               or string.format(" (of %d x %d PEs)", result.shares_P, result.shares_P)
  print(string.format("  multiplication alone %s, moves alone %s%s",
                      figures.percent(result.multiply_share), figures.percent(result.move_share),
                      part))
end
print(string.format("  %d hops, the longest way %d, %d colours", result.hops, result.max_hops,
                    result.colours))
if result.compared then
  print(string.format("  %d elements compared: off by at most %.3g, %.2g of the largest; %.2g of "
                      .. "what rounding explains", result.compared, result.max_abs_error,
                      result.max_rel_error, result.bound_share))
end
wse.user(result)

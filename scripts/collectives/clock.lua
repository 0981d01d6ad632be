-- The clock method of Near-Optimal Wafer-Scale Reduce, 8.3: PEs whose cycle counters begin anywhere find a
-- common clock and a common start, run a collective, and tell how long it took, beside the global clock.
--   wsevm run scripts/collectives/clock.lua width=64 height=64 pattern=xy-chain B=16
-- README.md has the arguments. With require "collectives.clock" it gives lib/clock.lua.
local clock = require "collectives.study.clock"
if ... then return clock end  -- a module gets its name

local command = require "collectives.lib.command"
local optional = require("support.command").optional
local wse = require "wse"

local options = {
  width = wse.argument("width", 16), height = wse.argument("height", 1),
  B = wse.argument("B", 16), collective = wse.argument("collective", "reduce"),
  code = wse.argument("code", "paper"),
  alpha = optional("alpha", 1.0), skew = wse.argument("skew", 1), noops = optional("noops", 0.0),
  noop_seed = optional("noop_seed", 1)}
options.pattern = wse.argument("pattern", options.height > 1 and "xy-chain" or "chain")
local out = wse.argument("out", "")
wse.no_more_arguments()

local result, rows = command.run(clock.run, options)
print(("%s %s of %d words on %d x %d PEs, %s"):format(result.pattern, result.collective, result.B,
                                                     result.width, result.height, result.machine))
print(("  alpha = %.3f after %d runs: start skew %d, predicted %d"):format(
  result.alpha, result.calibrations, result.start_skew, result.predicted_skew))
print(("  corrected %d cycles, by the global clock %d; a PE is off by %d at most"):format(
  result.corrected_cycles, result.global_cycles, result.difference))
if out ~= "" then
  local list = {}
  for k, row in ipairs(rows) do
    list[k] = {x = row.x, y = row.y, start = row.start, ["end"] = row.end_,
               global_start = row.global_start, global_end = row.global_end}
  end
  wse.write_csv(out .. "/clock.csv", list, {"x", "y", "start", "end", "global_start", "global_end"})
end
wse.user(result)

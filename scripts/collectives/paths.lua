-- The terms of the paper's model beside those of the critical path of a run, on the profile model, on which only moving
-- words takes time: what a collective could wait for, and what its run did wait for.
--
--   wsevm run scripts/collectives/paths.lua P=64 B=16
local allreduce = require "collectives.allreduce"
local broadcast = require "collectives.broadcast"
local reduction = require "collectives.reduce"
local terms = require "collectives.lib.terms"
local wse = require "wse"
local P = wse.argument("P", 64, 2, 512)
local B = wse.argument("B", 16, 1, 4096)
wse.no_more_arguments()

local kCollectives <const> = {
  {"message", broadcast, "message"}, {"broadcast", broadcast, "flood"}, {"reduce, star", reduction, "star"},
  {"reduce, chain", reduction, "chain"}, {"reduce, tree", reduction, "tree"},
  {"reduce, two-phase", reduction, "two-phase"}, {"all-reduce, chain", allreduce, "chain"},
}
local kDepth <const> = 2 * terms.ramp_latency_of_model() + 1  -- cycles of a PE on the way

local rows = {}
for k, collective in ipairs(kCollectives) do
  local name, operation, pattern = table.unpack(collective)
  local options = {pattern = pattern, P = P, B = B, machine = "model"}
  local result = operation.run(options)
  local text = operation.layout(options):text()
  local path = wse.run{text = text, machine = "model", path = "end"}:path()
  if path.cycles ~= result.cycles then
    error(string.format("%s takes %d cycles, its path %d", name, result.cycles, path.cycles))
  end
  local model, found = result.terms, path.terms
  rows[k] = {collective = name, cycles = result.cycles, ["Eq. 1"] = math.ceil(result.model_cycles), C = model.C,
             contention = found.contention, L = model.L, distance = found.distance, D = model.D,
             ["depth / " .. kDepth] = found.depth / kDepth, E = model.E, N = model.N}
end
print(string.format("%d words on a row of %d PEs, model; cycles are contention + distance + depth", B, P))
print(wse.table(rows, {"collective", "cycles", "Eq. 1", "C", "contention", "L", "distance", "D", "depth / " .. kDepth, "E", "N"}))

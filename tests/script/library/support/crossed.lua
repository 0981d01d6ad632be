-- Checked runs of the X-Y AllReduce: for the tests collectives_allreduce*.lua.
local allreduce = require "collectives.allreduce"
local collectives = require "support.collectives"
local model = require "collectives.model"

local crossed = {
  patterns = {"xy-star", "xy-chain", "xy-tree", "xy-two-phase", "xy-auto-gen"},
  sizes = {{1, 7}, {7, 1}, {5, 3}, {16, 16}, {33, 20}},
}

-- The result must be right in every PE, each of which says when it has it, with at most five
-- colours: a tree has one for each level.
function crossed.check(options)
  options.via = "reduce-broadcast"
  local marks
  local function run(given)
    local result, record = allreduce.run(given)
    marks = record.marks
    return result
  end
  local result = collectives.check(run, options)
  local PEs = options.width * options.height
  collectives.within(options, "marks begin", marks.begin.count, PEs, PEs)
  collectives.within(options, "marks end", marks["end"].count, PEs, PEs)
  if options.pattern ~= "xy-tree" then
    collectives.within(options, "colours", result.colours, 0, 5)
  end
  return result
end

-- The cycles of an AllReduce on a row of the profile `model`, its reduce and its flood.
function crossed.law(pattern, P, B)
  if P == 1 then return 0 end
  return model.exact[pattern](P, B) + model.exact.broadcast(P, B)
end

-- Of a star the sum of its laws is taken instead: Eq. 1 does not know what passes a PE.
function crossed.near_equation(pattern, width, height, B)
  local options = {pattern = pattern, width = width, height = height, B = B, machine = "model"}
  local result = crossed.check(options)
  local expected = result.model_cycles
  if pattern == "xy-star" then
    expected = crossed.law("star", width, B) + crossed.law("star", height, B)
  end
  collectives.within(options, "cycles / Eq. 1", result.cycles / expected, 0.8, 1.2)
  return result.cycles / expected
end

return crossed

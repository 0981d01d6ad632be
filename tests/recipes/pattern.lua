-- The pattern that scripts/collectives/README.md adds, on rows and grids, with every code. `layout`,
-- `run` and `model` find it by its name alone.
local allreduce = require "collectives.allreduce"
local model = require "collectives.model"
local planner = require "collectives.planner"
local reduction = require "collectives.reduce"

local function run(options)
  local result = reduction.run(options)
  assert(result.max_abs_error == 0, "wrong sums")
  return result
end

for _, P in ipairs{2, 3, 8, 13, 64} do
  for _, B in ipairs{1, 7, 64} do
    local result = run{pattern = "pairs", P = P, B = B, machine = "model", code = "best"}
    assert(result.cycles == model.exact.pairs(P, B), "not the cycles of the law")
    assert(result.model_cycles == model.reduce("pairs", P, B, {machine = "model"}).cycles)
    run{pattern = "pairs", P = P, B = B, code = "paper"}
  end
end
for _, code in ipairs{"best", "paper"} do
  run{pattern = "xy-pairs", width = 6, height = 5, B = 9, code = code}
end
assert(allreduce.run{pattern = "pairs", P = 9, B = 5}.max_abs_error == 0)
assert(#planner.shapes.pairs(6)[0] == 2)
assert(not pcall(reduction.run, {pattern = "trios", P = 4}), "a pattern without a file")

-- Reduce: a sample of sizes leaves the exact sum everywhere, the laws of the profile `model` hold
-- to the cycle, the published cycles of the vendor's simulator within 2 % or 2 cycles.
local collectives = require "support.collectives"
local model = require "collectives.model"
local reduction = require "collectives.reduce"
local check = collectives.check

-- Sizes, roots, operations and codes; few runs of each.
for k, pattern in ipairs(collectives.row_patterns) do
  for j, P in ipairs{1, 2, 3, 5, 17, 100} do
    local turn = k + j
    local options = {
      pattern = pattern, P = P, B = ({1, 2, 7, 64})[turn % 4 + 1],
      machine = collectives.profiles[turn % 3 + 1], type = collectives.types[(turn + k) % 3 + 1],
      op = collectives.operations[turn // 2 % 3 + 1], code = ({"best", "measured", "paper"})[(j + k) % 3 + 1],
      root = ({"first", "middle", "last"})[j % 3 + 1]}
    local result = check(reduction.run, options)
    if pattern ~= "tree" then collectives.within(options, "colours", result.colours, 0, 3) end
  end
end
for k, pattern in ipairs(collectives.grid_patterns) do
  for j, size in ipairs{{1, 7}, {7, 1}, {5, 3}, {16, 16}} do
    local options = {
      pattern = pattern, width = size[1], height = size[2], B = j % 2 == 0 and 1 or 7,
      machine = collectives.profiles[(k + j) % 3 + 1], code = ({"best", "measured", "paper"})[(k + j) % 3 + 1],
      root = pattern == "snake" and "0,0" or ({"0,0", "middle", "last"})[j % 3 + 1]}
    local result = check(reduction.run, options)
    if pattern ~= "xy-tree" then collectives.within(options, "colours", result.colours, 0, 5) end
  end
end

-- More levels than a PE of WSE-3 has input queues: they come again, with switches.
check(reduction.run, {pattern = "tree", P = 300, B = 3, machine = "wse3"})
check(reduction.run, {pattern = "xy-tree", width = 40, height = 40, B = 3, machine = "wse3"})

-- There PEs are missing such that the own level has the colour of the last message that comes.
for _, B in ipairs{3, 40} do
  check(reduction.run, {pattern = "tree", P = 258, B = B, machine = "wse3"})
  check(reduction.run, {pattern = "xy-tree", width = 3, height = 18, B = B, machine = "wse3"})
end

-- The laws of machines without costs.
local function exact(pattern, P, B, S)
  local law = S and model.exact.two_phase(P, B, S) or model.exact[pattern](P, B)
  local options = {pattern = pattern, P = P, B = B, S = S, machine = "model"}
  collectives.within(options, "cycles", check(reduction.run, options).cycles, law, law)
end
for _, B in ipairs{1, 7, 64, 300} do
  for _, P in ipairs{2, 3, 17, 64} do
    exact("star", P, B)
    exact("chain", P, B)
  end
  for _, P in ipairs{2, 4, 64, 256} do exact("tree", P, B) end
  for _, size in ipairs{{4, 2}, {6, 3}, {64, 8}, {100, 4}, {100, 50}} do
    exact("two-phase", size[1], B, size[2])
  end
end

-- A grid takes its row and then its column.
for _, pattern in ipairs{"chain", "star", "tree"} do
  for _, B in ipairs{1, 7, 40} do
    local options = {pattern = "xy-" .. pattern, width = 16, height = 8, B = B, machine = "model"}
    local law = model.exact[pattern](16, B) + model.exact[pattern](8, B)
    collectives.within(options, "cycles", check(reduction.run, options).cycles, law, law)
  end
end

-- Eq. 1 of the paper, on the same machine.
local function near_equation(options)
  local result = check(reduction.run, options)
  collectives.within(options, "cycles / Eq. 1", result.cycles / result.model_cycles, 0.8, 1.2)
end
for _, P in ipairs{17, 100, 512} do
  for _, B in ipairs{1, 64, 256} do
    near_equation{pattern = "auto-gen", P = P, B = B, machine = "model"}
  end
end
for _, pattern in ipairs(collectives.grid_patterns) do
  for _, B in ipairs{2, 16} do
    near_equation{pattern = pattern, width = 16, height = 9, B = B, machine = "model"}
  end
end

-- Where the paper's lemmas apply, Eq. 1 of what is built is what they say.
for _, pattern in ipairs(collectives.row_patterns) do
  for _, B in ipairs{1, 20, 100} do
    local built = check(reduction.run, {pattern = pattern, P = 64, B = B}).model_cycles
    assert(math.abs(built - model.reduce(pattern, 64, B).cycles) < 1e-6, pattern)
    local of_grid = {pattern = "xy-" .. pattern, width = 16, height = 4, B = B}
    built = check(reduction.run, of_grid).model_cycles
    local lemma = model.reduce_2d("xy-" .. pattern, 16, 4, B).cycles
    assert(built <= lemma + 1e-6 and built > 0.7 * lemma, pattern)
  end
end

-- Measured on the vendor's simulator, with about 29 cycles of two time stamps in each: the chain,
-- the two-phase and the tree reduce of the authors of Near-Optimal Wafer-Scale Reduce (f32).
local published = {
  {"chain", 4, 16, 95}, {"chain", 512, 1, 3128}, {"chain", 512, 256, 3383},
  {"chain", 512, 4096, 7223},
  {"two-phase", 512, 1, 819, 32}, {"two-phase", 512, 256, 1329, 32},
  {"two-phase", 512, 8192, 17201, 32},
  {"tree", 512, 1, 742}, {"tree", 512, 64, 1155}, {"tree", 512, 512, 4977},
  {"tree", 512, 8192, 74097},
}
for _, row in ipairs(published) do
  local options = {pattern = row[1], P = row[2], B = row[3], S = row[5], machine = "wse2"}
  options.code = "measured"
  local measured = check(reduction.run, options).cycles
  local slack = math.max(0.02 * row[4], 2)
  collectives.within(options, "cycles", measured + 29, row[4] - slack, row[4] + slack)
  options.code = "best"
  collectives.within(options, "cycles", check(reduction.run, options).cycles, 1, measured)
end
print(collectives.runs .. " reduces")

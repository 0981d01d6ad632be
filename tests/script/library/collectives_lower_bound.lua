-- Lower bounds: the closed form is the recursion, no pattern of the model is below them but the
-- refined star, and where that is so is known.
local model = require "collectives.model"
local planner = require "collectives.planner"

local function same(value, expected) assert(math.abs(value - expected) <= 1e-9 * expected) end

-- Lemma 5.5 as a table: hops of one word over n PEs in a depth of at most D.
local kMost <const> = 60
local hops = {[0] = {0}}
for n = 2, kMost do hops[0][n] = math.huge end
for D = 1, kMost do
  hops[D] = {0}
  for n = 2, kMost do
    local least = math.huge
    for i = 1, n - 1 do
      least = math.min(least, hops[D][i] + hops[D - 1][n - i] + math.min(i, n - i + 1))
    end
    hops[D][n] = least
  end
end
for D = 0, kMost do
  for P = 1, kMost do assert(model.lower_bound.hops(P, D) == hops[D][P]) end
end

-- The least over all depths.
for _, P in ipairs{2, 3, 8, 33, 60} do
  for _, B in ipairs{1, 2, 16, 100, 300, 301, 8192} do
    local least = math.huge
    for D = 1, P - 1 do
      least = math.min(least, B * hops[D][P] / (P - 1) + P - 1 + 5 * D)
    end
    same(model.lower_bound.row(P, B).cycles, least)
  end
end
assert(model.lower_bound.row(1, 5).cycles == 0)

-- Rows. The refined star adds no E/N beside L: it is below the bound iff B (P-2)^2 < (P-1)^2.
local exceptions = 0
local function check_row(P, B)
  local bound = model.lower_bound.row(P, B).cycles * (1 - 1e-12)
  for _, pattern in ipairs{"chain", "tree", "two-phase", "auto-gen"} do
    assert(model.reduce(pattern, P, B).cycles >= bound)
  end
  local star = model.row.star(P, B)
  assert(star.upper_bound >= bound)
  assert((star.cycles < bound) == (B * (P - 2) ^ 2 < (P - 1) ^ 2))
  if star.cycles < bound then exceptions = exceptions + 1 end
end
for P = 2, 64 do
  for B = 1, 40 do check_row(P, B) end
end
for k = 1, 9 do
  for j = 0, 13 do check_row(1 << k, 1 << j) end
end
print(exceptions .. " sizes with the refined star below the bound: B = 1, 2 PEs, and few more")
same(model.lower_bound.row(512, 1).cycles - model.row.star(512, 1).cycles, 2 - 1 / 511)

-- On `model` trees overlap what Eq. 1 adds up: the planner's are below the bound where neither
-- star nor chain is best.
local lowest, where = 1, nil
for j = 0, 13 do
  local B = 1 << j
  local cycles = planner.plan(512, B, {planner = "profile", machine = "model"}).cost
  local ratio = cycles / model.lower_bound.row(512, B).cycles
  if ratio < lowest then lowest, where = ratio, B end
end
print(("512 PEs on the profile model: %.3f of the bound at B = %d"):format(lowest, where))
assert(lowest > 0.93 and lowest < 0.95 and where == 2048)

-- Grids.
for _, size in ipairs{{2, 2}, {3, 2}, {4, 4}, {7, 5}, {16, 16}, {64, 32}, {512, 512}, {9, 1}} do
  for j = 0, 13 do
    local width, height, B = size[1], size[2], 1 << j
    local bound = model.lower_bound.grid(width, height, B)
    same(bound.printed, math.max(B, B / 8 + width + height - 1) + 5)
    assert(bound.terms.N < 4 * width * height and bound.terms.L == width + height - 2)
    for _, pattern in ipairs(model.patterns_2d) do
      local below = model.reduce_2d(pattern, width, height, B).cycles < bound.cycles
      assert(below == (pattern == "xy-star" and height == 1 and B == 1), pattern)
    end
  end
end
same(model.lower_bound.grid(512, 512, 1).cycles, 262143 / (4 * 512 * 511) + 1022 + 5)

-- Roots between two sides: at an end it is the bound of that end; with one word no reduce that is built
-- is below it but the star, whose cycles leave E/N out; and the sides are alike.
local reduction = require "collectives.reduce"
local bound = model.lower_bound
for _, P in ipairs{2, 3, 9, 64} do
  for _, B in ipairs{1, 7, 100, 4096} do
    same(bound.row_to(P, B, 0).cycles, bound.row(P, B).cycles)
    same(bound.row_to(P, B, P - 1).cycles, bound.row(P, B).cycles)
    for root = 1, P - 2 do
      same(bound.row_to(P, B, root).cycles, bound.row_to(P, B, P - 1 - root).cycles)
      assert(bound.row_to(P, B, root).terms.L == math.max(root, P - 1 - root))
    end
    assert(bound.allreduce_row(P, B).cycles >= bound.row(P, B).cycles)
    assert(bound.allreduce_row(P, B).cycles >= model.row.broadcast(P, B).cycles)
    for _, pattern in ipairs{"star", "chain", "tree", "two-phase", "auto-gen", "ring"} do
      local cycles = model.allreduce(pattern, P, B).cycles
      assert(cycles >= bound.allreduce_row(P, B).cycles - 1e-9, pattern)
    end
  end
end
assert(bound.row_to(1, 5, 0).cycles == 0 and bound.allreduce_row(1, 5).cycles == 0)
for _, pattern in ipairs{"chain", "tree", "two-phase", "auto-gen"} do
  for _, root in ipairs{1, 8, 12} do
    for _, B in ipairs{1, 16, 200} do
      local result = reduction.run{pattern = pattern, P = 17, B = B, root = root}
      local star = result.terms.D == 1  -- a generated one, which leaves E/N out, too
      assert(star or result.model_cycles >= result.lower_bound_cycles - 1e-9, pattern)
      same(result.lower_bound_cycles, bound.row_to(17, B, root).cycles)
    end
  end
end
-- Between two sides of a row the root receives from both.
assert(bound.row_to(17, 4096, 8).cycles >= 2 * 4096 and bound.row(17, 4096).cycles < 2 * 4096)
-- Grids: the distance is that to the farthest corner.
for _, place in ipairs{{0, 0, 13}, {8, 5, 13}, {4, 2, 7}, {0, 5, 13}, {4, 0, 9}} do
  assert(bound.grid(9, 6, 1, {}, place[1], place[2]).terms.L == place[3])
end
assert(bound.allreduce_grid(9, 6, 40).cycles >= bound.grid(9, 6, 40).cycles)
assert(bound.allreduce_grid(1, 1, 40).cycles == 0)

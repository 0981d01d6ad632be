-- The performance model against what the paper prints, and against programs on the machine.
local wse = require "wse"
local model = require "collectives.model"

local function same(value, expected)
  assert(math.abs(value - expected) <= 1e-9 * math.abs(expected),
         ("%s, not %s"):format(value, expected))
end
local function each_size(f)
  for k = 1, 9 do
    for j = 0, 13 do f(1 << k, 1 << j) end
  end
end

-- T_R is the profile's, or is given.
same(model.row.message(128, 1).cycles, 133)
same(model.row.message(128, 1, {ramp_latency_cycles = 7}).cycles, 143)

-- The closed forms of the lemmas, with T_R = 2.
local function check_lemmas(P, B)
  same(model.row.broadcast(P, B).cycles, B + P + 4)
  local star = model.row.star(P, B)
  same(star.cycles, B * (P - 1) + 5)
  same(star.upper_bound, math.max(B * (P - 1), P / 2 * B + P - 1) + 5)
  same(model.row.chain(P, B).cycles, B + 6 * (P - 1))
  local rounds = math.log(P, 2)
  same(model.row.tree(P, B).cycles,
       math.max(B * rounds, B * P / (2 * (P - 1)) * rounds + P - 1) + 5 * rounds)
  if B % P == 0 then
    same(model.allreduce("ring", P, B).cycles,
         2 * (P - 1) * B / P + 4 * P - 6 + 2 * (P - 1) * 5)
  end
  for _, pattern in ipairs(model.patterns) do
    same(model.allreduce(pattern, P, B).cycles, model.reduce(pattern, P, B).cycles + B + P + 4)
    if pattern ~= "star" then
      local estimate = model.reduce(pattern, P, B)
      same(model.terms.equation_1(estimate.terms), estimate.cycles)
    end
  end
end
each_size(check_lemmas)

-- Lemma 5.4 for P = S^2: its own terms, and no more than a link or two away from Eq. 1.
for S = 2, 22 do
  local P = S * S
  local terms = model.row.two_phase(P, 100).terms
  assert(terms.D == 2 * S - 2 and terms.C == 200 and terms.E == 2 * 100 * (P - S))
  local printed = model.row.two_phase_lemma(P, 100)
  same(printed, math.max(200, 200 - 200 / S + P) + (2 * S - 2) * 5)
  assert(math.abs(model.row.two_phase(P, 100).cycles - printed) < 0.05 * printed)
end
-- Groups from the far end: 10 PEs in groups of 4 are {0, 1}, {2..5}, {6..9}; PE 6 sends over 4
-- links, PE 2 over 2. In groups of 9, PE 1 sends to PE 0, which has no group of its own.
local t = model.row.two_phase(10, 1, {group = 4}).terms
assert(t.E == 7 + 6 and t.D == 3 + 2 and t.C == 2)
t = model.row.two_phase(10, 1, {group = 9}).terms
assert(t.E == 8 + 1 and t.D == 8 + 1 and t.C == 1)
same(model.row.two_phase(10, 7, {group = 10}).cycles, model.row.chain(10, 7).cycles)
same(model.row.two_phase(10, 7, {group = 1}).cycles, model.row.chain(10, 7).cycles)
assert(model.row.group_size(512) == 22 and model.row.group_size(484) == 22)
-- The distance that it hides: 587 cycles less than were measured.
same(model.row.two_phase(512, 8192, {group = 32}).cycles, 17201 - 587)

-- The tree for any number of PEs: hops by counting, PE by PE.
for P = 2, 70 do
  local hops = 0
  for pe = 1, P - 1 do hops = hops + (pe & -pe) end
  local terms = model.row.tree(P, 3).terms
  assert(terms.E == 3 * hops and 1 << terms.C // 3 >= P and 1 << (terms.C // 3 - 1) < P)
  assert(1 << terms.D <= P and 1 << (terms.D + 1) > P)
end

-- Figures and words of sections 5 to 8. Worst ratios to the lower bound, in one decimal place.
local function worst_ratio(pattern)
  local worst = 0
  each_size(function(P, B)
    local ratio = model.reduce(pattern, P, B).cycles / model.lower_bound.row(P, B).cycles
    worst = math.max(worst, ratio)
  end)
  return worst
end
local function one_decimal(x) return math.floor(10 * x + 0.5) / 10 end
same(one_decimal(worst_ratio "auto-gen"), 1.4)
same(one_decimal(worst_ratio "chain"), 5.9)
assert(worst_ratio "two-phase" > 2.1 and worst_ratio "two-phase" <= 2.4)
assert(worst_ratio "star" > 5.9 and worst_ratio "tree" > 5.9)

local function best_of(patterns, estimate)
  local best, least
  for _, pattern in ipairs(patterns) do
    local cycles = estimate(pattern)
    if not least or cycles < least then best, least = pattern, cycles end
  end
  return best, least
end
local fixed = {"star", "chain", "tree", "two-phase"}
local function best_reduce(P, B)
  return best_of(fixed, function(pattern) return model.reduce(pattern, P, B).cycles end)
end
assert(best_reduce(512, 1) == "star" and best_reduce(512, 8) == "tree")
assert(best_reduce(512, 512) == "two-phase" and best_reduce(512, 8192) == "chain")
each_size(function(P, B)  -- Auto-Gen is never behind; but for the refined star
  local generated = model.reduce("auto-gen", P, B).cycles
  for _, pattern in ipairs{"chain", "tree", "two-phase"} do
    assert(generated <= model.reduce(pattern, P, B).cycles * (1 + 1e-12))
  end
  assert(generated <= model.row.star(P, B).upper_bound * (1 + 1e-12))
end)

-- 8.6: 4 PEs and 1 KB like the ring, more than 8 do not; a row of 512 never does.
local function best_allreduce(P, B)
  return best_of({"star", "chain", "tree", "two-phase", "ring"},
                 function(pattern) return model.allreduce(pattern, P, B).cycles end)
end
assert(best_allreduce(4, 256) == "ring")
for k = 4, 9 do assert(best_allreduce(1 << k, 256) ~= "ring") end
for j = 0, 13 do assert(best_allreduce(512, 1 << j) ~= "ring") end
assert(best_allreduce(4, 8192) == "ring")  -- Figure 8: contention decides
same(model.allreduce("ring", 4, 256).cycles, 2 * 3 * 64 + 10 + 30)

-- Section 7. A square: 2 sqrt(P) + 2 T_R - 1 + B. The snake of the whole wafer: depth 262143.
same(model.grid.broadcast(512, 512, 256).cycles, 2 * 512 + 3 + 256)
local snake = model.reduce_2d("snake", 512, 512, 1)
assert(snake.terms.D == 262143 and snake.terms.D > 200000)
same(snake.cycles, 1 + 6 * 262143)
same(model.reduce_2d("xy-chain", 512, 512, 256).cycles, 2 * (256 + 6 * 511))
same(model.allreduce_2d("xy-chain", 512, 512, 256).cycles, 2 * (256 + 6 * 511) + 1283)
same(model.xy_allreduce("chain", 8, 4, 16).cycles, 16 + 42 + 16 + 12 + 16 + 18 + 16 + 8)
-- 8.7: 1 KB on growing grids: snake, then X-Y Chain, then X-Y Two-Phase.
local function best_2d(side)
  return best_of({"xy-star", "xy-chain", "xy-tree", "xy-two-phase", "snake"},
                 function(p) return model.reduce_2d(p, side, side, 256).cycles end)
end
assert(best_2d(4) == "snake" and best_2d(16) == "xy-chain" and best_2d(512) == "xy-two-phase")
for k = 3, 9 do
  local _, least = best_2d(1 << k)
  assert(model.reduce_2d("xy-auto-gen", 1 << k, 1 << k, 256).cycles <= least)
end

-- A row of one PE costs nothing; what is no size is refused.
for _, pattern in ipairs(model.patterns) do
  assert(model.reduce(pattern, 1, 9).cycles == 0)
  same(model.reduce_2d("xy-" .. pattern, 5, 1, 9).cycles, model.reduce(pattern, 5, 9).cycles)
end
assert(model.allreduce("ring", 1, 9).cycles == 0)
assert(not pcall(model.reduce, "chain", 0, 1) and not pcall(model.reduce, "chain", 2, 1.5))
assert(not pcall(model.reduce, "chains", 2, 1) and not pcall(model.reduce_2d, "chain", 2, 2, 1))

-- The terms are what a machine counts: E hops, C wavelets into a PE, N links.
local function check_terms(program, values, estimate)
  local record = wse.run{file = "programs/" .. program .. "/" .. program .. ".wsa",
                         values = values, machine = "model"}
  local fabric, terms = record.fabric, estimate.terms
  assert(fabric.hops == terms.E and fabric.max_ramp_wavelets == terms.C, program)
  assert(fabric.links_used == terms.N, program)
  return record.cycles
end
for _, size in ipairs{{4, 1}, {16, 16}, {64, 5}, {8, 300}} do
  local P, B = size[1], size[2]
  local sizes = {P = P, B = B}
  same(check_terms("message", sizes, model.row.message(P, B)), model.exact.message(P, B))
  same(check_terms("broadcast", sizes, model.row.broadcast(P, B)), model.exact.broadcast(P, B))
  same(check_terms("reduce-chain", sizes, model.row.chain(P, B)), model.exact.chain(P, B))
  same(check_terms("reduce-star", sizes, model.row.star(P, B)), model.exact.star(P, B))
  same(check_terms("reduce-tree", sizes, model.row.tree(P, B)), model.exact.tree(P, B))
  for S = 2, P // 2, P // 2 - 1 do
    if P % S == 0 then
      same(check_terms("reduce-two-phase", {P = P, B = B, S = S},
                       model.row.two_phase(P, B, {group = S})), model.exact.two_phase(P, B, S))
    end
  end
  same(check_terms("broadcast-2d", {W = P, H = 3, B = B}, model.grid.broadcast(P, 3, B)),
       model.exact.broadcast_2d(P, 3, B))
end
assert(not pcall(model.exact.tree, 6, 1) and not pcall(model.exact.two_phase, 8, 1, 3))

-- Eq. 1 is no cycle count: from 0.79 (a tree of 8 PEs) to 1.125 of it (a star of 4 with one word).
local function range(exact, estimate)
  local low, high = math.huge, 0
  each_size(function(P, B)
    if P < 4 then return end
    local ratio = exact(P, B) / estimate(P, B).cycles
    low, high = math.min(low, ratio), math.max(high, ratio)
  end)
  assert(low > 0.79 and high < 1.13, low .. " " .. high)
end
range(model.exact.tree, model.row.tree)
range(model.exact.star, model.row.star)
local function group(P) return 1 << math.floor(math.log(P, 2) / 2) end
range(function(P, B) return model.exact.two_phase(P, B, group(P)) end,
      function(P, B) return model.row.two_phase(P, B, {group = group(P)}) end)
each_size(function(P, B) assert(model.exact.chain(P, B) == model.row.chain(P, B).cycles) end)

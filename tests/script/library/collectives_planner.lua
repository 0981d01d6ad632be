-- The planner against brute force: the paper's recursion as a table over (PEs, depth, messages),
-- and every tree in pre-order where there are few.
local machines = require "support.machines"
local model = require "collectives.model"
local planner = require "collectives.planner"
local paper = require "collectives.planner.paper"
local reduce = require "collectives.reduce"

local kMost <const> = 40
local kRamps <const> = 5  -- 2 T_R + 1 on wse2

-- energy[D][C][n] by the recursion with its base cases.
local function energies()
  local energy = {}
  for D = 0, kMost - 1 do
    energy[D] = {}
    for C = 0, kMost - 1 do
      local row = {0}
      for n = 2, kMost do
        row[n] = math.huge
        if D > 0 and C > 0 then
          for i = 1, n - 1 do
            row[n] = math.min(row[n], energy[D][C - 1][i] + energy[D - 1][C][n - i] + i)
          end
        end
      end
      energy[D][C] = row
    end
  end
  return energy
end

local function binomial(n, k)
  local value = 1
  for i = 1, k do value = value * (n - k + i) // i end
  return value
end

local energy = energies()

-- The closed form: which trees exist, and their energies.
for D = 1, 12 do
  for C = 1, 12 do
    for n = 2, kMost do
      assert((energy[D][C][n] < math.huge) == (binomial(D + C, C) >= n))
    end
  end
end
for P = 2, kMost do
  for D = 1, P - 1 do
    local messages, hops = paper.at_depth(P, D)
    assert(hops == energy[D][messages][P] and hops == energy[D][kMost - 1][P])
    assert(energy[D][messages - 1][P] == math.huge)
    for share = 0, 1, 0.25 do
      local depth, most, own = planner.measure(paper.children(P, D, share))
      assert(own == hops and depth <= D and most <= messages)
    end
  end
end

local function brute_force(P, B)
  local least = math.huge
  for D = 1, P - 1 do
    for C = 1, P - 1 do
      local time = B * energy[D][C][P] / (P - 1) + P - 1
      least = math.min(least, math.max(B * C, time) + kRamps * D)
    end
  end
  return least
end

-- Every subtree is a run of PEs behind its root, and every PE is in the tree once.
local function check_tree(plan)
  local function last_of(pe)
    local last = pe
    for _, child in ipairs(plan.children[pe]) do
      assert(child == last + 1 and plan.parent[child] == pe)
      last = last_of(child)
    end
    return last
  end
  assert(last_of(0) == plan.P - 1 and plan.parent[0] == nil)
end

for P = 2, kMost do
  for _, B in ipairs{1, 2, 3, 4, 5, 7, 8, 13, 16, 27, 32, 50, 64, 100, 128, 256, 300, 512, 1000,
                     2048, 8192} do
    local plan = planner.plan(P, B)
    check_tree(plan)
    assert(math.abs(plan.cost - brute_force(P, B)) < 1e-6 * plan.cost)
    local terms = {E = plan.energy, L = P - 1, D = plan.depth, C = B * plan.messages, N = P - 1}
    assert(model.terms.equation_1(terms) == plan.cost)
    assert(model.reduce("auto-gen", P, B).cycles == plan.cost)
  end
end

-- A limit of messages for each PE would allow {1, 4}, {2, 3}, {5, 6} at depth 2: 7.6 % less.
local perfect = {[0] = {1, 4}, {2, 3}, {}, {}, {5, 6}, {}, {}}
local depth, messages, hops = planner.measure(perfect)
assert(depth == 2 and messages == 2 and hops == 11)
local less = model.terms.equation_1{E = 8 * hops, L = 6, D = depth, C = 8 * messages, N = 6}
assert(planner.plan(7, 8).cost == 33 and math.abs(33 / less - 1.076) < 1e-3)

-- All trees over PEs root..root+n-1, as lists of {pe = children}.
local function all_trees(root, n)
  if n == 1 then return {{[root] = {}}} end
  local trees = {}
  for i = 1, n - 1 do  -- the last message comes from PE root + i
    for _, left in ipairs(all_trees(root, i)) do
      for _, right in ipairs(all_trees(root + i, n - i)) do
        local tree = {}
        for pe, list in pairs(left) do tree[pe] = list end
        for pe, list in pairs(right) do tree[pe] = list end
        tree[root] = {table.unpack(left[root])}
        table.insert(tree[root], root + i)
        trees[#trees + 1] = tree
      end
    end
  end
  return trees
end

for P = 2, 8 do
  local trees = all_trees(0, P)
  for _, machine in ipairs{"model", "wse2", machines.wse2_before, machines.odd} do
    for _, code in ipairs{"measured", "paper", "best"} do
      local costs = planner.costs{machine = machine, code = code}
      for _, B in ipairs{1, 2, 5, 8, 30, 100} do
        local least = math.huge
        for _, tree in ipairs(trees) do least = math.min(least, planner.cycles(tree, B, costs)) end
        local plan = planner.plan(P, B, {planner = "profile", machine = machine, code = code})
        check_tree(plan)
        assert(plan.cost == least)
      end
    end
  end
end
assert(#all_trees(0, 8) == 429)

-- Ties go to the first part, as in the authors' search: 676 cycles, not 686, where nothing overlaps.
for _, of in ipairs{{"wse2", 598}, {machines.wse2_before, 676}} do
  local options = {pattern = "auto-gen", P = 512, B = 1, code = "paper", machine = of[1]}
  assert(reduce.run(options).cycles == of[2])
end

-- A whole sweep of a row of 512 PEs; the profile's tree is never slower than the paper's there.
local begin = os.clock()
for k = 0, 13 do
  local B = 1 << k
  local costs = planner.costs{machine = "wse2", code = "measured"}
  local by_paper = planner.plan(512, B)
  local by_profile = planner.plan(512, B, {planner = "profile", machine = "wse2", code = "measured"})
  check_tree(by_paper)
  check_tree(by_profile)
  assert(by_profile.cost <= planner.cycles(by_paper.children, B, costs))
end
local seconds = os.clock() - begin
assert(seconds < 10, seconds)  -- 0.2 on a quiet host; the sanitizers are slow

for _, wrong in ipairs{{1, 5}, {2, 0}, {2.5, 1}, {4, 4, {planner = "guess"}},
                       {4, 4, {planner = "profile", code = "fast"}}} do
  assert(not pcall(planner.plan, table.unpack(wrong)))
end

-- Plans of few colours, against all trees, and of rectangles, against rows and columns.
local planner = require "collectives.planner"
local plans = require "collectives.calls.tree"

-- Calls visit(parents) for all trees of P PEs in pre-order.
local function each_tree(P, visit)
  local parents = {}
  local function add(v, path)
    if v == P then return visit(parents) end
    for length = #path, 1, -1 do
      local own = table.move(path, 1, length, 1, {})
      parents[v], own[length + 1] = path[length], v
      add(v + 1, own)
    end
  end
  add(1, {0})
end

local function children_of(P, parents)
  local children = {}
  for v = 0, P - 1 do children[v] = {} end
  for v = 1, P - 1 do table.insert(children[parents[v]], v) end
  return children
end

-- The most messages that meet at a router, both ends included.
local function most_meeting(P, parents)
  local most = 0
  for at = 0, P - 1 do
    local count = 0
    for v = 1, P - 1 do
      if parents[v] <= at and at <= v then count = count + 1 end
    end
    most = math.max(most, count)
  end
  return most
end

for _, machine in ipairs{"model", "wse2", "wse3"} do
  local costs = planner.costs_apart{machine = machine}
  for _, P in ipairs{2, 5, 7} do
    for _, B in ipairs{1, 6, 40} do
      local least = {}
      each_tree(P, function(parents)
        local meeting, cycles = most_meeting(P, parents), planner.cycles(children_of(P, parents), B, costs)
        for most = meeting, P do least[most] = math.min(least[most] or math.huge, cycles) end
      end)
      for most = 1, P do
        local children = planner.bounded(P, B, costs, most)
        assert((children == nil) == (least[most] == nil), "there is one or none")
        if children then
          assert(most_meeting(P, planner.parents(children)) <= most)
          assert(planner.cycles(children, B, costs) == least[most], machine .. ": no tree is better")
        end
      end
    end
  end
end

-- With as many as one likes it is the plan of profile.lua.
local costs = planner.costs_apart{machine = "wse2"}
for _, B in ipairs{1, 16, 64} do
  local free = planner.plan(33, B, {planner = "profile", costs = costs}).cost
  assert(planner.cycles(planner.bounded(33, B, costs, 33), B, costs) == free)
  local parents = planner.parents(planner.bounded(33, B, costs, 4))
  local plan = plans.make(33, 0, "", function() return {size = 33, parent = parents} end)
  assert(plan.colours <= 6)
end

-- No tree of nested cuts of a rectangle is better than the best one of rows and then a column; all its messages are
-- straight, and PEs send once.
for _, machine in ipairs{"model", "wse2"} do
  local of = planner.costs_apart{machine = machine}
  for _, size in ipairs{{1, 7}, {6, 6}, {16, 5}, {24, 24}} do
    for _, B in ipairs{1, 16, 100} do
      local W, H = size[1], size[2]
      local children = planner.grid(W, H, B, of)
      local function line(P) return P == 1 and {[0] = {}} or planner.plan(P, B, {planner = "profile", costs = of}).children end
      local xy = planner.shapes.xy(line(W), line(H))
      assert(planner.cycles(children, B, of, W) == planner.cycles(xy, B, of, W))
      local parents = planner.parents(children)
      for pe = 1, W * H - 1 do
        local to = parents[pe]
        assert(to % W == pe % W or to // W == pe // W)
      end
    end
  end
end

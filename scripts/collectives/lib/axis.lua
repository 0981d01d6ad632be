-- A row or column with its root anywhere: one line (line.lua) on each side of the root, the shorter
-- one first. Both have the same colours; where the root receives on one from both sides, the last
-- message of the first side is followed by a control wavelet that turns the root's switch.
--
-- {size =, root =, at = {[position] = {role, routes = {[colour] = "switch positions"}}},
--  count = colours, taken = {[colour] = true} those that the root receives on, plans = {plan, ...}}
-- Must never know the other axis, or numbers of colours on the wafer.
local axis = {}

local function position_text(use, away, home)
  local sides = {take = {away, "ramp"}, send = {"ramp", home}, pass = {away, home}}
  return sides[use][1] .. " -> " .. sides[use][2]
end

-- Switch positions as text, of one position without brackets.
local function route_text(positions)
  if #positions == 1 then return positions[1] end
  return "[" .. table.concat(positions, "] [") .. "]"
end

local function routes_of(uses, away, home)
  local routes = {}
  for colour, list in pairs(uses) do
    local positions = {}
    for k, use in ipairs(list) do positions[k] = position_text(use, away, home) end
    routes[colour] = route_text(positions)
  end
  return routes
end

local function add_side(self, side)
  for v = 1, side.plan.tree.size - 1 do
    self.at[self.root + side.step * v] = {
      role = side.plan.roles[v], routes = routes_of(side.plan.uses[v], side.away, side.home)}
  end
end

-- The root receives nothing more on a colour after what comes from the first side: the switch turns.
local function turn_behind(plan, shared)
  local seen = {}
  for v = plan.tree.size - 1, 1, -1 do
    local colour = plan.colours[v]
    if plan.tree.parent[v] == 0 and shared[colour] and not seen[colour] then
      seen[colour] = true
      plan.roles[v].control, plan.roles[v].advance = true, false
      plan.controls = plan.controls + 1
    end
  end
end

local function add_root(self, sides)
  local takes, positions = {}, {}
  for _, side in ipairs(sides) do
    for _, run in ipairs(side.plan.roles[0].takes) do
      local before = takes[#takes]
      if before and before.colour == run.colour then
        takes[#takes] = {colour = run.colour, count = before.count + run.count}
      else
        takes[#takes + 1] = run
      end
    end
    for colour in pairs(side.plan.uses[0]) do
      positions[colour] = positions[colour] or {}
      table.insert(positions[colour], position_text("take", side.away, side.home))
      self.taken[colour] = true
    end
  end
  local routes = {}
  for colour, list in pairs(positions) do routes[colour] = route_text(list) end
  self.at[self.root] = {role = {takes = takes, advance = false}, routes = routes}
end

-- `plan` as of patterns.planning; `rising`, `falling`: the sides where positions grow and shrink.
function axis.make(size, root, rising, falling, plan)
  local self = {size = size, root = root, at = {}, count = 0, taken = {}, plans = {}}
  local sides = {}
  local function side(length, step, away, home)
    if length > 1 then
      local both = root > 0 and root < size - 1
      sides[#sides + 1] = {plan = plan(length, both), step = step, away = away, home = home}
    end
  end
  side(size - root, 1, rising, falling)
  side(root + 1, -1, falling, rising)
  if #sides == 2 and root + 1 < size - root then sides[1], sides[2] = sides[2], sides[1] end
  if #sides == 2 then turn_behind(sides[1].plan, sides[2].plan.uses[0]) end
  for k, one in ipairs(sides) do
    add_side(self, one)
    self.plans[k] = one.plan
    self.count = math.max(self.count, one.plan.count)
  end
  add_root(self, sides)
  return self
end

return axis

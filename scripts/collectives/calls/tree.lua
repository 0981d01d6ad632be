-- Reduction trees on a line with its root anywhere: messages, in the order in which PEs take them, and a
-- colour for each. No router has two uses of a colour, so that there are no switches to be turned back and a
-- tree can be used again and again. Must never know routes or code.
local trees = require "collectives.lib.trees"
local ipairs, max, min, sort = ipairs, math.max, math.min, table.sort

local plans = {}

-- The messages of a side of the root: a tree (lib/trees.lua) whose PE v is the place root + step v.
local function add_side(plan, root, step, tree)
  for v = 1, tree.size - 1 do
    local message = {from = root + step * v, to = root + step * tree.parent[v]}
    plan.messages[#plan.messages + 1] = message
    local takes = plan.takes[message.to]
    takes[#takes + 1] = message.from
  end
end

-- A message has its colour at all routers of its way, both ends included. Ways lie in each other or beside
-- each other, so if the shorter ones choose first there are as many colours as meet at a router.
local function add_colours(plan)
  local used, order = {}, {}
  for place = 0, plan.size - 1 do used[place] = 0 end
  for k, message in ipairs(plan.messages) do order[k] = message end
  local function length(message) return max(message.from, message.to) - min(message.from, message.to) end
  sort(order, function(a, b)
    if length(a) ~= length(b) then return length(a) < length(b) end
    return a.from < b.from
  end)
  plan.colours = 0
  for _, message in ipairs(order) do
    local low, high, taken = min(message.from, message.to), max(message.from, message.to), 0
    for place = low, high do taken = taken | used[place] end
    local colour = 0
    while taken >> colour & 1 == 1 do colour = colour + 1 end
    for place = low, high do used[place] = used[place] | 1 << colour end
    message.colour, plan.colours = colour, max(plan.colours, colour + 1)
  end
end

-- A plan {size =, root =, name =, messages = {{from =, to =, colour =}, ...}, takes = {[place] = places
-- that send to it, in order}, colours = how many}. tree_of(size) is the tree of a side, whose PE 0 is the
-- root; the shorter side is taken first.
function plans.make(size, root, name, tree_of)
  local plan = {size = size, root = root, name = name, messages = {}, takes = {}}
  for place = 0, size - 1 do plan.takes[place] = {} end
  local sides = {{root, -1}, {size - 1 - root, 1}}
  if sides[2][1] < sides[1][1] then sides[1], sides[2] = sides[2], sides[1] end
  for _, side in ipairs(sides) do
    if side[1] > 0 then add_side(plan, root, side[2], tree_of(side[1] + 1)) end
  end
  add_colours(plan)
  return plan
end

return plans

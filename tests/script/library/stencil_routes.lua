-- The routes of kernel=static, for lines of 1 to 30 PEs and reaches of 1 to 4: the words of every
-- root come to all PEs within the reach and to no other, and in a round each PE hears each of its
-- neighbours in one step.
local routes = require "stencil.lib.static_routes"

local axis = routes.axes[1]
local kMoves = {west = -1, east = 1}
local kFrom = {west = "east", east = "west"}

-- Follows the words of a root; marks who hears them.
local function follow(root, step, length, reach, heard)
  local function visit(at, from)
    local text = routes.route(axis, at, step, length, reach)
    local rx, targets = text:match("^(%a+) %-> (.+)$")
    assert(rx == from, "words wait at a router")
    for to in targets:gmatch("%a+") do
      if to == "ramp" then
        assert(at ~= root and not heard[at][root], "heard twice, or by itself")
        heard[at][root] = step
      else
        visit(at + kMoves[to], kFrom[to])
      end
    end
  end
  visit(root, "ramp")
end

local lines = 0
for reach = 1, 4 do
  for length = 2, 30 do
    local heard = {}
    for at = 0, length - 1 do heard[at] = {} end
    for step = 0, routes.steps(reach) - 1 do
      for root = step, length - 1, routes.steps(reach) do
        assert(routes.offset(root, step, length, reach) == 0)
        follow(root, step, length, reach, heard)
      end
    end
    for at = 0, length - 1 do
      local steps = {}
      for other = 0, length - 1 do
        local is_near = other ~= at and math.abs(other - at) <= reach
        assert((heard[at][other] ~= nil) == is_near)
        if is_near then
          local step = heard[at][other]
          assert(not steps[step], "two roots in one step")
          steps[step] = true
          assert(routes.offset(at, step, length, reach) == other - at)
        end
      end
    end
    lines = lines + 1
  end
end
assert(#routes.used{nx = 1, ny = 2} == 1 and #routes.used{nx = 1, ny = 1} == 0)
print(lines .. " lines")

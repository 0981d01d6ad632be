-- The localized broadcast with routes that never change: a colour for each step, and one send for
-- both sides.
--
-- A round has 2 r + 1 steps on each axis. In step s the PEs whose coordinate is s modulo 2 r + 1 are
-- roots: each sends its words to the r PEs on both sides of it. So in every step a PE is a root, or
-- hears the one root that is at most r away; in a round it hears all 2 r others once. The routers
-- need one position for each step's colour, and nobody says when a step is over: words of the next
-- one wait in queues of their own.
--
--     step 0, r = 2:   0 -> 1 -> 2    3 <- 4 <- 5 -> 6 -> 7    8 <- 9 <- 10
--     step 1:          0 <- 1 -> 2 -> 3    4 <- 5 <- 6 -> 7 -> 8    9
local format, concat = string.format, table.concat

local static_routes = {}

-- towards: the sides of smaller and of larger coordinates; size: PEs of a line, and across: lines,
-- as in a request.
static_routes.axes = {
  {name = "x", line = "row", towards = {"west", "east"}, size = "nx", across = "ny",
   extent = "width"},
  {name = "y", line = "column", towards = {"north", "south"}, size = "ny", across = "nx",
   extent = "height"},
}

function static_routes.steps(reach) return 2 * reach + 1 end

function static_routes.colour(axis, step) return format("%s_%d", axis.line, step) end

-- Axes whose lines have neighbours.
function static_routes.used(request)
  local list = {}
  for _, axis in ipairs(static_routes.axes) do
    if request[axis.size] > 1 then list[#list + 1] = axis end
  end
  return list
end

-- Where the root is that the PE at `at` hears in a step, minus `at`: 0 is the PE itself; nil, if
-- that root is beyond the line.
function static_routes.offset(at, step, length, reach)
  local offset = (step - at + reach) % static_routes.steps(reach) - reach
  local root = at + offset
  if root >= 0 and root < length then return offset end
end

-- The same as an expression of .wsa, roots beyond the line included.
local function offset_text(axis, step, reach)
  return format("((%d - %s) %% %d - %d)", step + reach, axis.name, static_routes.steps(reach), reach)
end

-- How far away the root of a step is, and whether the PE hears one, as expressions.
function static_routes.distance_text(axis, step, reach)
  return format("abs(%s)", offset_text(axis, step, reach))
end

function static_routes.hears_text(axis, step, reach)
  local offset = offset_text(axis, step, reach)
  return format("%s != 0 && %s + %s >= 0 && %s + %s < %s ? 1 : 0", offset, axis.name, offset,
                axis.name, offset, axis.extent)
end

-- The route of a router, as of layout:route; nil: nothing comes by.
function static_routes.route(axis, at, step, length, reach)
  local offset = static_routes.offset(at, step, length, reach)
  if offset == nil then return nil end
  local back, on = axis.towards[1], axis.towards[2]
  local is_first, is_last = at == 0, at == length - 1
  local to = {}
  if offset <= 0 and offset > -reach and not is_last then to[#to + 1] = on end
  if offset >= 0 and offset < reach and not is_first then to[#to + 1] = back end
  if offset ~= 0 then to[#to + 1] = "ramp" end
  local from = offset == 0 and "ramp" or offset < 0 and back or on
  return format("%s -> %s", from, concat(to, ", "))
end

-- Declares the colours of a layout and adds their routes. Inner PEs of a line whose root is equally
-- far away have the same.
function static_routes.add(layout, request)
  local reach = request.radius
  local steps = static_routes.steps(reach)
  for _, axis in ipairs(static_routes.used(request)) do
    local length = request[axis.size]
    local function add(step, first, last, stride)
      local route = first <= last and static_routes.route(axis, first, step, length, reach)
      if not route then return end
      local range, all = {first, last, stride}, {0, request[axis.across] - 1}
      local region = axis.name == "x" and layout:rect(range, all) or layout:rect(all, range)
      layout:route(static_routes.colour(axis, step), region, route)
    end
    for step = 0, math.min(steps, length) - 1 do
      layout:colour(static_routes.colour(axis, step))
      for at = 0, length - 1 do
        local is_inner = at >= steps and at < length - steps
        if not is_inner then add(step, at, at, 1) end
      end
      for first = steps, 2 * steps - 1 do add(step, first, length - steps - 1, steps) end
    end
  end
end

return static_routes

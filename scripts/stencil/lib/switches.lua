-- The localized broadcast: switch positions of the routers of a line, and the control words that
-- move them. A PE's program only sends: no PE counts whose turn it is.
--
-- In step s of a round the PEs whose place is s modulo r + 1 are roots: each sends its words to
-- itself and to the next r PEs. Then two control wavelets make the next PE the root. A router
-- does this in a round, in this order, beginning where its place puts it:
--     way      [back -> on, ramp]   between a root and the last PE that it reaches
--     root     [ramp -> on, ramp]
--     between  [ramp -> ramp]       the second control wavelet ends here
--     last     [back -> ramp]
-- The first PE is never on the way, PEs of places below r are never last, the end of a line has
-- nothing further on. Reach 1 has nobody between root and last: there a router is `held` before it
-- is root, [ramp -> ramp], until a control wavelet of its own PE, sent ahead of the words, comes.
local directions = require "stencil.lib.directions"
local format = string.format

local switches = {}

-- The positions of the router at a place, in the order of a round, the first one first.
function switches.positions(place, length, reach)
  local held = reach == 1
  local names = {"root", "between"}
  if held then table.insert(names, 1, "held")
  elseif place > 0 then table.insert(names, 1, "way") end
  if place >= reach then names[#names + 1] = "last" end
  local step = place % (reach + 1)
  local first = names[1]
  if step == reach and place >= reach then first = "last"
  elseif step == 0 and not held then first = "root" end
  while names[1] ~= first do table.insert(names, table.remove(names, 1)) end
  local list = {}
  for k, name in ipairs(names) do
    local on = place < length - 1 and (name == "way" or name == "root")
    list[k] = {name = name, back = name == "way" or name == "last", on = on}
  end
  return list
end

-- The same as a list for layout:route. Without `echo` the first PE of a line does not hear itself.
local function route(direction, place, length, reach, echo)
  local list = {ring = true, pop = "always"}
  for k, position in ipairs(switches.positions(place, length, reach)) do
    local ramp = echo or place > 0 or position.name ~= "root"
    local to = position.on and direction.going or nil
    local targets = to and ramp and to .. ", ramp" or to or "ramp"
    list[k] = format("%s -> %s", position.back and direction.from or "ramp", targets)
  end
  return list
end

-- Declares the colour of a direction in a layout and adds its routes. Places beyond the reach differ
-- by their step alone.
local function add(layout, direction, request, echo)
  local reach = request.radius
  local length = directions.length(direction, request)
  layout:colour(direction.colour)
  local function add_places(first, last, step)
    if first > last then return end
    local a = directions.coordinate(direction, first, length)
    local b = directions.coordinate(direction, first + (last - first) // step * step, length)
    local range = {math.min(a, b), math.max(a, b), step}
    local region = direction.axis == "x" and layout:rect(range, {0, request.ny - 1})
                   or layout:rect({0, request.nx - 1}, range)
    layout:route(direction.colour, region, route(direction, first, length, reach, echo))
  end
  for place = 0, math.min(reach, length - 1) - 1 do add_places(place, place, 1) end
  for place = reach, 2 * reach do add_places(place, length - 2, reach + 1) end
  add_places(length - 1, length - 1, 1)
end

-- The colours and routes of some directions. echo: whether PEs hear themselves.
function switches.add_all(layout, list, request, echo)
  for _, direction in ipairs(list) do add(layout, direction, request, echo) end
end

-- The control words that follow the words of a PE, and the one that goes ahead of them (or nil).
function switches.control_words(reach)
  local commands = {"ignore(adv)", "ignore(adv)"}
  for k = 2, reach do commands[k + 1] = k == reach and "ignore(adv)" or "ignore(nop)" end
  local turn = {format("control(31, %s)", table.concat(commands, ", ")),
                "control(31, ignore(adv))"}
  return turn, reach == 1 and "control(31, ignore(adv))" or nil
end

-- How many PEs of a line a PE hears, itself included, as an expression.
function switches.heard(direction, reach)
  return format("min(%s, %d) + 1", direction.place, reach)
end

-- How far away the PE is that a PE hears in step i, as an expression. Places below the reach hear
-- nobody before the first PE of the line, which is at this distance in step 0.
function switches.distance(direction, reach)
  return format("(%s - i) %% %d", direction.place, reach + 1)
end

return switches

-- The localized broadcast with switches, for machines with few colours: one colour for each direction,
-- on which PEs take turns. lib/switches.lua has the positions and the control words that move them.
--
-- It answers what channels.lua answers, for a channel that goes one way: left or right is its reach,
-- the other one 0. A PE does not hear itself; at the end of a line it has nobody to send to, but its
-- control words still pass the turn on.
local directions = require "stencil.lib.directions"
local switches = require "stencil.lib.switches"
local format, concat = string.format, table.concat

local switched = {}

local kGoing = {x = {left = "east", right = "west"}, y = {left = "south", right = "north"}}

local function reach_of(channel) return channel.left + channel.right end

local function direction_of(channel)
  local going = kGoing[channel.axis][channel.left > 0 and "left" or "right"]
  for _, direction in ipairs(directions.all) do
    if direction.going == going then return direction end
  end
end

function switched.steps(channel) return reach_of(channel) + 1 end
function switched.colour(channel) return direction_of(channel).colour end

-- Returns whether a root of a line of that many PEs sends. The last one has no receiver, but passes the turn on.
function switched.is_heard(_, _, length) return length > 1 end

function switched.offset(channel, at, step, length)
  local place = directions.coordinate(direction_of(channel), at, length)
  local distance = (place - step) % switched.steps(channel)
  if place - distance < 0 then return nil end
  return channel.left > 0 and -distance or distance
end

function switched.offset_text(channel, step)
  local distance = format("(%s + %d) %% %d", direction_of(channel).place, switched.steps(channel) - step,
                          switched.steps(channel))
  return channel.left > 0 and format("(0 - (%s))", distance) or "(" .. distance .. ")"
end

function switched.root_text(channel, step) return format("%s == 0 ? 1 : 0", switched.offset_text(channel, step)) end

-- Adds the words that a root sends and those that pass the turn on. name and packing: of elements.lua.
function switched.send(code, channel, words, base, name, packing)
  local direction = direction_of(channel)
  local colour = direction.colour
  if reach_of(channel) == 1 then code:op("mov32 fabout(%s, control), lead_%s", colour, direction.going) end
  local extent = channel.axis == "x" and "width" or "height"
  code:op("%s fabout(%s%s), mem(%d, length=%s < %s - 1 ? %d : 0)", name, colour, packing, base, direction.place, extent, words)
  code:op("mov32 fabout(%s, control), turn_%s", colour, direction.going)
end

-- Declares the control words of a channel.
function switched.declare(code, channel)
  local going = direction_of(channel).going
  local turn, lead = switches.control_words(reach_of(channel))
  code:line(".i32 turn_%s[2] = i == 0 ? %s : %s", going, turn[1], turn[2])
  if lead then code:line(".i32 lead_%s = %s", going, lead) end
end

-- ---- routes

local function route(direction, place, length, reach)
  local list = {ring = true, pop = "always"}
  for k, position in ipairs(switches.positions(place, length, reach)) do
    local to = {}
    if position.on then to[1] = direction.going end
    if position.name ~= "root" or not position.on then to[#to + 1] = "ramp" end
    list[k] = format("%s -> %s", position.back and direction.from or "ramp", concat(to, ", "))
  end
  return list
end

-- Declares the colour of a channel in a layout and adds its routes. Places beyond the reach differ by
-- their step alone.
function switched.add(layout, channel)
  local direction, reach = direction_of(channel), reach_of(channel)
  local along_x = channel.axis == "x"
  local length = along_x and layout.width or layout.height
  local all = {0, (along_x and layout.height or layout.width) - 1}
  layout:colour(direction.colour)
  local function add(first, last, step)
    if first > last then return end
    local a = directions.coordinate(direction, first, length)
    local b = directions.coordinate(direction, first + (last - first) // step * step, length)
    local range = {math.min(a, b), math.max(a, b), step}
    local region = along_x and layout:rect(range, all) or layout:rect(all, range)
    layout:route(direction.colour, region, route(direction, first, length, reach))
  end
  for place = 0, math.min(reach, length - 1) - 1 do add(place, place, 1) end
  for place = reach, 2 * reach do add(place, length - 2, reach + 1) end
  add(length - 1, length - 1, 1)
end

return switched

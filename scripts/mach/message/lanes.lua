-- The routes of messages between workers, painted: two colours for each way, a sender's by the parity of its
-- column or row. The three middle rows pass those on that cross them; rows of workers do not count them.
local called = require "mach.message.called"
local paint = require "mach.paint.init"
local format, ipairs = string.format, ipairs
local hstack, vstack, tile = paint.hstack, paint.vstack, paint.tile

local lanes = {}

-- Letters of routes: where a sender sends, where its receiver takes from; whether x or y rises.
local kWays = {east = {to = "R", from = "L", forward = true}, west = {to = "L", from = "R"},
               south = {to = "D", from = "U", forward = true}, north = {to = "U", from = "D"}}

function lanes.colour(way, parity) return format("%s%d", way, parity) end

-- n PEs along one axis, of which those of the parity send: pairs of one sender and its receiver.
local function line(n, way, parity, one, stack, repeated)
  local letters, colour = kWays[way], lanes.colour(way, parity)
  local sender = paint.paint(one, colour, "C>" .. letters.to)
  local receiver = paint.paint(one, colour, letters.from .. ">C")
  local pair = letters.forward and stack(sender, receiver) or stack(receiver, sender)
  if letters.forward == (parity == 0) or not letters.forward and parity == 1 then
    return repeated(n // 2, pair)
  end
  if n == 2 then return stack(one, one) end
  return stack(one, repeated(n // 2 - 1, pair), one)
end

local function middle_rows(g) return g.lower - g.upper + 1 end

local function along_x(g, way, parity)
  local half = line(g.width, way, parity, tile(1, g.half), hstack, paint.hstackrep)
  return vstack(half, tile(g.width, middle_rows(g)), half)
end

local function along_y(g, way, parity)
  local rows = line(g.height, way, parity, tile(g.width, 1), vstack, paint.vstackrep)
  local upper, lower = paint.split(rows, {y = g.half})
  local middle = tile(g.width, middle_rows(g))
  local crossing = kWays[way].forward and g.half - 1 or g.half  -- the row that sends across
  if crossing % 2 == parity then
    middle = paint.paint(middle, lanes.colour(way, parity), kWays[way].from .. ">" .. kWays[way].to)
  end
  return vstack(upper, middle, lower)
end

-- All colours of the ways in use.
function lanes.colours(features)
  local list = {}
  for _, way in ipairs(called.used(features)) do
    list[#list + 1], list[#list + 2] = lanes.colour(way, 0), lanes.colour(way, 1)
  end
  return list
end

function lanes.area(g, features)
  local areas = {}
  for _, way in ipairs(called.used(features)) do
    local along = called.along[way] == "x" and along_x or along_y
    for parity = 0, 1 do areas[#areas + 1] = along(g, way, parity) end
  end
  return paint.union(table.unpack(areas))
end

-- Adds the parameters of workers: on which colour each receives and sends.
function lanes.parameters(g, features, values)
  for _, way in ipairs(called.used(features)) do
    local even = format("%s %% 2 == 0", called.along[way] == "x" and "x" or g.row)
    local first, second = lanes.colour(way, 0), lanes.colour(way, 1)
    values["tx_" .. way] = format("%s ? %s : %s", even, first, second)
    values["rx_" .. way] = format("%s ? %s : %s", even, second, first)
  end
end

return lanes

-- The text of a halo exchange between tiles: columns of cells go west and east, then rows, which take the
-- corners along where they are read. Neighbours send on different colours; all sends and receives of a
-- direction run beside each other on microthreads.
local schedule = require "stencil.emit.schedule"
local format, concat = string.format, table.concat

local halo = {}

-- A side: to: where words go; has: the PEs that have that neighbour; parity: by what colours differ.
local kSides = {
  {to = "west", from = "east", has = "x > 0", heard = "x < width - 1", parity = "x"},
  {to = "east", from = "west", has = "x < width - 1", heard = "x > 0", parity = "x"},
  {to = "north", from = "south", has = "y > 0", heard = "y < height - 1", parity = "y"},
  {to = "south", from = "north", has = "y < height - 1", heard = "y > 0", parity = "y"},
}

local function colour(side, parity) return format("halo_%s_%d", side.to, parity) end

-- Sides whose lines have more than one PE and on which some tile reads cells: those that go west are
-- read in the east.
local function used(shape, reach)
  local list = {}
  for _, side in ipairs(kSides) do
    local several = side.parity == "x" and shape.width > 1 or side.parity == "y" and shape.height > 1
    if several and reach[side.from] > 0 then list[#list + 1] = side end
  end
  return list
end

-- Adds the routes of one colour: every second PE of a line sends to its neighbour.
local function add_routes_of(layout, side, parity)
  local along_x = side.parity == "x"
  local length = along_x and layout.width or layout.height
  local back = side.to == "west" or side.to == "north"
  local first, last = parity, length - 2
  if back then first, last = parity == 0 and 2 or 1, length - 1 end
  if first > last then return end
  local all = {0, (along_x and layout.height or layout.width) - 1}
  local function region(shift)
    local range = {first + shift, last - (last - first) % 2 + shift, 2}
    return along_x and layout:rect(range, all) or layout:rect(all, range)
  end
  local name = colour(side, parity)
  layout:route(name, region(0), "ramp -> " .. side.to)
  layout:route(name, region(back and -1 or 1), side.from .. " -> ramp")
end

-- Declares the colours and routes of a layout; reach: the widest halos of all exchanges.
function halo.add_routes(layout, shape, reach)
  for _, side in ipairs(used(shape, reach)) do
    for parity = 0, 1 do
      layout:colour(colour(side, parity))
      add_routes_of(layout, side, parity)
    end
  end
end

function halo.microthreads()
  return "to_west, to_east, to_north, to_south, from_west, from_east, from_north, from_south"
end

-- The rectangle of its own cells that a PE sends to a side, and of the halo that it fills from there.
local function rectangles(shape, one, side)
  local tx, ty = shape.tx, shape.ty
  local first, width = one.corners and -one.west or 0, one.corners and one.west + tx + one.east or tx
  if side.to == "west" then return {0, 0, one.east, ty}, {tx, 0, one.east, ty} end
  if side.to == "east" then return {tx - one.west, 0, one.west, ty}, {-one.west, 0, one.west, ty} end
  if side.to == "north" then return {first, 0, width, one.south}, {first, ty, width, one.south} end
  return {first, ty - one.north, width, one.north}, {first, -one.north, width, one.north}
end

-- ---- the registers of a program

local kRegisters, kShapes = 16, 2

local Kit = {}
Kit.__index = Kit

local function shape_key(rectangle) return format("%d x %d", rectangle[4], rectangle[3]) end

local function each_side(step, see)
  for _, phase in ipairs(step.phases) do
    for _, group in ipairs(phase) do
      for _, op in ipairs(group) do
        for _, side in ipairs(op[1] == "halo" and used(step.shape, op.halo) or {}) do see(op.halo, side) end
      end
    end
  end
end

-- Returns the registers of a program for its exchanges: one for each of two shapes of rectangles, and as
-- many for colours as are left when `others` are taken.
function halo.kit(step, others)
  local kit = setmetatable({shape = step.shape, shapes = {}, colours = {}, loads = {}, names = {}}, Kit)
  local count = 0
  local function add(name, operand)
    kit.names[#kit.names + 1] = name
    kit.loads[#kit.loads + 1] = format("setd %s, %s", name, operand)
  end
  each_side(step, function(one, side)
    local key = shape_key((rectangles(step.shape, one, side)))
    if not kit.shapes[key] and count < kShapes then
      local h, w = key:match("(%d+) x (%d+)")
      count = count + 1
      kit.shapes[key] = "halo_" .. count
      add(kit.shapes[key], format("mem(0, length=[%s, %s], stride=[%d, 1])", h, w, step.shape.stride))
    end
  end)
  each_side(step, function(one, side)
    local sent = rectangles(step.shape, one, side)
    for _, way in ipairs{"out", "in"} do
      local name = format("%s_%s", way, way == "out" and side.to or side.from)
      local words, known = sent[3] * sent[4], kit.colours[name]
      if known then
        known.varies = known.varies or known.words ~= words
      elseif #kit.names + others < kRegisters then
        kit.colours[name] = {words = words, varies = false}
        add(name, way == "out" and kit:out_text(side) or kit:in_text(side, words))
      end
    end
  end)
  return kit
end

function Kit:declare(code)
  if #self.names > 0 then code:line(".dsr %s", concat(self.names, ", ")) end
end

function Kit:load(code)
  for _, load in ipairs(self.loads) do code:op("%s", load) end
end

function Kit:out_text(side)
  return format("fabout(%s %% 2 == 0 ? %s : %s)", side.parity, colour(side, 0), colour(side, 1))
end

function Kit:in_text(side, words)
  return format("fabin(%s %% 2 == 0 ? %s : %s, length=%s ? %d : 0)", side.parity, colour(side, 1), colour(side, 0),
                side.heard, words)
end

-- Returns the operand of a rectangle of a region, of no cell where the condition does not hold.
function Kit:cells(code, region, rectangle, condition)
  local address = region.first + 4 * (rectangle[2] * self.shape.stride + rectangle[1])
  local name = self.shapes[shape_key(rectangle)]
  if name then
    code:op("setdbase %s, %d", name, address)
    code:op("setdlen %s, %s ? %d : 0", name, condition, rectangle[3] * rectangle[4])
    return name
  end
  return format("mem(%d, length=[%s ? %d : 0, %d], stride=[%d, 1])", address, condition, rectangle[4], rectangle[3],
                self.shape.stride)
end

-- Returns the operand of the words that come from a side.
function Kit:arriving(code, side, words)
  local name = "in_" .. side.from
  local known = self.colours[name]
  if not known then return self:in_text(side, words) end
  if known.varies then code:op("setdlen %s, %s ? %d : 0", name, side.heard, words) end
  return name
end

-- Starts the send to a side and the receive of what such a send brings. Returns them as entries of the schedule.
function Kit:start(code, one, side)
  local sent, filled = rectangles(self.shape, one, side)
  local from = schedule.mark(code)
  local out = self.colours["out_" .. side.to] and "out_" .. side.to or self:out_text(side)
  code:op("fmovs %s, %s async to_%s", out, self:cells(code, one.region, sent, side.has), side.to)
  local sends = {words = sent[3] * sent[4], acts = schedule.acts(code, from)}
  from = schedule.mark(code)
  local arriving = self:arriving(code, side, sent[3] * sent[4])
  code:op("fmovs %s, %s async from_%s", self:cells(code, one.region, filled, side.heard), arriving, side.from)
  return {sends = sends, receives = {words = filled[3] * filled[4], acts = schedule.acts(code, from)}}
end

local function wait(code, sides)
  for _, side in ipairs(sides) do
    code:op("wait to_%s", side.to)
    code:op("wait from_%s", side.from)
  end
end

-- Adds the code of an exchange of one field. Without corners both directions run at once. Returns its rounds: lists of
-- what starts before all is waited for.
function halo.add(code, kit, one)
  local along_x, along_y, rounds = {}, {}, {{}}
  for _, side in ipairs(used(kit.shape, one)) do table.insert(side.parity == "x" and along_x or along_y, side) end
  local function start(list)
    local round = rounds[#rounds]
    for _, side in ipairs(list) do round[#round + 1] = kit:start(code, one, side) end
  end
  start(along_x)
  if one.corners then
    wait(code, along_x)
    rounds[2] = {}
  end
  start(along_y)
  if not one.corners then wait(code, along_x) end
  wait(code, along_y)
  return rounds
end

return halo

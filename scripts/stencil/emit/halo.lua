-- The text of a halo exchange between tiles: columns of cells go west and east, then rows, which take the
-- corners along where they are read. Neighbours send on different colours; all sends and receives of a
-- direction run beside each other on microthreads.
local format = string.format

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

function halo.microthreads() return "to_west, to_east, to_north, to_south, from_west, from_east, from_north, from_south" end

-- Returns the address of cell (cx, cy) of a tile and the operand of w * h cells from there.
local function cells(shape, region, cx, cy, w, h, condition)
  local address = region.first + 4 * (cy * shape.stride + cx)
  return format("mem(%d, length=[%s ? %d : 0, %d], stride=[%d, 1])", address, condition, h, w, shape.stride)
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

local function start(code, shape, one, side)
  local sent, filled = rectangles(shape, one, side)
  local function operand(rectangle, condition)
    return cells(shape, one.region, rectangle[1], rectangle[2], rectangle[3], rectangle[4], condition)
  end
  local words = sent[3] * sent[4]
  code:op("fmovs fabout(%s %% 2 == 0 ? %s : %s), %s async to_%s", side.parity, colour(side, 0), colour(side, 1),
          operand(sent, side.has), side.to)
  code:op("fmovs %s, fabin(%s %% 2 == 0 ? %s : %s, length=%s ? %d : 0) async from_%s", operand(filled, side.heard),
          side.parity, colour(side, 1), colour(side, 0), side.heard, words, side.from)
end

local function wait(code, sides)
  for _, side in ipairs(sides) do
    code:op("wait to_%s", side.to)
    code:op("wait from_%s", side.from)
  end
end

-- Adds the code of an exchange of one field. Without corners both directions run at once.
function halo.add(code, shape, one)
  local sides = used(shape, one)
  local along_x, along_y = {}, {}
  for _, side in ipairs(sides) do table.insert(side.parity == "x" and along_x or along_y, side) end
  for _, side in ipairs(along_x) do start(code, shape, one, side) end
  if one.corners then wait(code, along_x) end
  for _, side in ipairs(along_y) do start(code, shape, one, side) end
  if not one.corners then wait(code, along_x) end
  wait(code, along_y)
end

return halo

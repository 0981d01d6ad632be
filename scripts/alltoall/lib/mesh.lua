-- A mesh of 2^a x 2^b PEs on which the nodes of a d-cube lie, d = a + b: the low a bits of a node's
-- address are the Gray code of its column, the others that of its row. So neighbours on the mesh
-- are neighbours in the cube, and the Gray code's cycle walks the rows to and fro.
-- Colours: two for each direction, by the sender's place, odd or even; one more where the cycle
-- closes. Over a cube dimension nodes are mirrored in blocks of 2^(k+1) places of an axis. Their
-- messages pass each other's PEs, which relay them (mesh_steps.lua): routed paths would take more
-- than 24 colours.
local cycles = require "alltoall.lib.cycles"
local gray = require "alltoall.lib.gray"
local wse = require "wse"
local format = string.format

local mesh = {}

function mesh.bits(d) return (d + 1) // 2, d // 2 end

function mesh.size(d)
  local a, b = mesh.bits(d)
  return 1 << a, 1 << b
end

function mesh.place_of(node, d)
  local a = mesh.bits(d)
  return gray.decode(node & (1 << a) - 1), gray.decode(node >> a)
end

function mesh.node_at(x, y, d) return gray.encode(y) << mesh.bits(d) | gray.encode(x) end

-- The same as an expression of a program.
function mesh.node_text(d) return format("(y ^ y >> 1) << %d | x ^ x >> 1", (mesh.bits(d))) end

local directions = {
  {name = "east", from = "west", dx = 1, dy = 0}, {name = "west", from = "east", dx = -1, dy = 0},
  {name = "south", from = "north", dx = 0, dy = 1},
  {name = "north", from = "south", dx = 0, dy = -1},
}

local function parity(direction, x, y) return (direction.dx ~= 0 and x or y) & 1 end

local function colour(direction, odd) return direction.name .. odd end

local function add_direction(layout, direction)
  local dx, dy = direction.dx, direction.dy
  local function is_inside(x, y)
    return x >= 0 and y >= 0 and x < layout.width and y < layout.height
  end
  for odd = 0, 1 do
    layout:route(colour(direction, odd), layout:where(function(x, y)
      return parity(direction, x, y) == odd and is_inside(x + dx, y + dy)
    end), "ramp -> " .. direction.name)
    layout:route(colour(direction, odd), layout:where(function(x, y)
      return parity(direction, x - dx, y - dy) == odd and is_inside(x - dx, y - dy)
    end), direction.from .. " -> ramp")
  end
end

-- The layout with a colour for each way to a neighbour; no programs yet.
function mesh.layout(d)
  local width, height = mesh.size(d)
  local layout = wse.layout(width, height)
  for _, direction in ipairs(directions) do
    if direction.dx ~= 0 and width > 1 or direction.dy ~= 0 and height > 1 then
      for odd = 0, 1 do layout:colour(colour(direction, odd)) end
      add_direction(layout, direction)
    end
  end
  return layout
end

local kClosing = "closing"

-- The colour on which (x0, y0) sends to (x1, y1).
local function colour_between(x0, y0, x1, y1)
  for _, direction in ipairs(directions) do
    if x1 - x0 == direction.dx and y1 - y0 == direction.dy then
      return colour(direction, parity(direction, x0, y0))
    end
  end
  return kClosing
end

-- The parameters of nodes that pass words on along the cycle (cube.ring_parameters), and the route
-- of the link that closes it.
function mesh.ring_parameters(layout, d, forward)
  local function ends(x, y, along)
    local node = mesh.node_at(x, y, d)
    local behind, before = cycles.neighbours(node, d)
    return mesh.place_of(along and behind or before, d)
  end
  local last = gray.encode((1 << d) - 1)
  local x, y = mesh.place_of(forward and last or 0, d)
  local to_x, to_y = ends(x, y, forward)
  if colour_between(x, y, to_x, to_y) == kClosing then
    layout:colour(kClosing)
    layout:path(kClosing, {{x, y}, {to_x, to_y}})
  end
  return {
    node = mesh.node_text(d),
    tx = function(at_x, at_y) return colour_between(at_x, at_y, ends(at_x, at_y, forward)) end,
    rx = function(at_x, at_y)
      local from_x, from_y = ends(at_x, at_y, not forward)
      return colour_between(from_x, from_y, at_x, at_y)
    end,
  }
end

-- Colours of an algorithm: those of the ways to neighbours and the cycle's closing one; a
-- row-column broadcast has one for each direction.
function mesh.colours(algorithm, d)
  local axes = d > 1 and 2 or 1
  if algorithm == "row-column" then return 2 * axes end
  return 4 * axes + (algorithm == "one-cycle" and select(2, mesh.size(d)) > 2 and 1 or 0)
end

-- The axis of dimension k: its number on the axis, and the directions up and down it.
local function axis_of(k, d)
  local a = mesh.bits(d)
  if k < a then return k, directions[1], directions[2], "x" end
  return k - a, directions[3], directions[4], "y"
end

-- Numbers of the directions in which a PE counts its words.
local function number_of(direction)
  for number, other in ipairs(directions) do
    if other == direction then return number - 1 end
  end
end

-- Returns the parameters of a PE for dimension k (mesh_steps.lua): the inner side is that of its mirror image,
-- the outer side the other one.
local function exchange_parameters(k, d)
  local on_axis, up, down, axis = axis_of(k, d)
  local half = 1 << on_axis
  local function place(x, y) return axis == "x" and x or y end
  local function sides(x, y)
    if place(x, y) & half == 0 then return up, down end
    return down, up
  end
  local function sends(side, x, y) return colour(side, parity(side, x, y)) end
  local function hears(side, x, y)  -- from the neighbour there, which sends the other way
    local back = side == up and down or up
    return colour(back, 1 - parity(back, x, y))
  end
  return {
    ["to" .. k] = function(x, y) return sends((sides(x, y)), x, y) end,
    ["fro" .. k] = function(x, y) return hears((sides(x, y)), x, y) end,
    ["back" .. k] = function(x, y) return sends(select(2, sides(x, y)), x, y) end,
    ["far" .. k] = function(x, y) return hears(select(2, sides(x, y)), x, y) end,
    ["relays" .. k] = function(x, y)
      local offset = place(x, y) & half - 1
      return place(x, y) & half == 0 and offset or half - 1 - offset
    end,
    ["side" .. k] = function(x, y) return number_of((sides(x, y))) end,
  }
end

-- The parameters of a program that exchanges over all dimensions, for its header and its placement.
function mesh.exchange_parameters(d)
  local names, values = {"node: i32"}, {node = mesh.node_text(d)}
  for k = 0, d - 1 do
    names[#names + 1] = format("to%d: colour, fro%d: colour, back%d: colour, far%d: colour, "
                               .. "relays%d: i32, side%d: i32", k, k, k, k, k, k)
    for name, value in pairs(exchange_parameters(k, d)) do values[name] = value end
  end
  return table.concat(names, ", "), values
end

-- Dimension k lies along x, or along y.
function mesh.axis(k, d) return (select(4, axis_of(k, d))) end

return mesh

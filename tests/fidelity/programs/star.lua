-- A 5-point star with one cell per PE: cycles of an iteration, as others measured them.
--     wsevm run tests/fidelity/programs/star.lua W=5 H=5 --machine=wse3
-- Runs 2 and 4 iterations, compares all cells with the same sums in Lua, which are exact, and notes
-- `cycles`: those of the PE in the middle with 4 iterations less those with 2, halved.
--
-- A cell is multiplied and sent, multiplied in place, and what four neighbours sent is added: the order of the
-- measured programs, where all descriptors are loaded before the loop. A PE sends on one of six colours and
-- receives on four others. Sums and cell lie in banks apart.
local wse = require "wse"

local programs = [[
.program cell(tx: colour, north: colour, south: colour, west: colour, east: colour, pairs: const, watched: const)
  .f32 u[1] exported bank=0 = (x * 5 + y * 3) % 8
  .f32 horizontal[1] bank=2
  .f32 vertical[1] bank=6
  .reg left
  .dsr to, from_north, from_south, from_west, from_east, own, sum_horizontal, sum_vertical
  task main:
    mov32 left, iterations
    setd  to, fabout(tx)
    setd  from_north, fabin(north)
    setd  from_south, fabin(south)
    setd  from_west, fabin(west)
    setd  from_east, fabin(east)
    setd  own, u
  .if pairs
    setd  sum_horizontal, horizontal
    setd  sum_vertical, vertical
  .end
  .if watched
    mark  begin
  .end
  next:
    fmuls to, own, 0.125
    fmuls own, own, 0.5
  .if pairs
    fadds sum_horizontal, from_west, from_east
    fadds sum_vertical, from_north, from_south
    fadds own, own, sum_horizontal
    fadds own, own, sum_vertical
  .else
    fadds own, own, from_west
    fadds own, own, from_east
    fadds own, own, from_north
    fadds own, own, from_south
  .end
    sub32 left, left, 1
    bgt   left, 0, next
  .if watched
    mark  end
  .end

; A PE of the border only sends its cell, which stays, and receives the one of its inner neighbour.
.program border(tx: colour, rx: colour)
  .f32 u[1] exported bank=0 = (x * 5 + y * 3) % 8
  .f32 seen[1]
  .reg left
  .dsr to, from, own, heard
  task main:
    mov32 left, iterations
    setd  to, fabout(tx)
    setd  from, fabin(rx)
    setd  own, u
    setd  heard, seen
  next:
    fmuls to, own, 0.125
    fmovs heard, from
    sub32 left, left, 1
    bgt   left, 0, next
]]

local kColours = 6

local W, H = wse.argument("W", 5, 3, 1000), wse.argument("H", 5, 3, 1000)
local sides = {north = {0, -1}, south = {0, 1}, west = {-1, 0}, east = {1, 0}}
local opposite = {north = "south", south = "north", west = "east", east = "west"}

-- The own colour of a PE and those of its neighbours differ.
local function number(x, y) return (x + 2 * y) % kColours + 1 end

local function is_border(x, y) return x == 0 or y == 0 or x == W - 1 or y == H - 1 end

-- The neighbours with which a PE exchanges its cell: where one of the two is in the border, the other is inside.
local function partners(x, y)
  local found = {}
  for side, step in pairs(sides) do
    local to_x, to_y = x + step[1], y + step[2]
    local inside = to_x >= 0 and to_x < W and to_y >= 0 and to_y < H
    if inside and not (is_border(x, y) and is_border(to_x, to_y)) then found[side] = number(to_x, to_y) end
  end
  return found
end

-- The route of a colour at a PE, nil if it has none: to all partners, or from one of them.
local function route_of(colour, x, y)
  local others = partners(x, y)
  if next(others) == nil then return nil end
  if colour == number(x, y) then
    local to = {}
    for side in pairs(others) do to[#to + 1] = side end
    table.sort(to)
    return "ramp -> " .. table.concat(to, ", ")
  end
  for side, other in pairs(others) do
    if other == colour then return side .. " -> ramp" end
  end
end

local function star(iterations)
  local w = wse.layout(W, H)
  local colours = w:colours("cell", kColours)
  w:const("iterations", iterations)
  w:program(programs)
  local function of(side)
    return function(x, y) return colours[partners(x, y)[side]] end
  end
  local function own(x, y) return colours[number(x, y)] end
  local inner = w:all() - w:border()
  local corners = w:where(function(x, y) return next(partners(x, y)) == nil end)
  w:place("cell", inner, {tx = own, north = of("north"), south = of("south"), west = of("west"), east = of("east"),
                          pairs = wse.machine().fabric_inputs > 1 and 1 or 0,
                          watched = "x == width / 2 && y == height / 2"})
  w:place("border", w:border() - corners, {tx = own, rx = function(x, y)
    return colours[select(2, next(partners(x, y)))]
  end})
  for colour = 1, kColours do
    local used = w:where(function(x, y) return route_of(colour, x, y) ~= nil end)
    w:route(colours[colour], used, function(x, y) return route_of(colour, x, y) end)
  end
  return w:run()
end

local function cell_at_start(x, y) return (x * 5 + y * 3) % 8 end

-- The cells after so many iterations: exact, as eighths of eighths are.
local function expected(iterations)
  local cells = {}
  for k = 0, W * H - 1 do cells[k] = cell_at_start(k % W, k // W) end
  for _ = 1, iterations do
    local before = {table.unpack(cells, 0, W * H - 1)}
    for y = 1, H - 2 do
      for x = 1, W - 2 do
        local k = y * W + x
        local around = before[k - W + 1] + before[k + W + 1] + before[k] + before[k + 2]
        cells[k] = before[k + 1] / 2 + around / 8
      end
    end
  end
  return cells
end

local function cycles(iterations)
  local record = star(iterations)
  local u, cells = record:array("u"), expected(iterations)
  for y = 1, H - 2 do
    for x = 1, W - 2 do
      assert(u:at(x, y, 0) == cells[y * W + x], string.format("the cell of PE (%d, %d) is wrong", x, y))
    end
  end
  return record.marks["end"].last - record.marks.begin.first
end

local result = (cycles(4) - cycles(2)) / 2
print(string.format("%d x %d PEs: %g cycles per iteration", W, H, result))
wse.user{cycles = result}

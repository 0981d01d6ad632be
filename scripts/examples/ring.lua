-- A ring of PEs along the border of a rectangle; what each PE has goes all the way round, and
-- every PE adds up what passes. Neighbours send on different colours:
--   o red > o blue > o red > ...  and round the corners, clockwise, back to (0, 0)
local wse = require "wse"

-- The PEs of the border in clockwise order.
local function clockwise(width, height)
  local ring = {}
  for x = 0, width - 2 do ring[#ring + 1] = {x, 0} end
  for y = 0, height - 2 do ring[#ring + 1] = {width - 1, y} end
  for x = width - 1, 1, -1 do ring[#ring + 1] = {x, height - 1} end
  for y = height - 1, 1, -1 do ring[#ring + 1] = {0, y} end
  return ring
end

local function ring_of(width, height)
  local w = wse.layout(width, height)
  local ring = clockwise(width, height)
  w:const("N", #ring)
  w:program[[
.program member(rx: colour, tx: colour)
  .i32 value exported = 10 * x + y
  .i32 sum exported
  .reg k, passing, total
  task main:
    mov32 passing, value
    mov32 total, passing
    mov32 k, 1
  next:
    mov32 fabout(tx), passing
    mov32 passing, fabin(rx)
    add32 total, total, passing
    add32 k, k, 1
    blt   k, N, next
    mov32 sum, total
]]
  local colour = {[0] = w:colour("red"), w:colour("blue")} -- by the parity of the sender
  for k = 0, 1 do
    w:place("member", w:border() * w:checkerboard(k), {tx = colour[k], rx = colour[1 - k]})
  end
  for k, pe in ipairs(ring) do
    w:path(colour[(pe[1] + pe[2]) % 2], {pe, ring[k % #ring + 1]})
  end
  return w, ring
end

local function measure(width, height)
  local w, ring = ring_of(width, height)
  local record = w:run()
  local sums, expected = record:array("sum"), 0
  for _, pe in ipairs(ring) do expected = expected + 10 * pe[1] + pe[2] end
  for _, pe in ipairs(ring) do assert(sums:at(pe[1], pe[2]) == expected, "a sum is wrong") end
  return {PEs = #ring, cycles = record.cycles, hop = record.cycles / (#ring - 1), sum = expected}
end

local W, H = wse.argument("W", 16, 1, 65535), wse.argument("H", 8, 1, 65535)
local rows = {}
for _, part in ipairs{4, 2, 1} do
  rows[#rows + 1] = measure(math.max(W // part, 2), math.max(H // part, 2))
end
print(wse.table(rows, {"PEs", "cycles", {name = "hop", title = "cycles of a hop", format = "%.1f"},
                       "sum"}))

-- A whole wafer, 755 x 994 PEs with ten colours and three programs, within the default limits.
local wse = require "wse"

local W, H = 755, 994
local w = wse.layout(W, H)
w:program[[
.program inner(a: colour, b: colour)
  task main:
    mov32 r1, a + b
.program edge(n: i32)
  task main:
    mov32 r1, n
.program corner
  task main:
]]
local corners = w:rect({0, W - 1, W - 1}, {0, H - 1, H - 1})
local exchange = {
  {"east", "west", w:column(W - 1), w:column(0)}, {"west", "east", w:column(0), w:column(W - 1)},
  {"south", "north", w:row(H - 1), w:row(0)}, {"north", "south", w:row(0), w:row(H - 1)},
}
local channels = {}
for _, way in ipairs(exchange) do
  local to, from, last, first = table.unpack(way)
  channels[to] = w:colours(to, 2)
  for k = 0, 1 do
    w:route(channels[to][k + 1], w:checkerboard(k) - last, "ramp -> " .. to)
    w:route(channels[to][k + 1], w:checkerboard(1 - k) - first, from .. " -> ramp")
  end
end
for k = 0, 1 do
  w:place("inner", w:checkerboard(k) - w:border(),
          {a = channels.east[k + 1], b = channels.north[2 - k]})
end
w:place("edge", w:border() - corners, {n = "x + y"})
w:place("corner", corners)
w:multicast(w:colour("flood"), {W // 2, H // 2}, w:all())
local rows = w:colour("rows")
for y = 0, H - 1 do -- every PE hands the words on to its neighbour
  w:tree(rows, {0, y}, function(x) return x < W - 1 and {{x + 1, y}} or nil end)
end

local text = w:text()
local _, lines = text:gsub("\n", "")
assert(lines < 80, lines)
assert(text:find("\n.route flood at (378..753, 497): west -> east, north, south, ramp\n", 1, true))
assert(text:find("\n.route rows at (1..753, 0..993): west -> east, ramp\n", 1, true))

-- Forty more channels, each in a strip of its own columns: the layout numbers them all.
local strips = w:colours("strip", 40)
for k, strip in ipairs(strips) do
  w:path(strip, {{18 * k, 0}, {18 * k, H - 1}})
end
local _, shared = w:text():gsub("strip%d+ = %l%w*", "")
assert(shared >= 40 - 14, shared)

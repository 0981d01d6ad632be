-- y = A x: every PE holds a tile of M x N elements of A. The first row of PEs has x and sends it
-- down the columns; the parts of y are added along the rows, from east to west:
--     x x x x
--     v v v v
--     y < + <      neighbours of a row send on two colours in turn
local wse = require "wse"

local function gemv(width, height, M, N)
  local w = wse.layout(width, height)
  w:const("M", M)
  w:const("N", N)
  local down, red, blue = w:colour("down"), w:colour("red"), w:colour("blue")
  w:program[[
.program tile(rx: colour, tx: colour)
  .f32 a[N, M] exported                   ; by columns
  .f32 x[N] exported
  .f32 y[M] exported
  .reg j, factor
  .dsr column
  .microthread feed
  task main:
    fmovs fabout(down), x[0:y == 0 ? N : 0] async feed
    setd  column, save(a[0, :])
    mov32 j, 0
  next:
    mov32 factor, fabin(down)
    fmacs y, y, column, factor
    add32 j, j, 1
    blt   j, N, next
    fmovs fabout(tx), y[0:x == width - 1 ? M : 0]
    fadds fabout(tx), y[0:0 < x && x < width - 1 ? M : 0], fabin(rx)
    fadds y, y[0:x == 0 ? M : 0], fabin(rx)
]]
  w:place("tile", w:all(), {rx = "x % 2 ? red : blue", tx = "x % 2 ? blue : red"})
  w:route(down, w:row(0), "ramp -> south, ramp")
  w:route(down, w:rect({0, width - 1}, {1, height - 2}), "north -> south, ramp")
  w:route(down, w:row(height - 1), "north -> ramp")
  for x = 1, width - 1 do
    local colour = x % 2 == 1 and blue or red
    w:route(colour, w:column(x), "ramp -> west")
    w:route(colour, w:column(x - 1), "east -> ramp")
  end
  return w
end

local function A(row, column) return (3 * row + column) % 7 - 3 end
local function X(column) return column % 5 - 1 end

local function measure(width, height, M, N)
  local record = gemv(width, height, M, N):run{inputs = {
    a = function(x, y, i) return A(y * M + i % M, x * N + i // M) end,
    x = function(x, y, i) return y == 0 and X(x * N + i) or 0 end,
  }}
  local result = record:array("y")
  for row = 0, height * M - 1 do
    local sum = 0
    for column = 0, width * N - 1 do sum = sum + A(row, column) * X(column) end
    assert(result:at(0, row // M, row % M) == sum, "an element is wrong")
  end
  local products = width * N * height * M
  return {rows = height * M, columns = width * N, PEs = width * height, cycles = record.cycles,
          per_cycle = products / record.cycles}
end

local W, H = wse.argument("W", 16, 1, 65535), wse.argument("H", 16, 1, 65535)
local M, N = wse.argument("M", 8, 1, 64), wse.argument("N", 4, 1, 64)
local rows = {}
for _, part in ipairs{4, 2, 1} do
  rows[#rows + 1] = measure(math.max(W // part, 2), math.max(H // part, 2), M, N)
end
print(wse.table(rows, {"rows", "columns", "PEs", "cycles",
                       {name = "per_cycle", title = "products per cycle", format = "%.1f"}}))

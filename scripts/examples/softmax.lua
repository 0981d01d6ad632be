-- Softmax of rows of numbers, each spread over a row of PEs: e^(v - m) / s, where m is the largest number of the row
-- and s the sum of all e^(v - m).
local wse = require "wse"
local W, H, B = wse.argument("W", 8, 1, 64), wse.argument("H", 4, 1, 64), wse.argument("B", 12, 1, 256)

local w = wse.layout(W, H):use(require "collectives.calls")
w:const("B", B)
w:add'.include "math.wsa"'
w:allreduce{name = "largest_of_row", along = "rows", data = "most", op = "max", length = 1}
w:allreduce{name = "sum_of_row", along = "rows", data = "sum", length = 1}
w:program[[
.program softmax
  .f32 v[B] exported
  .f32 most[1]
  .f32 sum[1]
  .reg value
  task main:
    mov32 value, -inf
    fmaxs value, value, v
    mov32 most[0], value
    largest_of_row
    fsubs v, v, most[0]
    map   v, exp_f32, v
    mov32 value, 0.0
    fadds value, value, v
    mov32 sum[0], value
    sum_of_row
    fdivs value, 1.0, sum[0]
    fmuls v, v, value
]]
w:place("softmax", w:all())

local function number(x, y, i) return ((x * 37 + y * 101 + i * 59) % 241) / 16 - 4 end
local record = w:run{inputs = {v = number}}
local sums = {}
for y = 0, H - 1 do
  sums[y] = 0
  for x = 0, W - 1 do
    for i = 0, B - 1 do sums[y] = sums[y] + math.exp(number(x, y, i)) end
  end
end
local largest = record:compare("v", function(x, y, i) return math.exp(number(x, y, i)) / sums[y] end).largest
print(("%d rows of %d numbers: %d cycles, error %.1e"):format(H, W * B, record.cycles, largest))
assert(largest < 1e-6)

-- Layer norm of rows of numbers, each spread over a row of PEs: (v - m) / sqrt(s + epsilon) g + b, where m is the mean
-- of the row and s the mean of all (v - m)^2; g and b belong to the place in the row.
local wse = require "wse"
local W, H, B = wse.argument("W", 8, 1, 64), wse.argument("H", 4, 1, 64), wse.argument("B", 12, 1, 256)

local w = wse.layout(W, H):use(require "collectives.calls")
w:const("B", B)
w:add'.include "math.wsa"\n.include "blas.wsa"'
w:allreduce{name = "sum_of_row", along = "rows", data = "sum", length = 1, root = "best"}
w:program[[
.program norm
  .f32 v[B] exported
  .f32 g[B] = 1 + (B * x + i) % 5 / 8.0
  .f32 b[B] = (B * x + i) % 3 - 1
  .f32 square[B]
  .f32 sum[1]
  .reg value
  task main:
    mov32 value, 0.0
    fadds value, value, v
    mov32 sum[0], value
    sum_of_row
    fmuls value, sum[0], 1.0 / (B * width)
    fsubs v, v, value
    dot_f32 value, v, v, square
    mov32 sum[0], value
    sum_of_row
    fmuls value, sum[0], 1.0 / (B * width)
    fadds value, value, 1e-5
    call  value, rsqrt_f32, value
    fmuls v, v, value
    fmuls v, v, g
    fadds v, v, b
]]
w:place("norm", w:all())

local function number(x, y, i) return ((x * 37 + y * 101 + i * 59) % 241) / 16 - 4 end
local record = w:run{inputs = {v = number}}
local means, roots = {}, {}
for y = 0, H - 1 do
  local sum, squares = 0, 0
  for k = 0, W * B - 1 do sum = sum + number(k // B, y, k % B) end
  means[y] = sum / (W * B)
  for k = 0, W * B - 1 do squares = squares + (number(k // B, y, k % B) - means[y]) ^ 2 end
  roots[y] = math.sqrt(squares / (W * B) + 1e-5)
end
local largest = record:compare("v", function(x, y, i)
  local k = B * x + i
  return (number(x, y, i) - means[y]) / roots[y] * (1 + k % 5 / 8) + k % 3 - 1
end).largest
print(("%d rows of %d numbers: %d cycles, error %.1e"):format(H, W * B, record.cycles, largest))
assert(largest < 1e-5)

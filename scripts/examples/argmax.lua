-- The largest of the numbers of all PEs, and where it is: the first PE, row by row, that has it.
local wse = require "wse"
local W, H, B = wse.argument("W", 8, 1, 64), wse.argument("H", 6, 1, 64), wse.argument("B", 16, 1, 1024)

local w = wse.layout(W, H):use(require "collectives.calls")
w:const("B", B)
w:add'.include "blas.wsa"'
w:allreduce{name = "largest_of_all", data = "best", op = "max", length = 1}
w:allreduce{name = "first_of_all", data = "place", op = "min", type = "i32", length = 1}
w:program[[
.program search
  .f32 v[B] exported
  .f32 best[1]
  .i32 place[1] = 0x7fffffff
  .reg index, value
  task main:
    argmax_f32 index, value, v, B
    mov32 best[0], value
    largest_of_all
    fbne  value, best[0], others
    add32 place[0], index, B * (width * y + x)
  others:
    first_of_all
]]
w:place("search", w:all())

local function number(x, y, i) return (x * 37 + y * 101 + i * 59) % 241 end
local record = w:run{inputs = {v = number}}
local best, place = -1, nil
for y = 0, H - 1 do
  for x = 0, W - 1 do
    for i = 0, B - 1 do
      if number(x, y, i) > best then best, place = number(x, y, i), B * (W * y + x) + i end
    end
  end
end
assert(record:symbol(W - 1, H - 1, "best")[1] == best and record:symbol(0, 0, "place")[1] == place)
print(("%d PEs: %d at %d, %d cycles"):format(W * H, best, place, record.cycles))

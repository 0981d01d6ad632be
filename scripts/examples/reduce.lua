-- Adds up 8 words of every PE of a row, from east to west; neighbours send on two colours in turn.
local wse = require "wse"
local out, rows = wse.argument("out", "out"), {}
for _, P in ipairs{4, 16, 64, 256} do
  local w = wse.layout(P, 1)
  local red, blue = w:colour("red"), w:colour("blue")
  w:program[[.program member(rx: colour, tx: colour)
  .f32 v[8] exported = x + i
  task main:
    fmovs fabout(tx), v[0:x == width - 1 ? 8 : 0]
    fadds fabout(tx), v[0:0 < x && x < width - 1 ? 8 : 0], fabin(rx)
    fadds v, v[0:x == 0 ? 8 : 0], fabin(rx)]]
  w:place("member", w:all(), {rx = "x % 2 ? red : blue", tx = "x % 2 ? blue : red"})
  for x = 1, P - 1 do w:path(x % 2 == 0 and red or blue, {{x, 0}, {x - 1, 0}}) end
  local model, wse2 = w:run{machine = "model"}, w:run{machine = "wse2"}
  rows[#rows + 1] = {P = P, model = model.cycles, wse2 = wse2.cycles, sum = wse2:array("v")[1]}
end
print(wse.table(rows, {"P", "model", "wse2", "sum"}))
wse.plot{file = out .. "/reduce.svg", rows = rows, x = "P", y = {"model", "wse2"}, log = "xy",
         title = "8 words of P PEs added up", y_label = "cycles"}

-- A PE of a collective whose program never calls it: the others would wait for ever.
local wse = require "wse"
wse.argument("size")
local w = wse.layout(4, 1):use(require "collectives.calls")
w:allreduce{name = "total", data = "v"}
w:program[[
.program sums
  .f32 v[2] = x
  task main:
    total
.program idle
  task main:
]]
w:place("sums", w:rect({0, 2}, 0))
w:place("idle", w:pe(3))
w:run()
--- expect
--- calls_not_said.lua:16: w:run: PE (3, 0) is one of 'total' (w:allreduce, calls_not_said.lua:5), and its program 'idle' (calls_not_said.lua:6) never says 'total'

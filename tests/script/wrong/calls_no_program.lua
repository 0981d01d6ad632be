-- A PE of a collective without a program.
local wse = require "wse"
wse.argument("size")
local w = wse.layout(4, 1):use(require "collectives.calls")
w:allreduce{name = "total", data = "v"}
w:program[[
.program sums
  .f32 v[2] = x
  task main:
    total
]]
w:place("sums", w:rect({0, 2}, 0))
w:run()
--- expect
--- calls_no_program.lua:13: w:run: PE (3, 0) is one of 'total' (w:allreduce, calls_no_program.lua:5) and has no program; w:place says which it runs

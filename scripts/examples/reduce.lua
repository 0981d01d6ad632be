-- Adds up 8 words of every PE of a row, from east to west; neighbours send on two colours in turn.
local wse = require "wse"
local out = wse.argument("out", "out")
local function reduce(point)
  local last = point.P - 1
  local w = wse.layout(point.P, 1)
  local hop = w:colours("hop", 2)
  for x = 1, last do w:path(hop[x % 2 + 1], {{x, 0}, {x - 1, 0}}) end
  w:program{file = "scripts/examples/chain.wsa"}
  w:place("west_end", w:pe(0), {rx = hop[2]})
  w:place("middle", w:rect({1, last - 1}, 0), {rx = "x % 2 ? hop1 : hop2", tx = "x % 2 ? hop2 : hop1"})
  w:place("east_end", w:pe(last), {tx = hop[last % 2 + 1]})
  local record = w:run{machine = point.machine}
  return {cycles = record.cycles, sum = record:array("v")[1]}
end
local sizes = {P = {4, 16, 64, 256}, machine = {"model", "wse2"}}
local rows = wse.sweep{over = sizes, order = {"machine", "P"}, run = reduce}
print(wse.table(rows, {"machine", "P", "cycles", "sum"}))
wse.plot{file = out .. "/reduce.svg", rows = rows, x = "P", y = "cycles", series = "machine",
         log = "xy", title = "8 words of P PEs added up"}

-- Transfers that the nodes of runs have counted, beside the formulas of Table 2:
--   wsevm run scripts/alltoall/transfers.lua m=24 out=out
-- Writes transfers.csv and transfers.svg. README.md reads the result.
local broadcast = require "alltoall.broadcast"
local reduce = require "alltoall.reduce"
local table2 = require "alltoall.study.table2"
local wse = require "wse"

local m = wse.argument("m", 60)
local most = wse.argument("d", 6)
local out = wse.argument("out", "out")
wse.no_more_arguments()

local list = {}
for d = 2, most do
  for _, algorithm in ipairs(table2.algorithms) do
    list[#list + 1] = {algorithm = algorithm, d = d, m = m}
  end
end

local rows = wse.sweep{points = list, order = {"algorithm", "d", "m"}, title = "transfers",
                       run = function(p)
  local library = p.algorithm == "reduce-and-spread" and reduce or broadcast
  local result = library.run{algorithm = p.algorithm, d = p.d, m = p.m, machine = "cm200"}
  assert(result.max_abs_error == 0)
  return {counted = result.transfers, table2 = table2.transfers(p.algorithm, p.m, p.d)}
end}
wse.write_csv(out .. "/transfers.csv", rows, {"algorithm", "d", "m", "counted", "table2"})
print(wse.table(rows, {"algorithm", "d", "m", "counted", "table2"}))

local lines = {}
for number, algorithm in ipairs(table2.algorithms) do
  local line = {name = algorithm, number = number, x = {}, y = {}}
  for _, row in ipairs(rows) do
    if row.algorithm == algorithm then
      line.x[#line.x + 1], line.y[#line.y + 1] = row.d, row.counted
    end
  end
  lines[number] = line
end
wse.plot{file = out .. "/transfers.svg", lines = lines, log = "y", x_label = "dimensions",
         y_label = "transfers", title = string.format("Transfers of %d words per node", m)}

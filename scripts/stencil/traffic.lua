-- Instructions and words of a cell, of an inner PE, beside Table IV of the paper. The rows are
-- those whose sums every run compares with its record:
--   wsevm run scripts/stencil/traffic.lua out=out
local acoustic = require "stencil.acoustic25"
local published = require "stencil.study.published"
local wse = require "wse"

local nz = wse.argument("nz", 1000)
local out = wse.argument("out", "out")
wse.no_more_arguments()

local rows = {}
for _, kernel in ipairs{"paper", "fused"} do
  local result, _, request, _, counts = acoustic.run{nx = 11, ny = 11, nz = nz, steps = 1,
                                                     kernel = kernel}
  local total = {kernel = kernel, name = "all", count = 0, flop = 0, loads = 0, stores = 0,
                 fabric = 0}
  for _, count in ipairs(counts) do
    local row = {kernel = kernel, name = count.name, count = count.inner / request.padded}
    for _, what in ipairs{"flop", "loads", "stores", "fabric"} do
      row[what] = row.count * count[what]
      total[what] = total[what] + row[what]
    end
    total.count = total.count + row.count
    rows[#rows + 1] = row
  end
  assert(math.abs(total.flop - result.flop_per_cell) < 1e-9)
  rows[#rows + 1] = total
end
local total = {kernel = "Table IV", name = "all", count = 0, flop = 0, loads = 0, stores = 0,
               fabric = 0}
for _, operation in ipairs(published.operations) do
  local row = {kernel = "Table IV", name = operation.name, count = operation.count}
  for _, what in ipairs{"flop", "loads", "stores", "fabric"} do
    row[what] = operation.count * operation[what]
    total[what] = total[what] + row[what]
  end
  total.count = total.count + row.count
  rows[#rows + 1] = row
end
rows[#rows + 1] = total

local columns = {"kernel", {name = "name", title = "instruction"}}
for _, what in ipairs{"count", "flop", "loads", "stores", "fabric"} do
  columns[#columns + 1] = {name = what, format = "%.2f"}
end
print(wse.table(rows, columns))
wse.write_csv(out .. "/traffic.csv", rows,
              {"kernel", "name", "count", "flop", "loads", "stores", "fabric"})

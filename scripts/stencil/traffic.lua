-- Instructions and words of a cell, of an inner PE, beside Table IV of the paper. The rows are
-- those whose sums every run compares with its record:
--   wsevm run scripts/stencil/traffic.lua out=out
local acoustic = require "stencil.acoustic25"
local published = require "stencil.study.published"
local wse = require "wse"

local nz = wse.argument("nz", 1000)
local out = wse.argument("out", "out")
wse.no_more_arguments()

local kWhat = {"flop", "loads", "stores", "fabric"}
local rows = {}

-- The rows of the operations, each with its count for a cell, and their sum, which it returns.
local function add(kernel, operations, count_of)
  local total = {kernel = kernel, name = "all", count = 0, flop = 0, loads = 0, stores = 0,
                 fabric = 0}
  for _, operation in ipairs(operations) do
    local row = {kernel = kernel, name = operation.name, count = count_of(operation)}
    for _, what in ipairs(kWhat) do
      row[what] = row.count * operation[what]
      total[what] = total[what] + row[what]
    end
    total.count = total.count + row.count
    rows[#rows + 1] = row
  end
  rows[#rows + 1] = total
  return total
end

for _, kernel in ipairs{"paper", "fused", "static", "compiled"} do
  local result, _, request, _, counts = acoustic.run{nx = 11, ny = 11, nz = nz, steps = 1,
                                                     kernel = kernel}
  local total = add(kernel, counts, function(count) return count.inner / request.padded end)
  assert(math.abs(total.flop - result.flop_per_cell) < 1e-9)
end
add("Table IV", published.operations, function(operation) return operation.count end)

local columns = {"kernel", {name = "name", title = "instruction"}}
for _, what in ipairs{"count", "flop", "loads", "stores", "fabric"} do
  columns[#columns + 1] = {name = what, format = "%.2f"}
end
print(wse.table(rows, columns))
wse.write_csv(out .. "/traffic.csv", rows,
              {"kernel", "name", "count", "flop", "loads", "stores", "fabric"})

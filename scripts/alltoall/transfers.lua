-- Transfers that the nodes of runs have counted, beside the formulas of Table 2:
--   wsevm run scripts/alltoall/transfers.lua m=120 out=out
-- study/study.lua has the arguments of all studies. README.md reads the result.
local broadcast = require "alltoall.broadcast"
local reduce = require "alltoall.reduce"
local study = require "support.study"
local table2 = require "alltoall.study.table2"
local transpose = require "alltoall.transpose"
local wse = require "wse"

local m = study.integer("m", 120, 1)
local most = study.integer("d", 6, 2, 12)
local self = study.begin("transfers")

-- Returns whether Table 2 has an algorithm for d dimensions: transpositions are of square arrays of nodes.
local function applies(algorithm, d) return algorithm ~= "transpose" or d % 2 == 0 end

local points = {}
for _, algorithm in ipairs(table2.algorithms) do
  for d = 2, most do
    if applies(algorithm, d) then points[#points + 1] = {algorithm = algorithm, d = d, m = m} end
  end
end
local rows = study.rows(self, points, {"algorithm", "d", "m"}, function(p)
  local library = p.algorithm == "reduce-and-spread" and reduce or p.algorithm == "transpose" and transpose or broadcast
  local result = library.run{algorithm = library ~= transpose and p.algorithm or nil, d = p.d, m = p.m, machine = "cm200"}
  assert(result.max_abs_error == 0)
  return {counted = result.transfers, table2 = table2.transfers(p.algorithm, p.m, p.d)}
end)

-- A line for each algorithm, a column for each d.
local lines, texts = {}, {}
for number, algorithm in ipairs(table2.algorithms) do
  local function is(row) return row.algorithm == algorithm end
  lines[number] = study.line(algorithm, number, rows, "d", "counted", is)
  local text = {algorithm = algorithm, counted = "equal to Table 2"}
  for _, row in ipairs(rows) do
    if is(row) then
      text["d=" .. row.d] = row.counted
      if row.counted ~= row.table2 then text.counted = "not as in Table 2" end
    end
  end
  texts[number] = text
end
local columns = {"algorithm"}
for d = 2, most do columns[#columns + 1] = "d=" .. d end
columns[#columns + 1] = "counted"
print(wse.table(texts, columns))
study.draw(self, {lines = study.joined(lines), log = "y", x_label = "dimensions",
                  y_label = "transfers",
                  title = string.format("Transfers of %d words per node", m)})

-- Matrix-vector and vector-matrix products of P x P matrices on 2-D arrays of nodes, beside Table 19: whole programs of
-- 32-bit elements, and what products of 64 bits took by motion of runs and fits (study/product_times.lua):
--   wsevm run scripts/alltoall/products.lua out=out
-- most=P: the largest matrix; whole=P: of larger ones the first 8 terms of each sum are run,
-- scaled. study/study.lua has the arguments of all studies. README.md reads the result.
local matvec = require "alltoall.matvec"
local product_times = require "alltoall.study.product_times"
local published = require "alltoall.study.published"
local study = require "support.study"
local wse = require "wse"

local most, whole = study.integer("most", 24576, 1024), study.integer("whole", 2048, 0)
local self = study.begin("products")

local kSteps = 8
local kinds = {"matrix-vector", "vector-matrix"}

local points, paper = {}, {}
for _, kind in ipairs(kinds) do
  for _, row in ipairs(published.table19[kind]) do
    local P, nodes, mflops, ms = table.unpack(row, 1, 4)
    if P <= most then
      points[#points + 1] = {product = kind, nodes = nodes, P = P}
      paper[#points] = {mflops = mflops, ms = ms}
    end
  end
end
local rows = study.rows(self, points, {"product", "nodes", "P"}, function(p)
  local result = matvec.run{product = p.product, P = p.P, Q = p.P, nodes = "grid",
                            d = study.dimensions(p.nodes), machine = "cm200",
                            steps = p.P > whole and kSteps or nil}
  assert(result.max_abs_error == 0)
  local moving = result.broadcast_cycles + result.reduce_cycles + result.exchange_cycles
  return {ms = result.milliseconds, mflops = result.mflops, moving = moving / result.cycles,
          scaled = result.scaled}
end)
for k, row in ipairs(rows) do
  row.published_ms, row.published_mflops = paper[k].ms, paper[k].mflops
  row.whole_ms = product_times.of(row.product, row.P, study.dimensions(row.nodes))
  row.whole_mflops = 2 * row.P * row.P / (1000 * row.whole_ms)
  row.percent_off = 100 * (row.whole_mflops / row.published_mflops - 1)
  row.mark = row.scaled and "scaled" or ""
end
print(wse.table(rows, {"product", "nodes", "P", {name = "whole_ms", title = "64 bits, ms", format = "%.2f"},
                       {name = "published_ms", title = "published", format = "%.2f"},
                       {name = "whole_mflops", title = "Mflop/s", format = "%.0f"},
                       {name = "published_mflops", title = "published"},
                       {name = "percent_off", title = "% off", format = "%.1f"},
                       {name = "ms", title = "f32, ms", format = "%.2f"},
                       {name = "moving", title = "communication", format = function(v)
                         return string.format("%.0f %%", 100 * v)
                       end}, {name = "mark", title = "scaled"}}))

local lines = {}
for number, nodes in ipairs{256, 512, 1024, 2048} do
  local function is(row) return row.product == "matrix-vector" and row.nodes == nodes end
  lines[#lines + 1] = study.line(nodes .. " nodes, run and fits", number, rows, "P", "whole_mflops", is)
  lines[#lines + 1] = study.line(nodes .. " nodes, measured", number, rows, "P", "published_mflops",
                                 is)
  lines[#lines].dashed = true
end
study.draw(self, {log = "xy", x_label = "rows and columns of the matrix", y_label = "Mflop/s",
                  title = "Matrix-vector products of 64 bits", lines = lines})

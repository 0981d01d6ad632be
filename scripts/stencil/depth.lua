-- Cycles per cell for columns of several depths, where they are spent, beside what was measured:
--   wsevm run scripts/stencil/depth.lua out=out
-- alltoall/study/study.lua has the arguments of all studies. lib/STUDY.md reads the result.
local points = require "stencil.study.points"
local published = require "stencil.study.published"
local study = require "support.study"
local wse = require "wse"

local side = wse.argument("side", 24)
local steps = wse.argument("steps", 3)
local self = study.begin("depth")

local list = {}
for _, kernel in ipairs(points.kernels) do
  for nz = 100, 1000, 100 do
    list[#list + 1] = {kernel = kernel, nx = side, ny = side, nz = nz, steps = steps}
  end
end
local rows = study.rows(self, list, {"kernel", "nx", "ny", "nz", "steps"}, points.run)

for _, row in ipairs(rows) do
  local measured = published.cycles[row.nz]
  if measured and row.kernel:find("paper", 1, true) then
    row.measured = measured / row.nz
    row.off = 100 * (row.cycles_per_step / measured - 1)
  end
end
local function number(name, title, format)
  return {name = name, title = title, format = format or "%.2f"}
end
print(wse.table(rows, {"kernel", "nz", "block", number("cycles_per_cell", "cycles"),
                       number("issue_per_cell", "issue"), number("stall_per_cell", "stall"),
                       number("set_up_per_cell", "set-up"), number("waiting_per_cell", "waiting"),
                       number("measured", "measured"), number("off", "% off", "%.1f")}))

local lines = {}
for k, kernel in ipairs(points.kernels) do
  lines[k] = study.line(points.title(kernel), k, rows, "nz", "cycles_per_cell",
                        function(row) return row.kernel == kernel end)
end
local paper = {name = "measured", number = #points.kernels + 1, line = false, x = {}, y = {}}
for _, nz in ipairs{100, 1000} do
  paper.x[#paper.x + 1], paper.y[#paper.y + 1] = nz, published.cycles[nz] / nz
end
lines[#lines + 1] = paper
study.draw(self, {lines = lines, x_label = "cells of a column", y_label = "cycles per cell",
                  y_range = {0, 80}, title = string.format("Depth of the grid, %d x %d PEs", side,
                                                           side)})

-- Weak scaling: the same column on more and more PEs, beside Table II of the paper:
--   wsevm run scripts/stencil/weak.lua out=out
-- nz=1000 and most=200 are those of the paper; a run of 200 x 200 x 1000 takes minutes.
-- alltoall/study/study.lua has the arguments of all studies. lib/STUDY.md reads the result.
local points = require "stencil.study.points"
local published = require "stencil.study.published"
local study = require "support.study"
local wse = require "wse"

local nz = wse.argument("nz", 100)
local steps = wse.argument("steps", 2)
local most = wse.argument("most", 200)
local self = study.begin("weak")

local kernels = {"paper other", "fused", "static", "compiled"}
local list = {}
for _, kernel in ipairs(kernels) do
  for _, side in ipairs{8, 16, 24, 32, 64, 100, 200} do
    if side <= most then
      list[#list + 1] = {kernel = kernel, nx = side, ny = side, nz = nz, steps = steps}
    end
  end
end
local rows = study.rows(self, list, {"kernel", "nx", "ny", "nz", "steps"}, points.run)

local first = {}
for _, row in ipairs(rows) do
  if row.nx == 32 then first[row.kernel] = row.cycles_per_step end
  row.pes = row.nx * row.ny
end
for _, row in ipairs(rows) do
  row.efficiency = first[row.kernel] and 100 * first[row.kernel] / row.cycles_per_step
end
print(wse.table(rows, {"kernel", "nx", "ny", {name = "cycles_per_cell", format = "%.2f"},
                       {name = "waiting_per_cell", title = "waiting", format = "%.2f"},
                       {name = "gcell_per_s", title = "Gcell/s", format = "%.1f"},
                       {name = "efficiency", title = "% of 32 x 32", format = "%.1f"}}))

local lines = {}
for number, kernel in ipairs(kernels) do
  lines[number] = study.line(points.title(kernel), number, rows, "pes", "gcell_per_s",
                             function(row) return row.kernel == kernel end)
end
local paper = {name = "measured (Table II, nz = 1000)", number = #kernels + 1, line = false, x = {}, y = {}}
for k, row in ipairs(published.weak) do
  paper.x[k], paper.y[k] = row.nx * row.ny, row.gcell_per_s
end
lines[#lines + 1] = paper
study.draw(self, {lines = lines, log = "xy", x_label = "PEs", y_label = "Gcell/s",
                  title = string.format("Weak scaling, columns of %d cells", nz)})

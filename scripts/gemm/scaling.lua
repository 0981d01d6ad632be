-- Weak and strong scaling:  wsevm run scripts/gemm/scaling.lua P=128 code=best
-- weak: tiles of 4 and of 8; strong: matrices of 128. P: the largest side of the grid. speed_up is
-- over summa. Takes out= and rows= as all studies.
local algorithms = require "gemm.study.algorithms"
local study = require "support.study"
local wse = require "wse"

local most, code = study.integer("P", 64, 4, 128), wse.argument("code", "best")
local self = study.begin("scaling")

local points = {}
for _, regime in ipairs{"weak 4", "weak 8", "strong 128"} do
  for _, P in ipairs(algorithms.doubled(4, most)) do
    for _, name in ipairs(algorithms.names) do
      points[#points + 1] = {regime = regime, P = P, algorithm = name, code = code}
    end
  end
end

local rows = study.rows(self, points, {"regime", "P", "algorithm", "code"}, function(point)
  local size = point.regime == "strong 128" and 128 or tonumber(point.regime:match("%d")) * point.P
  size = math.tointeger(size)
  local result = algorithms.run{algorithm = point.algorithm, P = point.P, M = size, K = size,
                                N = size, code = point.code}
  return {cycles = result.cycles, per_step = result.cycles_per_step,
          utilisation = result.utilisation}
end)

for _, row in ipairs(rows) do
  local all = algorithms.by_name(rows, function(other)
    return other.regime == row.regime and other.P == row.P
  end)
  row.per_P, row.speed_up = row.cycles / row.P, all.summa.cycles / row.cycles
end
print(wse.table(rows, {"regime", "P", "algorithm", {name = "cycles", format = "%.0f"},
                       {name = "per_P", title = "cycles / P", format = "%.1f"},
                       {name = "per_step", title = "per step", format = "%.1f"},
                       {name = "speed_up", title = "speed-up", format = "%.2f"},
                       {name = "utilisation", format = "%.3f"}}))
study.draw(self, {
  lines = algorithms.lines(rows, "P", "per_P", function(row) return row.regime == "weak 8" end),
  log = "x", x_label = "P", y_label = "cycles / P",
  title = "Weak scaling, tiles of 8 x 8, code=" .. code})

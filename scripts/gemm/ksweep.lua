-- Long sums: P = 8, M = N = 64 and 32, K = 32..512, cycles per Kt and ratios over meshgemm:
--   wsevm run scripts/gemm/ksweep.lua K=512 code=measured
local algorithms = require "gemm.study.algorithms"
local study = require "support.study"
local wse = require "wse"

local most, code = study.integer("K", 512, 32, 2048), wse.argument("code", "measured")
local self = study.begin("ksweep")

local points = {}
for _, size in ipairs{64, 32} do
  for _, K in ipairs(algorithms.doubled(32, most)) do
    for _, name in ipairs{"summa", "summa-multicast", "cannon", "meshgemm"} do
      points[#points + 1] = {size = size, K = K, algorithm = name, code = code}
    end
  end
end

local rows = study.rows(self, points, {"size", "K", "algorithm", "code"}, function(point)
  local result = algorithms.run{algorithm = point.algorithm, P = 8, M = point.size, K = point.K,
                                N = point.size, code = point.code}
  return {cycles = result.cycles, per_Kt = result.cycles / result.Kt}
end)
for _, row in ipairs(rows) do
  local all = algorithms.by_name(rows, function(other)
    return other.size == row.size and other.K == row.K
  end)
  row.ratio = row.cycles / all.meshgemm.cycles
end
print(wse.table(rows, {{name = "size", title = "M = N"}, "K", "algorithm",
                       {name = "cycles", format = "%.0f"}, {name = "per_Kt", format = "%.1f"},
                       {name = "ratio", title = "over meshgemm", format = "%.2f"}}))
study.draw(self, {
  lines = algorithms.lines(rows, "K", "ratio", function(row) return row.size == 64 end),
  log = "x", x_label = "K", y_label = "cycles / those of meshgemm",
  title = "P = 8, M = N = 64, code=" .. code})

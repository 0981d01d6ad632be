-- Rounding over the length of the sum, beside double precision:
--   wsevm run scripts/gemm/accuracy.lua K=8192 code=best
-- f16 numbers in [0, 1), as the paper's; beyond: the share of elements that its test, which allows
-- 0.1 + 0.1 |x|, would refuse.
local algorithms = require "gemm.study.algorithms"
local study = require "support.study"
local wse = require "wse"

local most, code = study.integer("K", 8192, 32, 8192), wse.argument("code", "best")
local self = study.begin("accuracy")

local kSize, kSide = 16, 8  -- M = N, P

local points = {}
for _, accumulate in ipairs{"f16", "f32"} do
  for _, K in ipairs(algorithms.doubled(32, most)) do
    for _, name in ipairs{"summa", "meshgemm"} do
      points[#points + 1] = {accumulate = accumulate, K = K, algorithm = name, code = code}
    end
  end
end

local function beyond(all, K)
  local count = 0
  for i = 0, kSize - 1 do
    for j = 0, kSize - 1 do
      local sum = 0.0
      for k = 0, K - 1 do sum = sum + all.a[i * K + k + 1] * all.b[k * kSize + j + 1] end
      local off = math.abs(all.c[i * kSize + j + 1] - sum)
      if off > 0.1 + 0.1 * math.abs(sum) then count = count + 1 end
    end
  end
  return count / (kSize * kSize)
end

local rows = study.rows(self, points, {"accumulate", "K", "algorithm", "code"}, function(point)
  local result, _, _, all = algorithms.run{
    algorithm = point.algorithm, P = kSide, M = kSize, K = point.K, N = kSize, input = "positive",
    accumulate = point.accumulate, code = point.code, check = true}
  return {error = result.max_abs_error, relative = result.max_rel_error,
          beyond = beyond(all, point.K)}
end)
print(wse.table(rows, {"accumulate", "K", "algorithm",
                       {name = "error", title = "largest error", format = "%.3g"},
                       {name = "relative", title = "of the largest", format = "%.2g"},
                       {name = "beyond", title = "beyond 0.1 + 0.1 |x|", format = "%.3f"}}))
local lines = {}
for number, accumulate in ipairs{"f16", "f32"} do
  lines[number] = study.line("sums in " .. accumulate, number, rows, "K", "relative", function(row)
    return row.accumulate == accumulate and row.algorithm == "meshgemm"
  end)
end
study.draw(self, {lines = lines, log = "xy", x_label = "K",
                  y_label = "largest error / largest element",
                  title = "Rounding, f16 numbers in [0, 1), meshgemm, code=" .. code})

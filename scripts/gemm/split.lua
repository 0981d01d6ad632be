-- Multiplication and moves, each alone, over the side of the grid and the tile:
--   wsevm run scripts/gemm/split.lua P=32 code=best
-- The two shares add up to more than 1 where moves travel beside the multiplication.
local algorithms = require "gemm.study.algorithms"
local study = require "support.study"
local wse = require "wse"

local most, code = study.integer("P", 16, 4, 64), wse.argument("code", "best")
local self = study.begin("split")

local points = {}
for _, tile in ipairs{4, 8, 16} do
  for _, P in ipairs(algorithms.doubled(4, most)) do
    for _, name in ipairs(algorithms.names) do
      points[#points + 1] = {tile = tile, P = P, algorithm = name, code = code}
    end
  end
end

local rows = study.rows(self, points, {"tile", "P", "algorithm", "code"}, function(point)
  local result = algorithms.run{algorithm = point.algorithm, P = point.P, Mt = point.tile,
                                Kt = point.tile, Nt = point.tile, code = point.code, shares = true}
  return {cycles = result.cycles, multiply = result.multiply_share, moves = result.move_share}
end)
print(wse.table(rows, {"tile", "P", "algorithm", {name = "cycles", format = "%.0f"},
                       {name = "multiply", format = "%.3f"}, {name = "moves", format = "%.3f"}}))
study.draw(self, {
  lines = algorithms.lines(rows, "tile", "moves", function(row) return row.P == 8 end),
  log = "x", x_label = "tile", y_label = "moves alone / all", y_range = {0, 1},
  title = "Moves alone, over the time of all, P = 8, code=" .. code})

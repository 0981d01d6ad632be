-- The model's curves of Figures 11 to 13 of Near-Optimal Wafer-Scale Reduce, to lay measurements
-- beside: a row of 512 PEs and a grid of 512 x 512 over vector lengths (11, 13a, 13b), vectors of
-- 1 KB over rows and square grids (12, 13c). Writes predictions.csv and for each figure
-- figureN-model.svg into out=DIR.
local wse = require "wse"
local model = require "collectives.model"
local figures = require "collectives.figures"

local out = wse.argument("out", "out")
wse.no_more_arguments()
local kLargest <const> = 512  -- PEs in a row, or on a side
local kWords <const> = 256    -- 1 KB

local titles <const> = {
  ["11a"] = "Broadcast on a row of 512 PEs", ["11b"] = "Reduce on a row of 512 PEs",
  ["11c"] = "AllReduce on a row of 512 PEs", ["12a"] = "Broadcast of 1 KB on a row of P PEs",
  ["12b"] = "Reduce of 1 KB on a row of P PEs", ["12c"] = "AllReduce of 1 KB on a row of P PEs",
  ["13a"] = "Reduce on 512 x 512 PEs", ["13b"] = "AllReduce on 512 x 512 PEs",
  ["13c"] = "Reduce of 1 KB on P x P PEs",
}

local rows = {}

-- One curve for each pattern; P is the row's length or the grid's side.
local function curves(figure, patterns, over, estimate)
  local first = #rows + 1
  for _, pattern in ipairs(patterns) do
    for _, value in ipairs(figures[over]) do
      local P = over == "pes" and value or kLargest
      local B = over == "words" and value or kWords
      local found = estimate(pattern, P, B)
      rows[#rows + 1] = {figure = figure, pattern = pattern, P = P, B = B, cycles = found.cycles}
    end
  end
  local by_words = over == "words"
  wse.plot{file = ("%s/figure%s-model.svg"):format(out, figure), title = titles[figure], log = "xy",
           rows = table.move(rows, first, #rows, 1, {}), x = by_words and "B" or "P", y = "cycles",
           series = "pattern", x_label = by_words and figures.words_label or "P",
           y_label = "cycles, by the model"}
end

local function with_ring()
  local list = {table.unpack(model.patterns)}
  list[#list + 1] = "ring"
  return list
end
local function broadcast(_, P, B) return model.row.broadcast(P, B) end
local function reduce_2d(pattern, side, B) return model.reduce_2d(pattern, side, side, B) end
local function allreduce_2d(pattern, side, B) return model.allreduce_2d(pattern, side, side, B) end

curves("11a", {"broadcast"}, "words", broadcast)
curves("11b", model.patterns, "words", model.reduce)
curves("11c", with_ring(), "words", model.allreduce)
curves("12a", {"broadcast"}, "pes", broadcast)
curves("12b", model.patterns, "pes", model.reduce)
curves("12c", with_ring(), "pes", model.allreduce)
curves("13a", model.patterns_2d, "words", reduce_2d)
curves("13b", model.patterns_2d, "words", allreduce_2d)
curves("13c", model.patterns_2d, "pes", reduce_2d)

wse.write_csv(out .. "/predictions.csv", rows, {"figure", "pattern", "P", "B", "cycles"})
print(("%d points of 9 figures in %s/predictions.csv"):format(#rows, out))

-- Figure 1 of Near-Optimal Wafer-Scale Reduce: how far each Reduce on a row is from the lower
-- bound, by the model alone. Writes into out=DIR: figure1.csv; figure1.svg, the ratios of a row of
-- 512 PEs; figure1-PATTERN.svg, those of all sizes.
local wse = require "wse"
local model = require "collectives.model"
local figures = require "collectives.figures"

local out = wse.argument("out", "out")
wse.no_more_arguments()

local rows = {}
for _, pattern in ipairs(model.patterns) do
  figures.each_size(function(P, B)
    local cycles = model.reduce(pattern, P, B).cycles
    local bound = model.lower_bound.row(P, B).cycles
    rows[#rows + 1] = {pattern = pattern, P = P, B = B, cycles = cycles, lower_bound = bound,
                       ratio = cycles / bound}
  end)
end
-- Returns a curve for each pattern, in their order, with the look that it has in all pictures.
local function curves(of_row)
  local lines = {}
  for k, pattern in ipairs(model.patterns) do
    local line = {name = pattern, number = k, x = {}, y = {}}
    for _, row in ipairs(figures.where(of_row, "pattern", pattern)) do
      if row.ratio <= 10 then
        line.x[#line.x + 1], line.y[#line.y + 1] = row.B, row.ratio
      end
    end
    lines[k] = line
  end
  return lines
end

wse.write_csv(out .. "/figure1.csv", rows, {"pattern", "P", "B", "cycles", "lower_bound", "ratio"})

-- The star leaves the picture at 10.
wse.plot{file = out .. "/figure1.svg", lines = curves(figures.of_largest_row(rows)), log = "xy",
         y_range = {0.9, 10}, title = "Reduce on a row of 512 PEs, by the model",
         x_label = figures.words_label, x_ticks = figures.words_ticks,
         y_label = "cycles / lower bound", y_ticks = {{1, "1"}, {2, "2"}, {5, "5"}, {10, "10"}},
         width = 440, height = 360, legend = "below"}
for _, pattern in ipairs(model.patterns) do
  local own = figures.where(rows, "pattern", pattern)
  figures.heat_map(own, "ratio", {1, 6}, out .. "/figure1-" .. pattern .. ".svg",
                   pattern .. " / lower bound")
end

local worst = {}
for _, pattern in ipairs(model.patterns) do
  local row = figures.largest(figures.where(rows, "pattern", pattern), "ratio")
  worst[#worst + 1] = {pattern = pattern, ["worst ratio"] = ("%.2f"):format(row.ratio), P = row.P,
                       B = row.B}
end
print(wse.table(worst, {"pattern", "worst ratio", "P", "B"}))

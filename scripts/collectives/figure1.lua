-- Figure 1 of Near-Optimal Wafer-Scale Reduce: how far each Reduce on a row is from the lower
-- bound, by the model alone. Writes into out=DIR: figure1.csv; figure1.svg, the ratios of a row of
-- 512 PEs; figure1-PATTERN.svg, those of all sizes.
local wse = require "wse"
local model = require "collectives.model"
local figures = require "collectives.figures"

local out = wse.argument("out", "out")

local rows = {}
for _, pattern in ipairs(model.patterns) do
  figures.each_size(function(P, B)
    local cycles = model.reduce(pattern, P, B).cycles
    local bound = model.lower_bound.row(P, B).cycles
    rows[#rows + 1] = {pattern = pattern, P = P, B = B, cycles = cycles, lower_bound = bound,
                       ratio = cycles / bound}
  end)
end
wse.write_csv(out .. "/figure1.csv", rows, {"pattern", "P", "B", "cycles", "lower_bound", "ratio"})

wse.plot{file = out .. "/figure1.svg", rows = figures.of_largest_row(rows), x = "B", y = "ratio",
         series = "pattern", log = "xy", title = "Reduce on a row of 512 PEs, by the model",
         x_label = figures.words_label, y_label = "cycles / lower bound"}
for _, pattern in ipairs(model.patterns) do
  local own = figures.where(rows, "pattern", pattern)
  figures.heat_map(own, "ratio", {1, 6}, out .. "/figure1-" .. pattern .. ".svg",
                   pattern .. ": cycles / lower bound")
end

local worst = {}
for _, pattern in ipairs(model.patterns) do
  local row = figures.largest(figures.where(rows, "pattern", pattern), "ratio")
  worst[#worst + 1] = {pattern = pattern, ["worst ratio"] = ("%.2f"):format(row.ratio), P = row.P,
                       B = row.B}
end
print(wse.table(worst, {"pattern", "worst ratio", "P", "B"}))

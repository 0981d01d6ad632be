-- Figure 1 of Near-Optimal Wafer-Scale Reduce: how far each Reduce on a row is from the lower
-- bound, by the model alone. Writes figure1.csv into out=DIR.
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

local worst = {}
for _, pattern in ipairs(model.patterns) do
  local row = figures.largest(rows, "ratio", function(row) return row.pattern == pattern end)
  worst[#worst + 1] = {pattern = pattern, ["worst ratio"] = ("%.2f"):format(row.ratio), P = row.P,
                       B = row.B}
end
print(wse.table(worst, {"pattern", "worst ratio", "P", "B"}))

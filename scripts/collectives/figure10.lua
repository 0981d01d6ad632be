-- Figure 10 of Near-Optimal Wafer-Scale Reduce: which fixed AllReduce on a square grid the model
-- likes best, and its speedup over the X-Y Chain. All are a 2D Reduce and the 2D Broadcast.
-- Writes figure10.csv and figure10.svg into out=DIR.
local wse = require "wse"
local model = require "collectives.model"
local figures = require "collectives.figures"

local out = wse.argument("out", "out")
local fixed <const> = {"xy-star", "xy-chain", "xy-tree", "xy-two-phase", "snake"}

local letters <const> = {["xy-star"] = "S", ["xy-chain"] = "c", ["xy-tree"] = "T",
                         ["xy-two-phase"] = "2", ["snake"] = "n"}

local rows = {}
figures.each_size(function(side, B)
  local function estimate(pattern) return model.allreduce_2d(pattern, side, side, B) end
  local best, cycles = figures.best(fixed, estimate)
  local chain = estimate("xy-chain").cycles
  rows[#rows + 1] = {P = side, B = B, best = best, cycles = cycles, chain = chain,
                     speedup = chain / cycles, auto_gen = estimate("xy-auto-gen").cycles}
end)
wse.write_csv(out .. "/figure10.csv", rows,
              {"P", "B", "best", "cycles", "chain", "speedup", "auto_gen"})
figures.heat_map(rows, "speedup", nil, out .. "/figure10.svg",
                 "AllReduce on a square grid: speedup of the best fixed pattern over X-Y Chain",
                 letters)

print(figures.picture(rows, letters))

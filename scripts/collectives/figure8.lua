-- Figure 8 of Near-Optimal Wafer-Scale Reduce: which fixed AllReduce on a row the model likes best,
-- and its speedup over the vendor's chain and broadcast. Writes figure8.csv and .svg into out=DIR.
local wse = require "wse"
local model = require "collectives.model"
local figures = require "collectives.figures"

local out = wse.argument("out", "out")
local fixed <const> = {"star", "chain", "tree", "two-phase", "ring"}

local letters <const> = {["star"] = "S", ["chain"] = "c", ["tree"] = "T", ["two-phase"] = "2",
                         ["ring"] = "r"}

local rows = {}
figures.each_size(function(P, B)
  local function estimate(pattern) return model.allreduce(pattern, P, B) end
  local best, cycles = figures.best(fixed, estimate)
  local chain = estimate("chain").cycles
  rows[#rows + 1] = {P = P, B = B, best = best, cycles = cycles, chain = chain,
                     speedup = chain / cycles, auto_gen = estimate("auto-gen").cycles}
end)
wse.write_csv(out .. "/figure8.csv", rows,
              {"P", "B", "best", "cycles", "chain", "speedup", "auto_gen"})
figures.heat_map(rows, "speedup", nil, out .. "/figure8.svg",
                 "AllReduce on a row: speedup of the best fixed pattern over the chain", letters)

print(figures.picture(rows, letters))

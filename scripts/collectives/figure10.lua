-- Figure 10 of Near-Optimal Wafer-Scale Reduce: which fixed AllReduce on a square grid the model
-- likes best, and its speedup over the X-Y Chain. All are a 2D Reduce and the 2D Broadcast.
-- Writes figure10.csv and figure10.svg into out=DIR.
local wse = require "wse"
local model = require "collectives.model"
local figures = require "collectives.figures"

local patterns <const> = {"xy-star", "xy-chain", "xy-tree", "xy-two-phase", "snake"}
local letters <const> = {["xy-star"] = "S", ["xy-chain"] = "c", ["xy-tree"] = "T",
                         ["xy-two-phase"] = "2", ["snake"] = "n"}

local out = wse.argument("out", "out")
wse.no_more_arguments()
figures.best_of("figure10", out,
                "AllReduce on a square grid: speedup of the best fixed pattern over X-Y Chain",
                patterns, letters, "xy-chain", "xy-auto-gen",
                function(pattern, side, B) return model.allreduce_2d(pattern, side, side, B) end)

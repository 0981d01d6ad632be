-- Figure 8 of Near-Optimal Wafer-Scale Reduce: which fixed AllReduce on a row the model likes best,
-- and its speedup over the vendor's chain and broadcast. Writes figure8.csv and .svg into out=DIR.
local wse = require "wse"
local model = require "collectives.model"
local figures = require "collectives.figures"

local patterns <const> = {"star", "chain", "tree", "two-phase", "ring"}
local letters <const> = {["star"] = "S", ["chain"] = "c", ["tree"] = "T", ["two-phase"] = "2",
                         ["ring"] = "r"}

local out = wse.argument("out", "out")
wse.no_more_arguments()
figures.best_of("figure8", out,
                "AllReduce on a row: speedup of the best fixed pattern over the chain",
                patterns, letters, "chain", "auto-gen", model.allreduce)

-- Figure 11 of Near-Optimal Wafer-Scale Reduce: broadcast, reduce and allreduce on a row of 512 PEs
-- over the length of the vectors, simulated, beside the model's curves:
--   wsevm run scripts/collectives/figure11.lua out=out
-- P=64 takes another row, words=1024 the longest vector. README.md has the other arguments.
local points = require "collectives.study.points"
local study = require "collectives.study.study"
local wse = require "wse"

local P = wse.argument("P", 512)
local words = points.powers(1, wse.argument("words", 4096))

local function panel(letter, title, collective, published)
  return {name = "11" .. letter, title = ("%s on a row of %d PEs"):format(title, P),
          collective = collective, over = "B", values = words, size = P, published = published}
end

study.run("figure11", {
  panel("a", "Broadcast", "broadcast", {on = "512 PEs", error = "at most 21 %"}),
  panel("b", "Reduce", "reduce",
        {on = "512 PEs", speedup = 3.16, error = "mean 12 to 35 %", choice = 114}),
  panel("c", "AllReduce", "allreduce", {on = "512 PEs", speedup = 2.47, error = "at most 15 %"}),
})

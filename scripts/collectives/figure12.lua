-- Figure 12 of Near-Optimal Wafer-Scale Reduce: broadcast, reduce and allreduce of 256 words (1 KB)
-- over the length of the row, simulated, beside the model's curves:
--   wsevm run scripts/collectives/figure12.lua out=out
-- B=64 takes other vectors, P=64 the longest row. README.md has the other arguments.
local points = require "collectives.study.points"
local study = require "collectives.study.study"
local wse = require "wse"

local B = wse.argument("B", 256)
local pes = points.powers(4, wse.argument("P", 512))

local function panel(letter, title, collective, published)
  return {name = "12" .. letter, title = ("%s of %d words on a row"):format(title, B),
          collective = collective, over = "P", values = pes, B = B, published = published}
end

study.run("figure12", {
  panel("a", "Broadcast", "broadcast", {on = "1 KB", error = "8 to 21 %"}),
  panel("b", "Reduce", "reduce", {on = "1 KB", error = "mean 13 to 28 %"}),
  panel("c", "AllReduce", "allreduce"),
})

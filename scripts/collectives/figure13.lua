-- Figure 13 of Near-Optimal Wafer-Scale Reduce: reduce and allreduce on a square grid over the
-- length of the vectors, reduce of 256 words over the size of the grid, beside the model's curves:
--   wsevm run scripts/collectives/figure13.lua out=out
-- size=128 takes a larger grid (the paper has 512; here 64), words=4096 longer vectors, drawn=4096 the
-- model's curves alone for longer ones, B=64 other ones where the grid grows; panels=a,
-- patterns=chain,auto-gen only these. README.md has the other arguments.
local points = require "collectives.study.points"
local study = require "collectives.study.study"
local wse = require "wse"

local size = wse.argument("size", 64)
local suffix = size == 64 and "" or "-" .. size  -- of the files
local words = points.powers(1, wse.argument("words", 1024))
local drawn = wse.argument("drawn", words[#words])
local B = wse.argument("B", 256)
local letters = wse.argument("panels", "abc")

local names
for name in wse.argument("patterns", ""):gmatch("[^,]+") do
  names = names or {}
  names[#names + 1] = name
end

local function by_length(letter, title, collective, published)
  return {name = "13" .. letter .. suffix, title = ("%s on %d x %d PEs"):format(title, size, size),
          collective = collective, over = "B", values = words, size = size, grid = true,
          drawn = drawn > words[#words] and points.powers(1, drawn) or nil, names = names,
          published = published}
end

local panels = {
  by_length("a", "Reduce", "reduce",
            {on = "512 x 512 PEs", speedup = 3.27, error = "snake at most 10 %"}),
  by_length("b", "AllReduce", "allreduce", {on = "512 x 512 PEs", speedup = 2.54}),
  {name = "13c" .. suffix, title = ("Reduce of %d words on P x P PEs"):format(B), collective = "reduce",
   over = "P", values = points.powers(4, size), B = B, grid = true, names = names},
}
local wanted = {}
for _, panel in ipairs(panels) do
  if letters:find(panel.name:sub(3, 3), 1, true) then wanted[#wanted + 1] = panel end
end
study.run("figure13" .. suffix, wanted)

-- Draws the rings that tiles travel round, on one row of PEs: out/routes-cannon.svg,
-- out/routes-meshgemm.svg, and prints the colours of the second:
--   wsevm run scripts/gemm/routes.lua P=8
local rings = require "gemm.lib.rings"
local study = require "support.study"
local wse = require "wse"

local P, out = study.integer("P", 8, 2, 32), wse.argument("out", "out")
wse.no_more_arguments()

local function draw(name, title, edges)
  local layout, colours = wse.layout(P, 1), {}
  for number = 0, rings.colours - 1 do colours[number] = layout:colour("a" .. number) end
  rings.route(layout, edges, "x", colours, 0, 0)
  layout:draw{file = out .. "/routes-" .. name .. ".svg", title = title}
  return layout, colours
end

draw("cannon", "A step of cannon, P = " .. P, rings.plain_shift(rings.plain(P)))
local ring = rings.interleaved(P)
local layout, colours = draw("meshgemm", "A step of meshgemm, P = " .. P, rings.back(ring))
local order = {}
for r = 0, P - 1 do order[#order + 1] = ring.place[r] end
print("ring: " .. table.concat(order, " "))
for number = 0, rings.colours - 1 do print((layout:draw(colours[number]):gsub("\n$", ""))) end

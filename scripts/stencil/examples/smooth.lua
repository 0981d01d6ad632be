-- A box of nine points that smooths a picture, and what it takes away:
--   wsevm run scripts/stencil/examples/smooth.lua nx=40 ny=30
local stencil = require "stencil"
local wse = require "wse"
local nx, ny = wse.argument("nx", 40, 1), wse.argument("ny", 30, 1)
local steps = wse.argument("steps", 4, 1)
local out = wse.argument("out", "")  -- a file for the last values
wse.no_more_arguments()

local g = stencil.grid{nx = nx, ny = ny, tile = {5, 5}}
local picture = g:field("picture", {initial = function(x, y) return (x // 4 + y // 4) % 2 * 16.0 end})
local edges = g:field("edges")
g:update{picture, stencil.box(picture, {{1, 2, 1}, {2, 4, 2}, {1, 2, 1}}) * (1 / 16)}
g:update{edges, (picture - picture.next) ^ 2}

print(g:text())
local result = g:run{steps = steps, check = true}
print(("%.1f cycles per step, off by %.1g; picture %.4f, edges %.4f"):format(
  result.cycles_per_step, result.max_rel_error, result.value(picture, nx // 2, ny // 2),
  result.value(edges, nx // 2, ny // 2)))
if out ~= "" then result.save(picture, out) end

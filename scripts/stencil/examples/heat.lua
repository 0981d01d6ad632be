-- Heat in a plate, five points, a tile of cells for each PE:
--   wsevm run scripts/stencil/examples/heat.lua nx=64 ny=48 steps=50
local stencil = require "stencil"
local wse = require "wse"
local nx, ny = wse.argument("nx", 64, 3), wse.argument("ny", 48, 3)
local steps = wse.argument("steps", 50, 1)
local out = wse.argument("out", "")  -- a file for the last values
wse.no_more_arguments()

local g = stencil.grid{nx = nx, ny = ny, dt = 0.2, tile = {8, 8}}
local u = g:field("u", {initial = function(x) return x == 0 and 1.0 or 0.0 end})  -- a hot side
local inside = g:box{x = {1, nx - 1}}
g:update{u, u + g.dt * (stencil.d(u, "xx") + stencil.d(u, "yy")), where = inside}

print(g:text())
local result = g:run{steps = steps, check = true}
print(("%.1f cycles per step, off by %.1g; middle %.5f"):format(
  result.cycles_per_step, result.max_rel_error, result.value(u, nx // 4, ny // 2)))
if out ~= "" then result.save(u, out) end

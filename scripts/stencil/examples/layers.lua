-- A Laplacian of eighth order whose coefficients differ from cell to cell: waves in two layers.
--   wsevm run scripts/stencil/examples/layers.lua nx=12 ny=11 nz=60
local stencil = require "stencil"
local wse = require "wse"
local nx, ny, nz = wse.argument("nx", 12, 1), wse.argument("ny", 11, 1), wse.argument("nz", 60, 1)
local steps = wse.argument("steps", 10, 1)
local out = wse.argument("out", "")  -- a file for the last values
wse.no_more_arguments()

local g = stencil.grid{nx = nx, ny = ny, nz = nz, dx = 20.0, dy = 20.0, dz = 20.0, dt = 0.0015}
local v = g:parameter("v", function(_, _, z) return z < nz // 2 and 2000.0 or 3000.0 end)
local p = g:field("p")
local order8 = {order = 8}
local laplacian = stencil.d(p, "xx", order8) + stencil.d(p, "yy", order8) + stencil.d(p, "zz", order8)
g:update{p, 2 * p - p.before + (v * g.dt) ^ 2 * laplacian}
g:inject{p, at = {nx // 2, ny // 2, nz // 3}, values = {1.0, 2.0, 1.0}}
g:record{p, at = {nx // 2, ny // 2, 0}, name = "top"}

print(g:text())
local result = g:run{steps = steps, check = true}
print(g:explain{result = result})
print(("%.1f cycles per step, off by %.1g; the last value at the top: %.3g"):format(
  result.cycles_per_step, result.max_rel_error, result.traces.top[steps]))
if out ~= "" then result.save(p, out) end

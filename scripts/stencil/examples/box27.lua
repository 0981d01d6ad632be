-- The Laplacian of 27 points in space, a column of cells for each PE:
--   wsevm run scripts/stencil/examples/box27.lua nx=10 ny=9 nz=20
local stencil = require "stencil"
local wse = require "wse"
local nx, ny, nz = wse.argument("nx", 10, 1), wse.argument("ny", 9, 1), wse.argument("nz", 20, 1)
local steps = wse.argument("steps", 3, 1)
local out = wse.argument("out", "")  -- a file for the last values
wse.no_more_arguments()

local g = stencil.grid{nx = nx, ny = ny, nz = nz, dt = 0.25}
local u = g:field("u", {initial = function(x, y, z) return (x + 2 * y + 3 * z) % 5 - 2.0 end})
local corners, edges, faces = 1 / 30, 3 / 30, 14 / 30
local outer = {{corners, edges, corners}, {edges, faces, edges}, {corners, edges, corners}}
local middle = {{edges, faces, edges}, {faces, -128 / 30, faces}, {edges, faces, edges}}
g:update{u, u + g.dt * stencil.box(u, {outer, middle, outer})}

print(g:text())
local result = g:run{steps = steps, check = true}
print(g:explain{result = result})
print(("%.1f cycles per step, off by %.1g"):format(result.cycles_per_step, result.max_rel_error))
if out ~= "" then result.save(u, out) end

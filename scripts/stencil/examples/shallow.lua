-- Shallow water on a C grid: the height lies on the cells, the velocities between them.
--   wsevm run scripts/stencil/examples/shallow.lua nx=48 ny=32 steps=40
local stencil = require "stencil"
local wse = require "wse"
local nx, ny = wse.argument("nx", 48, 2), wse.argument("ny", 32, 2)
local steps = wse.argument("steps", 40, 1)
local out = wse.argument("out", "")  -- a file for the last values
wse.no_more_arguments()

local gravity, depth = 9.81, 100.0
local g = stencil.grid{nx = nx, ny = ny, dx = 1000.0, dy = 1000.0, dt = 15.0, tile = {8, 8}}
local h = g:field("h", {initial = function(x, y)
  return math.exp(-((x - nx / 2) ^ 2 + (y - ny / 2) ^ 2) / 20)
end})
local u, v = g:field("u", {at = "x"}), g:field("v", {at = "y"})
local function slope(f, axis) return stencil.d(f, axis, {staggered = true}) end
g:update{u, u - g.dt * gravity * slope(h, "x"), where = g:box{x = {0, nx - 2}}}  -- walls: no flow
g:update{v, v - g.dt * gravity * slope(h, "y"), where = g:box{y = {0, ny - 2}}}
g:update{h, h - g.dt * depth * (slope(u.next, "x") + slope(v.next, "y"))}

print(g:text())
local result = g:run{steps = steps, check = true}
print(("%.1f cycles per step, off by %.1g; the middle is %.4f m high"):format(
  result.cycles_per_step, result.max_rel_error, result.value(h, nx // 2, ny // 2)))
if out ~= "" then result.save(h, out) end

-- Does explain() know what a step will cost? Its prediction beside the cycles of a run, for stencils of many kinds, on
-- machines with other tables: within 3 %. What it says of issue and of banks is counted by the record too.
local cost = require "stencil.explain.cost"
local program = require "stencil.emit.program"
local stencil = require "stencil"
local wse = require "wse"
local d = stencil.d

local kMostOff = 0.03  -- of the measured cycles

local function bumps(x, y, z) return (7 * x + 3 * y + 5 * z) % 11 / 11 end

local function laplacian(u, order)
  local sum = d(u, "xx", {order = order}) + d(u, "yy", {order = order})
  return u.grid.dims == 3 and sum + d(u, "zz", {order = order}) or sum
end

-- Each returns a grid with equations, and options of its run.
local cases = {}

-- Tiles: of many cells, of one, a radius of 4, part of the cells, corners, two levels, three fields of a C grid.
local function plate(n, side)
  local g = stencil.grid{nx = n * side, ny = n * side, dt = 0.2, tile = {side, side}}
  return g, g:field("u", {initial = bumps})
end

function cases.heat()
  local g, u = plate(4, 8)
  g:update{u, u + g.dt * laplacian(u), where = g:box{x = {1, 31}}}
  return g
end

function cases.cells()
  local g, u = plate(6, 1)
  g:update{u, u + g.dt * laplacian(u)}
  return g
end

function cases.radius4()
  local g, u = plate(3, 8)
  g:update{u, u + 0.1 * laplacian(u, 8)}
  return g
end

function cases.smooth()
  local g, u = plate(4, 5)
  local e = g:field("e")
  g:update{u, stencil.box(u, {{1, 2, 1}, {2, 4, 2}, {1, 2, 1}}) / 16}
  g:update{e, (u - u.next) ^ 2}
  return g
end

function cases.membrane()
  local g, u = plate(3, 12)
  g:update{u, 2 * u - u.before + g.dt ^ 2 * laplacian(u, 4)}
  return g
end

function cases.shallow()
  local g, h = plate(3, 8)
  local u, v, staggered = g:field("v", {at = "x"}), g:field("w", {at = "y"}), {staggered = true}
  g:update{u, u - g.dt * d(h, "x", staggered), where = g:box{x = {0, 22}}}
  g:update{v, v - g.dt * d(h, "y", staggered), where = g:box{y = {0, 22}}}
  g:update{h, h - g.dt * (d(u.next, "x", staggered) + d(v.next, "y", staggered))}
  return g
end

-- Columns: long ones with two levels, coefficients by cell, corners, short ones, blocks, one side, products, layers.
local function block(nx, ny, nz)
  local g = stencil.grid{nx = nx, ny = ny, nz = nz, dt = 0.1}
  return g, g:field("u", {initial = bumps})
end

function cases.wave()
  local g, u = block(11, 10, 100)
  g:update{u, 2 * u - u.before + g.dt ^ 2 * laplacian(u, 8)}
  return g
end

function cases.two_layers()
  local g, u = block(11, 10, 60)
  local v = g:parameter("v", function(_, _, z) return z < 30 and 1.0 or 2.0 end)
  g:update{u, 2 * u - u.before + (v * g.dt) ^ 2 * laplacian(u, 8)}
  return g
end

function cases.box27()
  local g, u = block(8, 8, 20)
  local outer, middle = {{1, 2, 1}, {2, 4, 2}, {1, 2, 1}}, {{2, 4, 2}, {4, 8, 4}, {2, 4, 2}}
  g:update{u, stencil.box(u, {outer, middle, outer}) / 64}
  return g
end

-- A mirror on all axes, of columns that are added as they arrive, and of some that are kept, in blocks.
function cases.mirror()
  local g = stencil.grid{nx = 11, ny = 10, nz = 60, dt = 0.2, mirror = "xyz"}
  local u = g:field("u", {initial = bumps})
  g:update{u, 2 * u - u.before + g.dt ^ 2 * laplacian(u, 8)}
  return g
end

function cases.mirror_of_box()
  local g = stencil.grid{nx = 8, ny = 8, nz = 60, dt = 0.2, mirror = "xyz"}
  local u = g:field("u", {initial = bumps})
  local rows = {{1, 2, 1}, {2, 4, 2}, {1, 2, 1}}
  g:update{u, stencil.box(u, {rows, rows, rows}) / 48}
  return g, {block = 20}
end

function cases.short()
  local g, u = block(8, 8, 4)
  g:update{u, u + g.dt * laplacian(u)}
  return g
end

function cases.blocks()
  local g, u = block(8, 8, 80)
  g:update{u, u + g.dt * laplacian(u)}
  return g, {block = 20}
end

function cases.upwind()
  local g, u = block(8, 8, 50)
  local w = g:parameter("w", bumps)
  g:update{u, u - g.dt * w * (u - u:at(-1)) - 0.5 * g.dt * (u - u:at(0, -1))}
  return g
end

function cases.reaction()
  local g, a = block(8, 8, 50)
  local b = g:field("b", {initial = 0.3})
  g:update{a, a + g.dt * (0.2 * laplacian(a) - a * b * b + 0.03 * (1 - a))}
  g:update{b, b + g.dt * (0.1 * laplacian(b) + a * b * b - 0.09 * b)}
  return g
end

function cases.inner()
  local g, u = block(12, 12, 40)
  g:update{u, 2 * u - u.before + 0.1 * d(u, "xx"), where = g:inner(2)}
  return g
end

local count = 0
for name, make in pairs(cases) do
  for _, machine in ipairs{"wse2", "wse3", "model"} do
    local g, options = make()
    options = options or {}
    options.steps, options.machine, options.force = 10, machine, true
    local result = g:run(options)
    options.force = nil
    local text = g:explain(options)
    local cells = tonumber(text:match("(%d+) cells and"))
    local said, measured = tonumber(text:match("predicted: ([%d.]+) cycles per cell")), result.cycles_per_step / cells
    assert(math.abs(said / measured - 1) <= kMostOff,
           ("%s on %s: %.2f cycles per cell were predicted, %.2f measured"):format(name, machine, said, measured))
    count = count + 1
  end
end
assert(count >= 30)
print(count .. " predictions")

-- All PEs of a plate do the same, so what one issues and loses to banks is what the record counted for each.
for _, machine in ipairs{"wse2", "wse3"} do
  local g, u = plate(3, 8)
  g:update{u, u + g.dt * laplacian(u)}
  local counted = {}
  for k, steps in ipairs{2, 4} do
    local result = g:run{steps = steps, machine = machine, force = true}
    counted[k] = result.record.pe_cycles.memory_stall / 9
    counted.step = result.step
  end
  local stall = 0
  for _, row in ipairs((cost.rows(counted.step, wse.machine(machine), program.schedule(counted.step)))) do
    stall = stall + row.stall
  end
  assert(stall == (counted[2] - counted[1]) / 2, machine .. ": " .. stall .. " beside " .. (counted[2] - counted[1]) / 2)
end

-- With a result the text has both, and how far they are apart.
local g = cases.short()
local result = g:run{steps = 6, machine = "wse3", force = true}
local text = g:explain{result = result}
local said, measured, off = text:match("predicted: ([%d.]+).-measured:  ([%d.]+).-%(predicted: ([-+%d.]+) %%%)")
assert(math.abs(100 * (said / measured - 1) - off) < 0.1 and math.abs(off) < 100 * kMostOff, text)

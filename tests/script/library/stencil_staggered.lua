-- Fields on halves of cells, beyond a surface and in part of a column, and updates of what others of the step have set: exact values,
-- beside plain evaluation, in blocks and not.
local derivative = require "stencil.lang.derivative"
local host = require "wse.host"
local plan = require "stencil.compile.plan"
local program = require "stencil.emit.program"
local random_equations = require "support.random_equations"
local shots = require "stencil.minimod"
local propagators = require "stencil.modelling.propagators"
local size = require "stencil.emit.size"
local stencil = require "stencil"


-- ---- weights at half points: the Taylor expansion of order 8

local halves = derivative.weights({-3.5, -2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 3.5}, 1)
for k, wanted in ipairs{1225 / 1024, -245 / 3072, 49 / 5120, -5 / 7168} do
  assert(math.abs(halves[4 + k] - wanted) < 1e-15 and halves[5 - k] == -halves[4 + k])
end

-- A polynomial of order 8 in cells has the derivative of its coefficients, half a cell further on and back.
local function slope_of(at, half)
  local g = stencil.grid{nx = 1, ny = 1, nz = 12}
  local f = g:field("f", {at = at, initial = function(_, _, z) return ((z + (at == "z" and 0.5 or 0.0)) / 8) ^ 5 end})
  local d = g:field("d", {at = at == "z" and "" or "z"})
  g:update{d, stencil.d(f, "z", {order = 8, staggered = true})}
  local value = g:run{check = true}.value(d, 0, 0, 5)
  local place = (5 + half) / 8
  assert(math.abs(value - 5 * place ^ 4 / 8) < 1e-6, value)
end
slope_of("", 0.5)
slope_of("z", 0.0)

-- ---- a surface: f(-z) is f(z) or -f(z), for values on the cells about the first one, for those between them about its middle

local function beyond(at, surface)
  local g = stencil.grid{nx = 1, ny = 1, nz = 3}
  local f = g:field("f", {at = at, surface = surface, initial = function(_, _, z) return 1.0 + z end})
  local far = g:field("far", {at = at})
  g:update{far, f:at(0, 0, -3) + 10 * f:at(0, 0, -1)}
  local result = g:run{check = true}
  assert(result.max_rel_error == 0, result.max_rel_error)
  return result.value(far, 0, 0, 0), result.value(far, 0, 0, 1)
end
local function check(at, surface, first, second)
  local one, other = beyond(at, surface)
  assert(one == first and other == second, ("%s %s: %g %g"):format(at, tostring(surface), one, other))
end
check("", nil, 0, 10)
check("", "even", 0 + 20, 3 + 10)      -- f(-3) has no image in 3 cells
check("", "odd", 0 - 20, -3 + 10)
check("z", "even", 3 + 10, 2 + 10)
check("z", "odd", -3 - 10, -2 + 10)

-- ---- updates of what others have set

local function changed(block)
  local g = stencil.grid{nx = 3, ny = 2, nz = 8}
  local p = g:field("p", {initial = function(x, y, z) return x + 10.0 * y + 100 * z end})
  local q, r = g:field("q"), g:field("r")
  g:update{p, p + 1}
  g:update{r, p.next:at(0, 0, 1)}
  g:update{p, 2 * p.next + q, where = g:layers{z = {2, 1}}}
  g:update{p, p.next - 3, where = g:box{x = {1, 2}, z = {1, 1}}}
  g:update{q, p.next}
  local result = g:run{steps = 2, check = true, block = block}
  assert(result.max_rel_error == 0, result.max_rel_error)
  return result
end
for _, block in ipairs{2, 4, 8} do
  local result = changed(block)
  assert(result.value("q", 0, 0, 5) == 502)  -- 500 + 1 + 1
  assert(result.value("q", 0, 1, 0) == 2 * (2 * 11 + 1) + 22)
  assert(result.value("r", 0, 0, 0) == 2 * 101 + 1, result.value("r", 0, 0, 0))
end

-- ---- fields that only layers have: a PE holds their cells alone

local function layered(block, initial)
  local g = stencil.grid{nx = 4, ny = 3, nz = 30}
  local f = g:field("f", {initial = function(x, y, z) return (x + 2 * y + 3 * z) % 5 - 2.0 end})
  local psi = g:field("psi", {initial = initial})
  local a = g:parameter("a", function(x, _, z) return x + z % 3 + 1.0 end)
  local ends = g:layers{z = {3, 2}}
  g:update{psi, psi + a * f:at(0, 0, 1), where = ends}
  g:update{f, f + f:at(1) - f:at(0, -1)}
  g:update{f, f.next + psi.next, where = ends}
  local result = g:run{steps = 3, check = true, block = block}
  assert(result.max_rel_error == 0, result.max_rel_error)
  return result
end
for _, block in ipairs{2, 8, 30} do
  local result = layered(block)
  local words = {}
  for _, region in ipairs(result.step.plan.list) do
    if region.field and region.field.name == "psi" then words[#words + 1] = region.words end
    if region.array and not region.is_scalar then assert(region.words == 5, region.words) end
  end
  assert(#words == 1 and words[1] == 5, words[1])
  assert(result.value("psi", 1, 1, 10) == 0 and result.value("psi", 1, 1, 28) ~= 0)
end
assert(layered(8, function(_, _, z) return z + 0.0 end).value("psi", 1, 1, 10) == 10)  -- values to begin with need all cells

-- ---- many fields, in blocks: elastic waves

local function elastic(block, surface)
  local request = shots.request{propagator = "elastic_iso", ngrid = "6,5,24", nsteps = 3, pml = "2", surface = surface,
                                shots = "3,2,3"}
  request.shear = function(x, y, z) return (x + y + z) % 4 * 400.0 end
  local g, fields = propagators.elastic_iso.grid(request)
  propagators.elastic_iso.add_survey(request, g, fields, {3, 2, 3})
  local result = g:run{steps = 3, block = block, force = true, check = true}
  assert(result.max_rel_error < 1e-6, result.max_rel_error)
end
for _, surface in ipairs{"none", "free"} do
  elastic(nil, surface)
  elastic(8, surface)
end

-- ---- short code: broadcasts as subroutines, both ends of a column at once

local function compact(propagator, pml, block)
  local request = shots.request{propagator = propagator, ngrid = "9,6,20", nsteps = 2, pml = pml, shots = "3,2,3"}
  local g, fields = propagators[propagator].grid(request)
  propagators[propagator].add_survey(request, g, fields, {3, 2, 3})
  local result = g:run{steps = 2, block = block, force = true, check = true, compact = true, machine = "model"}
  assert(result.max_rel_error < 1e-6, result.max_rel_error)
  return result
end
local short = compact("elastic_iso", "2,2,2,2,4,4", nil)
compact("elastic_iso", "2,2,2,2,4,4", 8)    -- blocks that hold both ends
compact("elastic_iso", "2,2,2,2,4,3", nil)  -- layers of two widths
compact("elastic_tti_approx", "2,2,2,2,4,4", 6)
do
  local text = program.text(short.step, "cells", {injections = {}, recordings = {}, coordinates = {x = {0, 1, 2, 3, 4}, y = {0, 1, 2}}})
  local calls, rounds = select(2, text:gsub("call link", "")), select(2, text:gsub("ret link", ""))
  assert(calls == 12 and rounds == 4, calls .. " calls of " .. rounds)
  assert(text:find("length=[2, 4]", 1, true))
end

-- ---- random equations

local last = 40
local ran, exact = random_equations.run(1, last, false, true)
assert(ran >= last // 2 and exact >= last // 3, ran .. " ran, " .. exact .. " exactly")

-- ---- a shot in parts, which end at snapshots, has the values of one run

local function modelled(propagator, snapshots)
  local result = shots.run(shots.request{propagator = propagator, ngrid = "7,6,9", nsteps = 6, pml = "2", surface = "free",
                                         shots = "3,3,3", snapshots = snapshots, slices = snapshots and "y3", out = "out"})
  return result.min, result.max
end
for _, propagator in ipairs{"acoustic_iso", "elastic_iso", "elastic_tti_approx"} do
  local low, high = modelled(propagator)
  local in_parts_low, in_parts_high = modelled(propagator, "2,5")
  assert(low < high and low == in_parts_low and high == in_parts_high, propagator)
end

-- ---- columns that fit a PE: of elastic waves with layers of 27 cells along z, of acoustic ones in a tilted medium with layers of 20 on all
-- sides but the surface

local function fits(options, of_cells)
  options.nsteps, options.shots, options.receivers = 200, "6,5,40", "2,2,5"
  local request = shots.request(options)
  if of_cells then
    request.velocity = function(x, y, z) return 2000.0 + z + x + y end
    request.shear = function(x, y, z) return 1000.0 + z / 2 + x end
    request.density = function(x, y, z) return 1500.0 + z + y end
  end
  local propagator = propagators[request.propagator]
  local g, fields = propagator.grid(request)
  propagator.add_survey(request, g, fields, {6, 5, 40})
  local fine, text = pcall(plan.make, g, 200, host.machine(nil), nil, size.of_cells)
  assert(fine, text)
end
fits{propagator = "elastic_iso", ngrid = "12,11,400", pml = "4,4,4,4,27,27"}
fits({propagator = "elastic_iso", ngrid = "12,11,300", pml = "4,4,4,4,27,27"}, true)
fits{propagator = "acoustic_tti", ngrid = "12,11,100", pml = "4,4,4,4,0,20", surface = "free"}

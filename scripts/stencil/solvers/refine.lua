-- Mixed precision in rounds: a method in f16 makes the residual ten times smaller, and one more program computes in f32 what the residual
-- then is, with coefficients of f32 (iterative refinement, Wilkinson 1963; Moler 1967). It ends where f32 ends, not where f16 does.
--
--     u = 0, r = b      rounds of    A' d = r in f16,    u = u + d,    r = b - A' u in f32      until |r| <= tolerance |b|
--
-- The two programs take turns; the script hands u, d and r from one to the other, and no cycle is counted for that.
local methods = require "stencil.solvers.methods"
local system = require "stencil.solvers.system"

local refine = {}

local kInner = 0.1  -- of a round: with less, f16 says that the residual falls where it no longer does

-- Runs a method in f16 for a right side. Returns the result, the change d(x, y, z) and whether it converged.
local function round(request, right, most)
  local own = system.of(request, "f16", right)
  local v, rr = methods[request.method](own)
  local below = kInner ^ 2 * own.norm2
  own.grid:stop{rr, below = below}
  local result = own.grid:run{steps = most, machine = request.machine, split = true}
  return result, function(x, y, z) return result.value(v, x, y, z) / own.power end, result.number(rr) <= below
end

-- Returns the result of the program that adds a change to u, functions of a cell for the new u and its residual, and the square of the
-- residual's norm over that of b.
local function corrected(request, u, change)
  local own = system.of(request, "f32")
  local g = own.grid
  local sum, d, b, r = g:field("u", {initial = u}), g:parameter("d", change), g:parameter("b", own.b), g:field("r")
  g:update{sum, sum + d}
  g:update{r, b - sum.next + own.around(sum.next)}
  local rr = g:total{"rr", r.next * r.next}
  local result = g:run{steps = 1, machine = request.machine}
  return result, function(x, y, z) return result.value(sum, x, y, z) end, function(x, y, z) return result.value(r, x, y, z) end,
         result.number(rr) / own.norm2
end

-- Runs a request. Returns {iterations, rounds, converged, cycles and cycles_of of the iterations, cycles_of_rounds of the programs between
-- them, bytes of the larger program, machine, value(x, y, z) of the scaled solution}.
function refine.run(request)
  local found = {iterations = 0, rounds = 0, converged = false, cycles = 0, cycles_of = {operator = 0, totals = 0, updates = 0},
                 cycles_of_rounds = 0, bytes = 0}
  local u, right, left = function() return 0.0 end, nil, math.huge
  while not found.converged and found.iterations < request.most do
    local inner, change, is_smaller = round(request, right, request.most - found.iterations)
    local outer, before = nil, left
    outer, u, right, left = corrected(request, u, change)
    found.iterations, found.rounds = found.iterations + inner.steps, found.rounds + 1
    found.cycles, found.cycles_of_rounds = found.cycles + inner.cycles, found.cycles_of_rounds + outer.cycles
    for kind, cycles in pairs(inner.cycles_of) do found.cycles_of[kind] = found.cycles_of[kind] + cycles end
    found.bytes, found.machine = math.max(found.bytes, inner.step.bytes, outer.step.bytes), inner.record.machine
    found.converged = left <= request.tolerance ^ 2
    if not (is_smaller and left < before) then break end
  end
  found.value = u
  return found
end

return refine

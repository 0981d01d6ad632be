-- Mixed precision in rounds: a method in f16 makes the residual ten times smaller, and one more program computes in f32 what the residual
-- then is, with coefficients of f32 (iterative refinement, Wilkinson 1963; Moler 1967). It ends where f32 ends, not where f16 does.
--
--     u = 0, r = b      rounds of    A' d = r in f16,    u = u + d,    r = b - A' u in f32      until |r| <= tolerance |b|
--
-- Conjugate gradients keep their direction p from round to round, with the new residual in place of the old one (van der Vorst and Ye
-- 2000). The two programs take turns; the script hands u, d, r and what p is beside r from one to the other; no cycle is counted for that.
local methods = require "stencil.solvers.methods"
local system = require "stencil.solvers.system"

local refine = {}

local kInner = 0.1  -- of a round: with less, f16 says that the residual falls where it no longer does
local kLast = 0.99  -- of the tolerance, for the last round: what f16 says of the residual is less far off than that

-- Runs a method in f16 for a right side and a direction, nil for the residual, until the residual is `share` of the right side. Returns
-- {result, change = d(x, y, z), ahead = the direction less the residual, of a method that has one, is_smaller = whether it got there}.
local function round(request, right, direction, share, most)
  local own = system.of(request, "f16", right)
  if direction then own.direction = function(x, y, z) return direction(x, y, z) * own.power end end
  local v, rr, r, p = methods[request.method](own)
  local below = share ^ 2 * own.norm2
  own.grid:stop{rr, below = below}
  local result = own.grid:run{steps = most, machine = request.machine, split = true}
  local function value(field, x, y, z) return result.value(field, x, y, z) / own.power end
  return {result = result, change = function(...) return value(v, ...) end,
          ahead = p and function(...) return value(p, ...) - value(r, ...) end, is_smaller = result.number(rr) <= below}
end

-- Runs the program that adds the change of a round to u. Returns {result, u, right = the residual, direction = of the next round or nil,
-- all functions of a cell, left = the square of the residual's norm over that of b}.
local function corrected(request, u, inner)
  local own = system.of(request, "f32")
  local g = own.grid
  local sum, d, b, r = g:field("u", {initial = u}), g:parameter("d", inner.change), g:parameter("b", own.b), g:field("r")
  local p = inner.ahead and g:field("p", {initial = inner.ahead})
  g:update{sum, sum + d}
  g:update{r, b - sum.next + own.around(sum.next)}
  if p then g:update{p, p + r.next} end
  local rr = g:total{"rr", r.next * r.next}
  local result = g:run{steps = 1, machine = request.machine}
  local function of(field) return function(...) return result.value(field, ...) end end
  return {result = result, u = of(sum), right = of(r), direction = p and of(p), left = result.number(rr) / own.norm2}
end

-- Runs a request. Returns {iterations, rounds, converged, cycles and cycles_of of the iterations, cycles_of_rounds of the programs between
-- them, bytes of the larger program, machine, value(x, y, z) of the scaled solution}.
function refine.run(request)
  local found = {iterations = 0, rounds = 0, converged = false, cycles = 0, cycles_of = {operator = 0, totals = 0, updates = 0},
                 cycles_of_rounds = 0, bytes = 0}
  local now = {u = function() return 0.0 end, left = 1.0}
  while not found.converged and found.iterations < request.most do
    local before, share = now.left, math.max(kInner, kLast * request.tolerance / now.left ^ 0.5)
    local inner = round(request, now.right, now.direction, share, request.most - found.iterations)
    now = corrected(request, now.u, inner)
    found.iterations, found.rounds = found.iterations + inner.result.steps, found.rounds + 1
    found.cycles, found.cycles_of_rounds = found.cycles + inner.result.cycles, found.cycles_of_rounds + now.result.cycles
    for kind, cycles in pairs(inner.result.cycles_of) do found.cycles_of[kind] = found.cycles_of[kind] + cycles end
    found.bytes, found.machine = math.max(found.bytes, inner.result.step.bytes, now.result.step.bytes), inner.result.record.machine
    found.converged = now.left <= request.tolerance ^ 2
    if not (inner.is_smaller and now.left < before) then break end
  end
  found.value = now.u
  return found
end

return refine

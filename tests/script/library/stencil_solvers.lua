-- Numbers of a step: totals over all cells, numbers that steps hand on, what PEs compute of them, and when a run stops; and the solvers
-- that are written with them. Beside plain evaluation.
local solvers = require "stencil.solve"
local stencil = require "stencil"
local plain = require "stencil.reference.plain"

-- ---- values: small integers, so that sums are exact in any order

local function counted(nx, ny, nz, machine, block)
  local g = stencil.grid{nx = nx, ny = ny, nz = nz}
  local f, h = g:field("f", {initial = function(x, y, z) return (x + 2 * y + 3 * z) % 5 - 1.0 end}), g:field("h")
  local w = g:parameter("w", function(x, _, z) return x + z % 3 - 1.0 end)
  local kept = g:number("kept", 3.0)
  local first = g:total{"first", w * f - 2 * f}
  g:update{h, kept * f + f:at(1)}
  g:update{f, f + h.next:at(0, 1), where = g:box{z = {0, nz // 2}}}
  local second, third = g:total{"second", h.next * f.next}, g:total{"third", f.next}
  g:update{h, h.next - third * f.next}
  local last = g:total{"last", h.next}
  g:set{kept, (first + second) / 2 ^ 10 - kept}
  local result = g:run{steps = 2, check = true, machine = machine, block = block}
  local wanted = plain.run(g, 2)
  assert(result.max_rel_error < 1e-6, result.max_rel_error)
  for name, number in pairs{first = first, second = second, third = third, last = last, kept = kept} do
    local off = math.abs(result.number(number) - wanted.numbers[name])
    assert(off <= 1e-6 * math.abs(wanted.numbers[name]), ("%s: %g, not %g"):format(name, result.number(number), wanted.numbers[name]))
  end
  return result
end
for _, machine in ipairs{"wse2", "wse3", "model"} do
  for _, sizes in ipairs{{1, 1, 1}, {5, 1, 3}, {1, 4, 6}, {4, 3, 9}} do counted(sizes[1], sizes[2], sizes[3], machine) end
end
counted(3, 3, 11, "wse2", 4)

-- A run stops after the step in which a number is small enough, also where levels of a field swap in each step.
local function halved(steps, two_levels)
  local g = stencil.grid{nx = 3, ny = 2, nz = 4}
  local f = g:field("f", {initial = 1.0})
  g:update{f, two_levels and 0.25 * f + 0.125 * f.before + 0.0625 * f.before or 0.5 * f}
  g:stop{g:total{"sum", f.next}, below = two_levels and 0.5 or 3.0}
  local result, plainly = g:run{steps = steps}, plain.run(g, steps, false, true)
  assert(result.steps == plainly.steps and result.value(f, 1, 1, 2) == plainly.value(g.fields[1], 1, 1, 2))
  return result.steps, result.value(f, 1, 1, 2)
end
local steps, value = halved(10)
assert(steps == 3 and value == 0.125, steps)
assert(halved(2) == 2)
local last_odd, last_even = halved(20, true), halved(3, true)
assert(last_odd > 3 and last_even == 3, last_odd)

-- A number may have any name, those of registers of the program too.
for _, name in ipairs{"one", "step", "value", "r1", "d1", "total_1"} do
  local g = stencil.grid{nx = 2, ny = 1, nz = 3}
  local f, number = g:field("f", {initial = 3.0}), g:number(name, 2.0)
  g:update{f, number * f}
  g:set{number, number + g:total{"sum", f * f}}
  local result = g:run{steps = 2, check = true}
  assert(result.value(f, 1, 0, 2) == 3 * 2 * (2 + 6 * 9) and result.number(number) == 2 + 6 * 9 + 6 * 36, name)
end

-- ---- what is refused, at the line that says it

local kHead = [[
local stencil = require "stencil"
local g, plane = stencil.grid{nx = 2, ny = 2, nz = 3}, stencil.grid{nx = 2, ny = 2}
local p, q, e = g:field("p"), g:field("q"), plane:field("e")
local rho = g:number("rho", 1.0)
%s
]]
local function refused(statement, message)
  local fine, text = pcall(assert(load(kHead:format(statement), "@user.lua")))
  assert(not fine, statement .. ": it was accepted")
  assert(text:find("user.lua:5: " .. message, 1, true) == 1, text)
end
refused("g:number('p', 1.0)", "number: the name 'p' is taken")
refused("g:number('a', 0 / 0)", "number: the first value is")
refused("plane:total{'a', e}", "total: totals are for grids with nz")
refused("g:total{'a', p:at(1)}", "total: p[1, 0, 0] is a neighbour; an update of a field that holds it is wanted first")
refused("g:total{'a', p.next}", "total: p.next is read before an update sets it")
refused("g:total{'a', 3}", "total: the expression is '3'; one with fields of this grid is wanted")
refused("g:total{'a', rho}", "total: the expression is 'rho'; one with a field is wanted")
refused("g:set{p, 1}", "set: what is set is 'p'; a number of g:number is wanted")
refused("g:set{rho, p}", "set: its next value is 'p'; a number, or one of g:number and g:total, is wanted")
refused("g:set{rho, 1} g:set{rho, 2}", "set: rho is set twice")
refused("g:stop{3, below = 1}", "stop: what is watched is '3'; a number of g:number or g:total is wanted")
refused("g:stop{rho}", "stop: below is nil; a finite number is wanted")
refused("g:stop{rho, below = 1} g:stop{rho, below = 2}", "stop: the grid has a stop already")
refused("g:update{p, p / (rho + q)}", "/: rho + q depends on a field; a PE divides no arrays")
refused("g:update{p, p + rho} g:run{}", "update: rho is added to fields; a number of a step is multiplied by one")
refused("g:update{p, p} g:total{'a', p.next} g:explain{}", "explain: what totals take is not predicted; split = true of g:run")
refused("g:update{p, p} g:run{}.number(p)", "number: what is read is 'p'; a number of g:number or g:total is wanted")

-- ---- solvers

local function request(options) return solvers.request(options) end
for _, method in ipairs{"cg", "bicgstab", "jacobi", "gauss-seidel"} do
  local found = solvers.run(request{ngrid = "6,5,8", method = method, check = true})
  assert(found.converged and found.residual < 1.1e-5, method)
  assert(math.abs(found.iterations - found.iterations_in_float) <= 2, method)
  local shares = found.cycles_of.operator + found.cycles_of.totals + found.cycles_of.updates
  assert(shares <= found.cycles and shares > 0.9 * found.cycles, method)
  -- Code takes no more than the plan says.
  local machine = {base = "wse2", memory_bytes = (found.bytes + 1023) // 1024 * 1024}
  assert(solvers.run(request{ngrid = "6,5,8", method = method, machine = machine}).iterations == found.iterations)
end
assert(not solvers.run(request{ngrid = "6,5,8", most = 3}).converged)
local function refused_request(options, message)
  local fine, text = pcall(function() return solvers.run(request(options)) end)
  assert(not fine and tostring(text):gsub("^[^\n]-%.lua:%d+: ", ""):find(message, 1, true) == 1, text)
end
refused_request({ngrid = "6,5"}, "ngrid = 6,5: three numbers are wanted")
refused_request({method = "gmres"}, "method = gmres: cg, bicgstab, jacobi or gauss-seidel is wanted")
refused_request({tolerance = 0.0}, "tolerance = 0.0: a number above 0 is wanted")
refused_request({shift = -1.0}, "shift = -1.0: a number of at least 0 is wanted")
refused_request({ngrid = "2,2,2", k = function() return -1.0 end}, "k: -1 at cell 0,0,0; a number above 0 is wanted")
refused_request({ngrid = "2,2,2", b = function() return 0.0 end}, "b: it is 0 everywhere, and so is the solution")
refused_request({k = "none.npy"}, "k: ")

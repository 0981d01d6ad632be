-- Grids of f16: columns that travel two elements in a word, sums of f32, multiples that are added in place, fields of f32, in blocks too;
-- where they fit, what they refuse, and solvers in mixed precision.
local solvers = require "stencil.solve"
local stencil = require "stencil"
local plain = require "stencil.reference.plain"

-- ---- values: small integers and halves, of which f16 and f32 lose none, so that all orders of sums give the same

local function compared(g, steps, options, what)
  options = options or {}
  options.steps, options.check = steps, true
  local result = g:run(options)
  assert(result.max_rel_error == 0, ("%s: off by %g"):format(what, result.max_rel_error))
  return result
end

-- Columns that are multiplied as they arrive, with numbers and with arrays, and that are kept; a total of each kind.
local function mixed(nx, ny, nz, options, what, has_corners)
  local g = stencil.grid{nx = nx, ny = ny, nz = nz, type = "f16"}
  local f = g:field("f", {initial = function(x, y, z) return (x + 2 * y + 3 * z) % 5 - 2.0 end})
  local h, wide = g:field("h", {initial = 0.5}), g:field("wide", {type = "f32", initial = 2049.0})
  local w = g:parameter("w", function(x, y, z) return (x + y + z) % 3 - 1.0 end)
  local by = g:number("by", -1.5)
  g:update{h, h + by * f}
  g:update{wide, wide + by * f + 2 * by * h.next}
  local first, second = g:total{"first", h.next * f}, g:total{"second", w * f - h.next}
  g:update{f, w * f:at(1) - w * f:at(0, -1) + (has_corners and w * f:at(1, 1) or 0.5 * f:at(-1, 0, 1)) + w * f:at(0, 0, 2) + f:at(0, 1)}
  g:set{by, 1.5 - by}
  local result, wanted = compared(g, 2, options, what), plain.run(g, 2)
  for _, number in ipairs{first, second, by} do
    assert(result.number(number) == wanted.numbers[number.name], ("%s: %s is %g"):format(what, number.name, result.number(number)))
  end
  assert(nx * ny * nz == 1 or result.value(wide, 0, 0, 0) % 0.5 == 0)
  return result
end
for _, machine in ipairs{"wse2", "wse3", "model"} do
  for _, sizes in ipairs{{1, 1, 1}, {5, 1, 3}, {1, 4, 6}, {4, 3, 9}} do
    mixed(sizes[1], sizes[2], sizes[3], {machine = machine}, machine .. " " .. table.concat(sizes, " x "))
  end
end
for _, block in ipairs{2, 4, 6} do mixed(4, 3, 9, {block = block}, "block " .. block) end
mixed(3, 3, 8, {compact = true}, "compact")
mixed(4, 3, 5, nil, "corners", true)

-- Cells of f32 take twice the memory of cells of f16.
local wide = stencil.grid{nx = 4, ny = 3, nz = 400}
local half = stencil.grid{nx = 4, ny = 3, nz = 400, type = "f16"}
local bytes, cycles = {}, {}
for k, g in ipairs{wide, half} do
  local f, h = g:field("f", {initial = 1.0}), g:field("h")
  g:update{h, f:at(1) + f:at(-1) + f:at(0, 0, 1)}
  g:update{f, f + g:number("by", 0.5) * h.next}
  local result = g:run{steps = 1}
  bytes[k], cycles[k] = result.step.plan.bytes, result.cycles
end
assert(bytes[2] < 0.52 * bytes[1] and cycles[2] < 0.6 * cycles[1], ("%d of %d bytes, %d of %d cycles"):format(
  bytes[2], bytes[1], cycles[2], cycles[1]))

-- A product of two f16 counts whole in a total, though f16 has no number for it: 2049 = 3 x 683.
local whole = stencil.grid{nx = 2, ny = 1, nz = 3, type = "f16"}
local a, b = whole:field("a", {initial = 683.0}), whole:field("b", {initial = 3.0})
local total = whole:total{"total", a * b}
whole:update{a, a}
assert(whole:run{}.number(total) == 6 * 2049)

-- A multiple that reads what a total has just set, beside one that reads the total of the step before.
local later = stencil.grid{nx = 2, ny = 2, nz = 4, type = "f16"}
local p, q = later:field("p", {initial = 1.0}), later:field("q", {initial = 1.0})
local sum
sum = later:total{"sum", p * q}
later:update{p, p + 0.0625 * sum * q}
compared(later, 1, nil, "a total")
assert(later:run{}.value(p, 1, 1, 3) == 2)

-- ---- what is refused, at the line that says it

local kHead = [[
local stencil = require "stencil"
local g = stencil.grid{nx = 2, ny = 2, nz = 3, type = "f16"}
local p, q = g:field("p"), g:field("q", {type = "f32"})
local rho = g:number("rho", 1.0)
%s
]]
local function refused(statement, message)
  local fine, text = pcall(assert(load(kHead:format(statement), "@user.lua")))
  assert(not fine, statement .. ": it was accepted")
  assert(text:find("user.lua:5: " .. message, 1, true) == 1, text)
end
refused("stencil.grid{nx = 2, ny = 2, nz = 2, type = 'f64'}", "stencil.grid: type is 'f64'; 'f32' or 'f16' is wanted")
refused("stencil.grid{nx = 2, ny = 2, type = 'f16'}", "stencil.grid: type = f16 is for grids with nz")
refused("stencil.grid{nx = 2, ny = 2, nz = 2, type = 'f16', mirror = 'x'}", "stencil.grid: mirror is for grids of f32")
refused("g:field('s', {surface = 'odd'})", "field: surface is for grids of f32")
refused("g:field('s', {type = 'f64'})", "field: type is 'f64'; 'f32', or that of the grid, is wanted")
refused("g:inject{p, at = {0, 0, 0}, values = {1}}", "inject: it is for grids of f32")
refused("g:record{p, at = {0, 0, 0}, name = 'r'}", "record: it is for grids of f32")
refused("g:update{p, 0.5 * p} g:explain{}", "explain: what f16 takes is not predicted; split = true of g:run measures it")
refused("g:update{q, p + rho * p} g:run{}", "update: q is f32 in a grid of f16; q + numbers of the step times fields of f16 is wanted")
refused("g:update{p, p + rho * q} g:run{}", "update: q, which is read, is f32 in a grid of f16; its own update alone may read it")
refused("g:update{q, q + rho * p} g:total{'t', q.next} g:run{}", "update: q, which is read, is f32 in a grid of f16")

-- ---- solvers: mixed as far as f16 goes, refined as far as f32 does

local function request(options) return solvers.request(options) end
for _, method in ipairs{"cg", "bicgstab", "jacobi", "gauss-seidel"} do
  local found = solvers.run(request{ngrid = "6,5,8", method = method, precision = "mixed", tolerance = 2e-3})
  assert(found.converged and found.residual < 3e-3, method)
  local float = solvers.run(request{ngrid = "6,5,8", method = method, tolerance = 2e-3})
  assert(math.abs(found.iterations - float.iterations) <= 2, method)
  assert(found.cycles_of.operator / found.iterations < float.cycles_of.operator / float.iterations, method)
  local machine = {base = "wse2", memory_bytes = (found.bytes + 1023) // 1024 * 1024}
  assert(solvers.run(request{ngrid = "6,5,8", method = method, precision = "mixed", tolerance = 2e-3, machine = machine}).converged)
  local refined = solvers.run(request{ngrid = "6,5,8", method = method, precision = "refined"})
  assert(refined.converged and refined.rounds > 1 and refined.residual < 1.1e-5, method)
  assert(refined.iterations <= solvers.run(request{ngrid = "6,5,8", method = method}).iterations + 2, method)
end
local least = solvers.run(request{ngrid = "6,5,8", precision = "mixed", tolerance = 1e-5})
assert(least.converged and least.residual > 1e-4)  -- what the PEs hold became small, b - A u did not
assert(not solvers.run(request{ngrid = "6,5,8", precision = "refined", most = 4}).converged)
local fine, text = pcall(request, {precision = "f64"})
assert(not fine and tostring(text):find("precision = f64: f32, mixed or refined is wanted", 1, true), text)

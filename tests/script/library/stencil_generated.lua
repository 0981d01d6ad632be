-- Is what equations become as fast as what was written by hand, and equal to it? The wave equation with
-- 25 points beside lib/static.lua, stars and boxes beside star.lua; costs beside what they were said to be.
local acoustic = require "stencil.acoustic25"
local cost = require "stencil.compile.cost"
local star = require "stencil.star"
local stencil = require "stencil"
local wave = require "stencil.lib.wave"
local wse = require "wse"
local d = stencil.d

-- The same wave as acoustic.run: a source in the middle, spacings that differ.
local function waves(nx, ny, nz, dt)
  local g = stencil.grid{nx = nx, ny = ny, nz = nz, dx = 20.0, dy = 25.0, dz = 16.0, dt = dt}
  local p, v = g:field("p"), g:parameter("v", 4500.0)
  local laplacian = d(p, "xx", {order = 8}) + d(p, "yy", {order = 8}) + d(p, "zz", {order = 8})
  g:update{p, 2 * p - p.before + (v * g.dt) ^ 2 * laplacian}
  g:inject{p, at = {nx // 2, ny // 2, nz // 2}, values = function(n) return wave.source(n, 25.0, dt) end}
  return g, p
end

local kMostCycles = 1.03  -- of the hand-written program
for _, machine in ipairs{"model", "wse2"} do
  local sizes = {nx = 12, ny = 11, nz = 300, steps = 4, dx = 20.0, dy = 25.0, dz = 16.0, kernel = "static",
                 machine = machine, check = false}
  local hand, record, request = acoustic.run(sizes)
  local g, p = waves(12, 11, 300, request.dt)
  local made = g:run{steps = 4, machine = machine}
  assert(made.cycles <= kMostCycles * hand.cycles, made.cycles .. " cycles beside " .. hand.cycles)
  local largest, worst = 0.0, 0.0
  for y = 0, 10 do
    for x = 0, 11 do
      local column = record:symbol(x, y, "even")
      for z = 0, 299 do
        largest = math.max(largest, math.abs(column[z + 1]))
        worst = math.max(worst, math.abs(column[z + 1] - made.value(p, x, y, z)))
      end
    end
  end
  assert(largest > 0 and worst <= 1e-6 * largest, worst / largest)
  -- No stall, and the cycles that explain() names: what is left of those measured is waiting and branches.
  assert(made.record.pe_cycles.memory_stall == 0)
  local rows, cells = cost.rows(made.step, wse.machine(machine))
  local issue, flops = 0, 0
  for _, row in ipairs(rows) do
    issue, flops = issue + row.issue, flops + row.flops
    assert(row.stall == 0)
  end
  assert(issue / cells == 28 - 0.5, issue / cells)
  assert(flops / cells == 50, flops / cells)
end

-- Stars in a plane and in space, a column for each PE, and the box: fewer cycles than the paper's way.
local function beside(hand, g)
  local made = g:run{steps = 4, check = true}
  assert(made.max_rel_error <= 1e-6)
  assert(made.cycles <= hand.cycles, made.cycles .. " cycles beside " .. hand.cycles)
end
for radius = 1, 4 do
  local list = {0.3}
  for m = 1, radius do list[m + 1] = 0.1 / m * (-1) ^ m end
  local g = stencil.grid{nx = 12, ny = 11, nz = 60}
  local u = g:field("u", {initial = function(x, y, z) return x == 6 and y == 5 and z == 30 and 1.0 or 0.0 end})
  local sum = 0.3 * u
  for m = 1, radius do
    sum = sum + list[m + 1] * (u:at(m) + u:at(-m) + u:at(0, m) + u:at(0, -m) + u:at(0, 0, m) + u:at(0, 0, -m))
  end
  g:update{u, sum}
  beside(star.run{radius = radius, dims = 3, nx = 12, ny = 11, nz = 60, steps = 4, coefficients = list}, g)
end
local g = stencil.grid{nx = 12, ny = 11, nz = 3}
local u = g:field("u", {initial = function(x, y, z) return x == 6 and y == 5 and z == 1 and 1.0 or 0.0 end})
g:update{u, stencil.box(u, {{1, 2, 1}, {2, -4, 2}, {1, 2, 1}})}
beside(star.run{shape = "box", nx = 12, ny = 11, nz = 3, steps = 4, coefficients = "1,2,1,2,-4,2,1,2,1"}, g)

-- Each word travels once: two equations that read the same neighbours send it once for each axis.
local both = stencil.grid{nx = 9, ny = 8, nz = 10}
local a, b = both:field("a", {initial = 1.0}), both:field("b", {initial = 2.0})
both:update{a, a + 0.5 * (a:at(1) + a:at(-1) + a:at(0, 1))}
both:update{b, b * a:at(1) + 0.25 * a:at(-1)}
local result = both:run{steps = 1, check = true}
assert(result.max_rel_error == 0)
local sent = 0
for _, row in ipairs((cost.rows(result.step, wse.machine("wse2")))) do
  if row.cause == "send" then sent = row.issue / 10 end
end
assert(sent == 2, sent)

-- Few colours: one channel for each axis where those of each reach do not fit, then switches. A machine
-- whose positions change one side cannot have them, and says how many colours are missing.
local equations = require "support.equations"
for name, mode in pairs{laplacian = "static", widths = "joined", products = "joined", wave = "switched"} do
  local few = equations.check(name, {nx = 11, ny = 9, nz = 3}, {steps = 2, machine = "wse3"})
  assert(few.step.mode == mode, name .. ": " .. few.step.mode)
  local many = equations.check(name, {nx = 11, ny = 9, nz = 3}, {steps = 2, machine = "wse2"})
  assert(many.step.mode == "static" and many.cycles <= few.cycles)
end
local fine, message = pcall(equations.check, "wave", {nx = 11, ny = 9, nz = 3},
                            {steps = 1, machine = {base = "wse3", switch_position_sides = 1}})
assert(not fine and message:find("the exchange needs 9 colours at a PE, and this machine has 8", 1, true), message)

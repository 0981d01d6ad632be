-- Does a generated program do what its plan says? What is sent, which way words travel, and what explain()
-- counts beside what the record counted.
local cost = require "stencil.explain.cost"
local program = require "stencil.emit.program"
local stencil = require "stencil"
local twins = require "stencil.study.twins"
local wse = require "wse"

-- The wave with 25 points: no stall, 27.5 issue cycles and 50 operations in each cell.
for _, machine in ipairs{"model", "wse2"} do
  local made = twins.compare{nx = 12, ny = 11, nz = 300, steps = 4, dx = 20.0, dy = 25.0, dz = 16.0, kernel = "static",
                             machine = machine, check = false}
  assert(made.record.pe_cycles.memory_stall == 0)
  local rows, cells = cost.rows(made.request.step, wse.machine(machine), program.schedule(made.request.step))
  local issue, flops = 0, 0
  for _, row in ipairs(rows) do
    issue, flops = issue + row.issue, flops + row.flops
    assert(row.stall == 0)
  end
  assert(issue / cells == 28 - 0.5, issue / cells)
  assert(flops / cells == 50, flops / cells)
end

-- Each word travels once: two equations that read the same neighbours send it once for each axis.
local both = stencil.grid{nx = 9, ny = 8, nz = 10}
local a, b = both:field("a", {initial = 1.0}), both:field("b", {initial = 2.0})
both:update{a, a + 0.5 * (a:at(1) + a:at(-1) + a:at(0, 1))}
both:update{b, b * a:at(1) + 0.25 * a:at(-1)}
local result = both:run{steps = 1, check = true}
assert(result.max_rel_error == 0)
local sent = 0
for _, row in ipairs((cost.rows(result.step, wse.machine("wse2"), program.schedule(result.step)))) do
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
-- A line of one PE has no switches: its PE has no neighbour there, and sends nothing.
for _, size in ipairs{{1, 13}, {13, 1}} do
  local line = stencil.grid{nx = size[1], ny = size[2], nz = 3}
  local u = line:field("u", {initial = equations.chance(1)})
  line:update{u, 0.1 * (stencil.d(u, "xx", {order = 8}) + stencil.d(u, "yy", {order = 8}))}
  local alone = line:run{steps = 2, machine = "wse3", check = true}
  assert(alone.step.mode == "switched" and alone.max_rel_error < 1e-6)
end
local fine, message = pcall(equations.check, "wave", {nx = 11, ny = 9, nz = 3},
                            {steps = 1, machine = {base = "wse3", switch_position_sides = 1}})
assert(not fine and message:find("the exchange needs 9 colours at a PE, and this machine has 8", 1, true), message)

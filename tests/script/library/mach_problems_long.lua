-- The programs of mach at the sizes that they are made for: energies within one per cent, rates of
-- flows on finer grids; from which size on hidden sums pay. And every program on every machine, small.
local on_wafer = require "support.mach_on_wafer"
local cg, flow, heat, ising = require "mach.cg", require "mach.flow", require "mach.heat", require "mach.ising"

-- On the wafer itself, 2 to 3 seconds each.
for _, method in ipairs{"plain", "pipelined"} do
  for _, fuse in ipairs{false, true} do
    local found = cg.run{width = 16, height = 16, nz = 32, method = method, fuse = fuse, setup = false}
    assert(found.cycles > 0 and found.differing_words == 0, method)
    assert(math.abs(found.iterations - found.iterations_in_doubles) <= 2 and found.iterations > 20, method)
  end
end

for seed = 1, 2 do
  for _, temperature in ipairs{2.0, 3.0} do
    local found = ising.run{temperature = temperature, seed = seed, setup = false}
    assert(math.abs(found.energy / found.energy_exact - 1) <= 0.01, found.energy)
  end
end
for _, size in ipairs{{8, 8}, {16, 16}, {32, 24}} do
  local found = flow.run{width = size[1], height = size[2], nz = 2, steps = 150, setup = false}
  assert(math.abs(found.rate / found.rate_exact - 1) <= 0.02, found.rate)
end
for _, nz in ipairs{16, 50} do
  local found = heat.run{width = 32, height = 32, nz = nz, steps = 20, setup = false}
  assert(math.abs(found.rate / found.rate_exact - 1) <= 1e-3, found.rate)
end
-- Each side of a field costs plain iterations twice the way of a sum, pipelined ones nothing.
local pipelined = require("mach.study.language").pipelined
local function iteration(method, side)
  return pipelined.run{program = "cg " .. method, width = side, height = side}.cycles_per_step
end
assert(iteration("plain", 32) < iteration("pipelined", 32))
assert(iteration("plain", 64) > iteration("pipelined", 64))
assert(iteration("plain", 64) - iteration("plain", 32) == 2 * (64 + 64 - 32 - 32))
-- Where in a turn of its loop the E-PE hears a sum depends on the field, by less than a turn.
assert(math.abs(iteration("pipelined", 64) - iteration("pipelined", 32)) <= 5)
for _, machine in ipairs{"wse2", "wse3", "model"} do
  for _, name in ipairs(on_wafer.names) do on_wafer.check(name, machine) end
end
print("energies and rates, hidden sums")

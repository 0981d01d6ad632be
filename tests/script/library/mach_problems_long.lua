-- The programs of mach at the sizes that they are made for: energies within one per cent, rates of
-- flows on finer grids.
local flow, heat, ising = require "mach.flow", require "mach.heat", require "mach.ising"

for seed = 1, 2 do
  for _, temperature in ipairs{2.0, 3.0} do
    local found = ising.run{temperature = temperature, seed = seed}
    assert(math.abs(found.energy / found.energy_exact - 1) <= 0.01, found.energy)
  end
end
for _, size in ipairs{{8, 8}, {16, 16}, {32, 24}} do
  local found = flow.run{width = size[1], height = size[2], nz = 2, steps = 150}
  assert(math.abs(found.rate / found.rate_exact - 1) <= 0.02, found.rate)
end
for _, nz in ipairs{16, 50} do
  local found = heat.run{width = 32, height = 32, nz = nz, steps = 20}
  assert(math.abs(found.rate / found.rate_exact - 1) <= 1e-3, found.rate)
end
print("energies and rates")

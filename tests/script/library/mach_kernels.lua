-- Each kernel alone, on the machines in turn, does what Lua says; what indirect kernels and exchanges cost.
local exchange = require "mach.exchange"
local indirect = require "mach.indirect"
local random = require "mach.lib.random"
local vm = require "mach.vm"

local machines = {"model", "wse2", "wse3"}

for k, name in ipairs(vm.kernels.names) do
  if name ~= "receive" then
    local p, steps = random.program{seed = k, width = 8, height = 4, response = 4, nz = 8, rpcs = 3,
                                    sections = 1, only = name}
    local machine = machines[k % 3 + 1]
    local result = p:run(steps, {machine = machine, max_cycles = 100000})
    assert(result.differing == 0, name .. " on " .. machine)
  end
end

for _, name in ipairs(indirect.kernels) do
  for _, type in ipairs{"f32", "f16", "i32"} do
    local result = indirect.run{kernel = name, n = 1024, type = type, machine = "wse2"}
    assert(result.differing == 0 and result.cycles_per_element >= 1)
    assert(result.cycles_per_element <= 2.1, name .. ": " .. result.cycles_per_element)
  end
end
local gather = indirect.run{kernel = "gather", n = 1024, type = "f32", machine = "model"}
assert(gather.differing == 0 and gather.cycles_per_element <= 1.1)
for _, n in ipairs{1, 2, 7} do
  assert(indirect.run{kernel = "gather-add", n = n, type = "f32", machine = "wse2"}.differing == 0)
end

for turn, size in ipairs{{4, 2}, {6, 2}, {8, 6}} do
  for number, type in ipairs{"f32", "f16", "i32"} do
    local machine = machines[(turn + number) % 3 + 1]
    local result = exchange.run{width = size[1], height = size[2], nz = 9, type = type, machine = machine}
    assert(result.differing == 0, machine)
  end
end
-- two words a cycle at most: one is sent, one is taken, in one slot
local few = exchange.run{width = 8, height = 4, nz = 100, type = "f32", machine = "wse2"}
local many = exchange.run{width = 8, height = 4, nz = 200, type = "f32", machine = "wse2"}
assert(many.cycles_per_direction - few.cycles_per_direction == 200)

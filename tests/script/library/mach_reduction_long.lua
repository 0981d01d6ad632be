-- Reductions of large fields: the same constant as of a small one, and work hides the way.
local reduction = require "mach.reduction"

local function run(width, height, changed)
  local options = {width = width, height = height, nz = 16, op = "sum", to = "controller", work = 0}
  for name, value in pairs(changed) do options[name] = value end
  local result = reduction.run(options)
  assert(result.differing == 0)
  return result
end

for _, machine in ipairs{"model", "wse2"} do
  local constant = run(4, 4, {machine = machine}).cycles - 8
  for _, size in ipairs{{32, 32}, {64, 60}, {128, 124}} do
    local cycles = run(size[1], size[2], {machine = machine}).cycles
    assert(cycles == size[1] + size[2] + constant, cycles)
  end
end
for _, size in ipairs{{64, 60}, {128, 124}} do
  for to, cycles in pairs{workers = 85, controller = 69} do  -- those of a small field, mach_reduction.lua
    local result = run(size[1], size[2], {to = to, work = 12, machine = "wse2"})
    assert(result.exposed_cycles == cycles, result.exposed_cycles)
  end
end

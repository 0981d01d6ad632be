-- Are equations in space, a column for each PE, equal to their plain evaluation to the last bit? Odd
-- sizes, lines of one PE, grids below the reach, whole columns and blocks.
local equations = require "support.equations"

local runs = 0
local sizes = {{1, 1, 1}, {1, 5, 4}, {6, 1, 3}, {2, 2, 2}, {3, 4, 7}, {11, 9, 5}}
for _, name in ipairs(equations.names()) do
  for k, size in ipairs(sizes) do
    local nx, ny, nz = table.unpack(size)
    equations.check(name, {nx = nx, ny = ny, nz = nz}, {steps = 2 + k % 3})
    runs = runs + 1
  end
  for _, block in ipairs{2, 4, 6} do
    local result = equations.check(name, {nx = 3, ny = 4, nz = 7}, {steps = 3, block = block})
    assert(result.step.blocks == (7 + block - 1) // block)
    runs = runs + 1
  end
end
print(runs .. " runs")

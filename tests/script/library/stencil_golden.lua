-- The published example of the acoustic kernel, 10 x 10 x 10 cells: smallest and largest value
-- after 2 steps on every machine and after 10 on one of them in turn, to 1e-5 of the largest; all kernels and both
-- choices of banks.
local acoustic = require "stencil.acoustic25"

local published = {{steps = 2, min = -0.0939295, max = 57.403816},
                   {steps = 10, min = -1.3100899, max = 1200.9414062}}
local runs = 0
for _, row in ipairs(published) do
  local turn = 0
  for _, kernel in ipairs{"paper", "fused", "static", "compiled"} do
    for _, banks in ipairs(kernel == "paper" and {"same", "other"} or {false}) do
      local machines = kernel == "static" and {"wse2", "model"} or {"wse2", "wse3", "model"}
      turn = turn + 1
      for _, machine in ipairs(row.steps == 2 and machines or {machines[turn % #machines + 1]}) do
        local result = acoustic.run{
          nx = 10, ny = 10, nz = 10, steps = row.steps, velocity = 2000.0, dt = 0.001610153,
          source = {0, 0, 0}, kernel = kernel, banks = banks or nil, machine = machine}
        local far = math.max(math.abs(result.min - row.min), math.abs(result.max - row.max))
        assert(far <= 1e-5 * row.max, kernel .. ": " .. far)
        assert(result.max_rel_error <= 1e-5)
        runs = runs + 1
      end
    end
  end
end
print("the published example, " .. runs .. " times")

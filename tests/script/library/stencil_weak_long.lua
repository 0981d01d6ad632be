-- Weak scaling: from 32 x 32 to 200 x 200 PEs a step takes at most 2.5 % longer.
local acoustic = require "stencil.acoustic25"

for _, kernel in ipairs{"paper", "fused", "static", "compiled"} do
  local function cycles(side)
    return acoustic.run{nx = side, ny = side, nz = 100, steps = 2, kernel = kernel,
                        machine = "wse2", check = true}.cycles_per_step
  end
  local small, large = cycles(32), cycles(200)
  print(string.format("%s: %.1f %%", kernel, 100 * small / large))
  assert(small / large >= 0.975)
end

-- Stars of radius 1 to 4 in two and three dimensions, and boxes, equal a double-precision run; each
-- run checks its counts too.
local star = require "stencil.star"

local runs, machines = 0, {"wse2", "wse3", "model"}
local shapes = {{1, 1}, {1, 2}, {2, 1}, {3, 2}, {4, 3}, {5, 1}, {6, 4}, {10, 11}}

local function check(options)
  local result = star.run(options)
  assert(result.max_rel_error <= 1e-5)
  runs = runs + 1
  assert(result.kernel == "compiled" or options.kernel == nil)
  return result
end

-- Checks a stencil by hand and compiled.
local function check_both(options)
  options.kernel, options.block = nil, nil
  check(options)
  options.kernel, options.banks = "compiled", nil
  options.block = options.shape ~= "box" and options.nz > 2 and 2 or nil
  check(options)
end

for radius = 1, 4 do
  for dims = 2, 3 do
    for k, shape in ipairs(shapes) do
      local list = {0.3}  -- alike along all axes, or for each axis its own
      for m = 1, radius * (k % 2 == 0 and dims or 1) do list[m + 1] = 0.1 / m * (-1) ^ m end
      check_both{radius = radius, dims = dims, nx = shape[1], ny = shape[2], nz = k % 3 + 1, steps = 4,
            coefficients = list, machine = machines[k % 3 + 1],
            banks = k % 4 == 0 and "same" or "other"}
    end
  end
end
for k, shape in ipairs(shapes) do
  check_both{shape = "box", nx = shape[1], ny = shape[2], nz = k % 3 + 1, steps = 5,
        coefficients = "0.1,0.2,0.3,-0.1,0.5,0.15,0.05,-0.2,0.07", machine = machines[k % 3 + 1]}
end

-- Five, nine and seven points of a Laplacian, from 1 in the middle cell.
local five = check{radius = 1, dims = 2, coefficients = "-4,1", nx = 9, ny = 9, steps = 1}
assert(five.min == -4 and five.max == 1)
local nine = check{radius = 2, dims = 2, coefficients = "-5,1.333333,-0.083333", nx = 9, ny = 9,
                   steps = 1}
assert(nine.min == -5 and math.abs(nine.max - 1.333333) < 1e-6)
local seven = check{radius = 1, dims = 3, coefficients = "-6,1", nx = 5, ny = 5, nz = 5, steps = 1}
assert(seven.min == -6 and seven.max == 1)
local box = check{shape = "box", coefficients = "1,2,3,4,5,6,7,8,9", nx = 5, ny = 5, steps = 1}
assert(box.min == 0 and box.max == 9)
print(runs .. " stencils")

-- Is what equations become as fast as what was written by hand, and equal to it? The wave with 25 points beside
-- kernel=static and kernel=fused, stars and the box beside star.lua, tiles beside programs/star.
local stencil = require "stencil"
local twins = require "stencil.study.twins"
local wse = require "wse"

local kMostCycles = 1.03  -- of the program by hand
local kMostOff = 1e-6     -- of the largest value: sums in another order

local function beside(options)
  options.nx, options.ny, options.steps, options.check = 12, 11, 4, false
  local both = twins.compare(options)
  local name = ("%s on %s, nz = %d"):format(options.kernel or options.shape or "star", options.machine, options.nz)
  assert(both.made <= kMostCycles * both.hand, name .. ": " .. both.made .. " cycles beside " .. both.hand)
  assert(both.distance <= kMostOff, name .. ": off by " .. both.distance)
end

for _, nz in ipairs{100, 334} do
  local wave = {nz = nz, dx = 20.0, dy = 25.0, dz = 16.0}
  for kernel, machine in pairs{static = "wse2", fused = "wse3"} do
    wave.kernel, wave.machine = kernel, machine
    beside(wave)
  end
end
for radius = 1, 4 do
  local list = {0.3}
  for m = 1, radius do list[m + 1] = 0.1 / m * (-1) ^ m end
  beside{radius = radius, dims = 3, nz = 60, coefficients = list, machine = "wse2"}
end
for _, machine in ipairs{"wse2", "wse3"} do
  beside{shape = "box", nz = 3, coefficients = "1,2,1,2,-4,2,1,2,1", machine = machine}
end

-- Tiles: the star of programs/star, with the layout that tests/fidelity measures, cycles of a step.
local function by_hand(n, radius, machine)
  local function cycles(steps)
    local record = wse.run{
      file = "programs/star.wsa", machine = machine,
      values = {W = 3, H = 3, N = n, R = radius, STEPS = steps, ROW = n + 2 * radius | 1, BANK = 2}}
    return record.marks["end"].last - record.marks.begin.first
  end
  return (cycles(4) - cycles(2)) / 2
end

local function generated(n, radius, machine)
  local function cycles(steps)
    local g = stencil.grid{nx = 3 * n, ny = 3 * n, tile = {n, n}}
    local u, sum = g:field("u", {initial = function(x, y) return (5 * x + 3 * y) % 8 end}), nil
    for m = 1, radius do
      local ring = u:at(m) + u:at(-m) + u:at(0, m) + u:at(0, -m)
      sum = sum and sum + ring or ring
    end
    g:update{u, 0.5 * u + sum * (1 / (8 * radius))}
    local result = g:run{steps = steps, machine = machine, check = true}
    assert(result.max_rel_error <= kMostOff, result.max_rel_error)
    return result.cycles
  end
  return (cycles(4) - cycles(2)) / 2
end

for _, machine in ipairs{"wse2", "wse3"} do
  for _, case in ipairs{{1, 1}, {4, 1}, {20, 1}, {8, 2}, {8, 4}, {8, 7}} do
    local hand, made = by_hand(case[1], case[2], machine), generated(case[1], case[2], machine)
    assert(made <= kMostCycles * hand, ("tiles of %d x %d, radius %d on %s: %g cycles beside %g"):format(
      case[1], case[1], case[2], machine, made, hand))
  end
end

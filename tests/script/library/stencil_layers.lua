-- Does acoustic modelling behave as waves do? A pulse leaves through the layers and hardly comes back, a
-- closed box keeps its energy, source and receiver may change places, a free surface turns the sign.
local acoustic = require "stencil.modelling.acoustic"
local layers = require "stencil.modelling.layers"
local shots = require "stencil.minimod"
local wave = require "stencil.lib.wave"

-- Returns the traces and values of a run: options as of minimod.lua, velocity may be a function.
local function run(options, velocity)
  local request = shots.request(options)
  request.velocity = velocity or request.velocity
  local g, fields = acoustic.grid(request)
  acoustic.add_survey(request, g, fields.p, request.cells[1])
  local result = g:run{steps = request.nsteps, force = true}
  return result, fields.p, request
end

local function largest(list, first, last)
  local most = 0.0
  for k = first, last do most = math.max(most, math.abs(list[k])) end
  return most
end

-- ---- profiles: 0 inside, k = n - 1 in the outermost cell, n beyond it; both sides alike

local profile = layers.profile(20, 4, 4, 10.0, 3000.0, 0.001)
local unit = 0.001 * 3 * 3000.0 * math.log(1000) / (2 * 4 * 10.0)
for at, k in pairs{[-1] = 4, [0] = 3, [2] = 1, [3] = 0, [4] = 0, [10] = 0, [15] = 0, [16] = 0, [17] = 1, [19] = 3,
                   [20] = 4} do
  assert(math.abs(profile(at) - (k / 4) ^ 2 * unit) < 1e-15, at)
end

-- ---- a slice of 60 x 60 cells: the pulse passes a receiver; with layers little of its peak comes back

local kThin = "20,1e6,20"  -- so far from 0 beyond the only plane that this does not matter
local slice = {ngrid = "60,1,60", dgrid = kThin, nsteps = 260, vmax = 2000.0, shots = "30,0,30", receivers = "24,0,24"}
local function back(pml)
  slice.pml = pml
  local trace = run(slice).traces.r1
  local peak = largest(trace, 1, 120)
  return largest(trace, 200, 260) / peak
end
local kMostBack = 1e-3
local closed, open = back("0"), back("20")
assert(closed > 0.1 and open < kMostBack, closed .. " " .. open)

-- ---- energy: |u_new - u|^2 / (v dt)^2 - u_new . laplacian(u) stays, in a closed box

local function energy(steps)
  local options = {ngrid = "7,6,12", nsteps = steps, pml = "0", vmax = 2000.0, shots = "3,3,5", fmax = 60.0}
  local now, p, request = run(options)
  options.nsteps = steps + 1
  local next_one, q = run(options)
  local sum, weights = 0.0, wave.coefficients{dt = request.dt, velocity = 2000.0, dx = 20.0, dy = 20.0, dz = 20.0}
  local function value(x, y, z)
    if x < 0 or y < 0 or z < 0 or x > 6 or y > 5 or z > 11 then return 0.0 end
    return now.value(p, x, y, z)
  end
  for x = 0, 6 do
    for y = 0, 5 do
      for z = 0, 11 do
        local laplacian = (weights.centre - 2) * value(x, y, z)
        for m = 1, wave.reach do
          laplacian = laplacian + weights.x[m] * (value(x + m, y, z) + value(x - m, y, z) + value(x, y + m, z)
                                                  + value(x, y - m, z) + value(x, y, z + m) + value(x, y, z - m))
        end
        local after = next_one.value(q, x, y, z)
        sum = sum + (after - value(x, y, z)) ^ 2 - after * laplacian
      end
    end
  end
  return sum
end
local early, late = energy(60), energy(200)
assert(early > 0 and math.abs(late / early - 1) < 1e-4, early .. " " .. late)

-- ---- reciprocity: u(A -> B) v(A)^2 = u(B -> A) v(B)^2, with a velocity for each cell

local function velocity(x, y, z) return 1500.0 + 100.0 * ((x + 2 * y + z) % 9) end
local a, b = "4,5,9", "9,3,4"
local there = {ngrid = "13,9,14", nsteps = 80, pml = "0", shots = a, receivers = b}
local back_again = {ngrid = "13,9,14", nsteps = 80, pml = "0", shots = b, receivers = a}
local one, other = run(there, velocity).traces.r1, run(back_again, velocity).traces.r1
local scale = velocity(4, 5, 9) ^ 2 / velocity(9, 3, 4) ^ 2
local most = largest(one, 1, 80)
for k = 1, 80 do assert(math.abs(one[k] * scale - other[k]) <= 2e-5 * most, "step " .. k) end
assert(most > 0)

-- ---- a free surface: what it reflects has the other sign than what comes first, and nearly its size

local line = {ngrid = "61,1,50", dgrid = kThin, nsteps = 150, vmax = 2000.0, pml = "20,20,0,0,0,20", surface = "free",
              shots = "30,0,12", receivers = "30,0,22"}
local with_surface = run(line).traces.r1
line.surface, line.pml = "none", "20"
local without = run(line).traces.r1
local reflected = {}
for k = 1, 150 do reflected[k] = with_surface[k] - without[k] end
local function extreme(list)
  local at = 1
  for k = 1, 150 do
    if math.abs(list[k]) > math.abs(list[at]) then at = k end
  end
  return at, list[at]
end
local first_at, first = extreme(without)
local then_at, turned = extreme(reflected)
assert(then_at > first_at and first * turned < 0 and math.abs(turned) > 0.3 * math.abs(first),
       first_at .. " " .. first .. " " .. then_at .. " " .. turned)

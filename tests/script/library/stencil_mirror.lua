-- Is a part of a symmetric model beyond whose low ends all is as in a mirror like the whole model? For random equations, beside
-- their plain evaluation; for waves, beside a run of the whole model; with a grid that grows, beside one that does not.
local acoustic = require "stencil.modelling.acoustic"
local shots = require "stencil.minimod"
local stencil = require "stencil"

local random_equations = require "support.random_equations"
local ran, exact = random_equations.run(1, 40, true)
assert(ran >= 30 and exact >= 25, ran .. " of 40 ran, " .. exact .. " exactly")
assert(random_equations.run(1165, 1165, true) == 1)  -- switches, and all columns longer than a block

-- ---- the plain evaluation itself: f(-i) = f(i), of what is set before and in a step, and of parameters

local line = stencil.grid{nx = 4, ny = 1, nz = 3, mirror = "xz"}
local f = line:field("f", {initial = function(x, _, z) return 1.0 + x + 10 * z end})
local h, k = line:field("h"), line:field("k")
local w = line:parameter("w", function(x, _, z) return 1.0 + x + 10 * z end)
line:update{f, f:at(-3)}
line:update{h, f.next:at(0, 0, -1)}
line:update{k, w:at(-2, 0, -2) * f}
local result = line:run{steps = 1, check = true}
assert(result.max_rel_error == 0)
for x, wanted in pairs{[0] = 4.0, 3.0, 2.0, 1.0} do assert(result.value(f, x, 0, 0) == wanted) end
for x, wanted in pairs{[0] = 14.0, 13.0, 12.0, 11.0} do assert(result.value(h, x, 0, 0) == wanted) end
assert(result.value(k, 0, 0, 0) == 23.0 and result.value(k, 1, 0, 1) == 12.0 * 12.0)

-- ---- an octant, and the whole model around its source

local kMostOff = 1e-5  -- of the largest value

-- Returns a run of options as of minimod.lua, velocity may be a function.
local function run(options, velocity)
  local request = shots.request(options)
  request.velocity = velocity or request.velocity
  local g, fields = acoustic.grid(request)
  acoustic.add_survey(request, g, fields.p, request.cells[1])
  local done = g:run{steps = request.nsteps, force = true}
  return function(x, y, z) return done.value(fields.p, x, y, z) end
end

-- Returns how far `part`, the cells from `middle` on, is off the whole, of the largest value.
local function distance(part, whole, sizes, middle)
  local worst, largest = 0.0, 0.0
  for x = 0, sizes[1] - 1 do
    for y = 0, sizes[2] - 1 do
      for z = 0, sizes[3] - 1 do
        local wanted = whole(middle[1] + x, middle[2] + y, middle[3] + z)
        worst = math.max(worst, math.abs(part(x, y, z) - wanted))
        largest = math.max(largest, math.abs(wanted))
      end
    end
  end
  return worst / largest
end

local function bumps(x, y, z) return 1500.0 + 100.0 * ((x + 2 * y + z) % 9) end
local function bumps_around(x, y, z) return bumps(math.abs(x - 9), math.abs(y - 7), math.abs(z - 8)) end
local octant = {ngrid = "10,8,9", nsteps = 40, mirror = "xyz"}
local whole = {ngrid = "19,15,17", nsteps = 40, shots = "9,7,8"}
local function check_octant(pml, absorber, velocities)
  octant.pml, whole.pml, octant.absorber, whole.absorber = pml, pml, absorber, absorber
  local off = distance(run(octant, velocities and bumps), run(whole, velocities and bumps_around), {10, 8, 9}, {9, 7, 8})
  assert(off <= kMostOff, ("pml = %s, %s: %g"):format(pml, absorber, off))
end
check_octant("0", "minimod", false)
check_octant("0", "minimod", true)
check_octant("4", "minimod", false)
check_octant("3", "cpml", true)

-- Half of a model, whose source is off the mirror: the other half has its image.
local half = run{ngrid = "10,5,6", nsteps = 25, mirror = "x", shots = "3,2,3", pml = "0"}
local both = shots.request{ngrid = "19,5,6", nsteps = 25, shots = "12,2,3", pml = "0"}
local g, fields = acoustic.grid(both)
acoustic.add_survey(both, g, fields.p, {12, 2, 3})
acoustic.add_survey(both, g, fields.p, {6, 2, 3})
local double = g:run{steps = 25, force = true}
assert(distance(half, function(x, y, z) return double.value(fields.p, x, y, z) end, {10, 5, 6}, {9, 0, 0}) <= kMostOff)

-- A mirror that is missing, or half a cell away, is noticed: that is 0, or the whole model with a source in two cells.
octant.pml, whole.pml, octant.mirror = "0", "0", "xy"
local off = distance(run(octant), run(whole), {10, 8, 9}, {9, 7, 8})
assert(off > 100 * kMostOff, off)
local far = shots.request{ngrid = "20,15,17", nsteps = 40, pml = "0"}
g, fields = acoustic.grid(far)
acoustic.add_survey(far, g, fields.p, {9, 7, 8})
acoustic.add_survey(far, g, fields.p, {10, 7, 8})
local between = g:run{steps = 40, force = true}
octant.mirror = "xyz"
off = distance(run(octant), function(x, y, z) return between.value(fields.p, x, y, z) end, {10, 8, 9}, {10, 7, 8})
assert(off > 100 * kMostOff, off)

-- ---- a grid that grows has the wavefield, the extremes and the seismograms of one that does not

local function numbers_of(file, nx, ny, nz)
  local read = stencil.grid{nx = nx, ny = ny, nz = nz}
  read:field("read", {initial = file})
  return read.fields[1].initial
end

local function check_growth(options, sizes, traces)
  local users = {}
  for number, grow in ipairs{0, 10} do
    options.grow, options.out = grow, "out/grow" .. number
    options.wavefield = options.out .. "/u.npy"
    users[number] = shots.run(shots.request(options))
  end
  local origin = {0, 0, 0}
  local function near(name, extents)
    local fine = numbers_of("out/grow1/" .. name, table.unpack(extents))
    local grown = numbers_of("out/grow2/" .. name, table.unpack(extents))
    assert(distance(grown, fine, extents, origin) <= kMostOff, name)
  end
  near("u.npy", sizes)
  near("seismograms.npy", traces)
  local most = math.max(-users[1].min, users[1].max)
  assert(math.abs(users[1].min - users[2].min) <= kMostOff * most and math.abs(users[1].max - users[2].max) <= kMostOff * most)
  assert(users[2].cycles_per_step[1] < users[1].cycles_per_step[1])
end
check_growth({ngrid = "18,18,18", nsteps = 40, mirror = "xyz", pml = "0", receivers = "0,0,0..16..4"}, {18, 18, 18}, {5, 1, 40})
check_growth({ngrid = "36,5,30", nsteps = 45, pml = "4,4,0,0,4,4", shots = "9,2,20", receivers = "1..35..6,2,12"}, {36, 5, 30},
             {6, 1, 45})
require("stencil.modelling.output").save("velocity", "out/v.npy", 36, 5, 30, bumps)
check_growth({ngrid = "36,5,30", nsteps = 25, pml = "4,4,0,0,4,4", absorber = "cpml", shots = "9,2,20",
              velocity = "out/v.npy", receivers = "1..35..6,2,12", snapshots = "15"}, {36, 5, 30}, {6, 1, 25})

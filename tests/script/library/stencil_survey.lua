-- Does a survey give what it was asked for: seismograms of several shots, the last wavefield, snapshots? Is what
-- cannot be refused before anything runs, in words that say what would fit?
local acoustic = require "stencil.modelling.acoustic"
local output = require "stencil.modelling.output"
local shots = require "stencil.minimod"
local stencil = require "stencil"
local wse = require "wse"

-- ---- several shots: a file of shape (shots, receivers, nsteps), each with its own trace; the wavefield

local survey = shots.request{ngrid = "9,8,10", nsteps = 7, pml = "2", shots = "4,4,5;2,3,4", receivers = "1..7..2,3,1",
                             out = "out/survey", wavefield = "out/survey/u.npy"}
local user = shots.run(survey)
assert(#user.cycles_per_step == 2 and user.seismograms == "out/survey/seismograms.npy")
local read = stencil.grid{nx = 4, ny = 2, nz = 7}
read:field("traces", {initial = user.seismograms})
for number, cell in ipairs(survey.cells) do
  local g, fields = acoustic.grid(survey)
  local p = fields.p
  acoustic.add_survey(survey, g, p, cell)
  local result = g:run{steps = 7, force = true, check = true}
  assert(result.max_rel_error < 1e-5)
  for k = 1, 4 do
    for step = 1, 7 do
      assert(read.fields[1].initial(k - 1, number - 1, step - 1) == result.traces["r" .. k][step])
    end
  end
  if number == 1 then
    local last = stencil.grid{nx = 9, ny = 8, nz = 10}
    last:field("u", {initial = survey.wavefield})
    assert(last.fields[1].initial(3, 4, 5) == result.value(p, 3, 4, 5) and result.value(p, 3, 4, 5) ~= 0)
    assert(user.max == math.max(user.max, result.value(p, 4, 4, 5)))
  end
end

-- ---- a shot in parts: the same numbers as in one run, and each snapshot is the wavefield of its step

local function numbers_of(file, nx, ny, nz)
  local g = stencil.grid{nx = nx, ny = ny, nz = nz}
  g:field("read", {initial = file})
  return g.fields[1].initial
end

local function same(file, other, nx, ny, nz)
  local one, two, most = numbers_of(file, nx, ny, nz), numbers_of(other, nx, ny, nz), 0.0
  for x = 0, nx - 1 do
    for y = 0, ny - 1 do
      for z = 0, nz - 1 do
        assert(one(x, y, z) == two(x, y, z), file .. " and " .. other .. " differ")
        most = math.max(most, math.abs(one(x, y, z)))
      end
    end
  end
  assert(most > 0)
end

local function options_of(folder, nsteps, absorber)
  return {ngrid = "7,6,9", nsteps = nsteps, pml = "2,2,2,2,0,2", surface = "free", shots = "3,3,4", receivers = "1..5..2,3,1",
          out = folder, wavefield = folder .. "/u.npy", velocity = "3000", absorber = absorber}
end

local function check_parts(absorber)
  local in_parts = options_of("out/parts", 9, absorber)
  in_parts.snapshots, in_parts.slices = "3..6..3,4", "y3,z0"
  local parts = shots.request(in_parts)
  assert(table.concat(parts.snapshot_steps, " ") == "3 4 6")
  local parted, whole = shots.run(parts), shots.run(shots.request(options_of("out/whole", 9, absorber)))
  assert(parted.min == whole.min and parted.max == whole.max)
  same("out/parts/u.npy", "out/whole/u.npy", 7, 6, 9)
  same("out/parts/seismograms.npy", "out/whole/seismograms.npy", 3, 1, 9)
  for _, step in ipairs{3, 4, 6} do
    local options = options_of("out/step", step, absorber)
    options.receivers = nil
    shots.run(shots.request(options))
    same(("out/parts/snapshot_1_%05d.npy"):format(step), "out/step/u.npy", 7, 6, 9)
  end
  for _, name in ipairs{"model_y3", "model_z0", "snapshot_1_00003_y3", "snapshot_1_00006_z0"} do
    assert(wse.read_text("out/parts/" .. name .. ".png"):sub(2, 4) == "PNG", name)
  end
  return whole.max
end
assert(check_parts("minimod") ~= check_parts("cpml"))

-- ---- what is refused

local function refused(options, message, velocity)
  for name, value in pairs{ngrid = "8,7,9", nsteps = 4, pml = "2"} do options[name] = options[name] or value end
  local fine, text = pcall(function()
    local request = shots.request(options)
    request.velocity = velocity or request.velocity
    return shots.run(request)
  end)
  assert(not fine, message .. ": it was accepted")
  text = tostring(text):gsub("^[^\n]-%.lua:%d+: ", "")
  assert(text:find(message, 1, true) == 1, text)
end

refused({propagator = "elastic"}, "propagator = elastic: acoustic_iso_cd, acoustic_iso, acoustic_tti, elastic_iso, elastic_tti or elastic_tti_approx is wanted")
refused({shear = "1000"}, "shear = 1000: propagator = acoustic_iso_cd has no shear")
refused({propagator = "acoustic_iso", shear = "1000"}, "shear = 1000: propagator = acoustic_iso has no shear")
refused({density = "1000"}, "density = 1000: propagator = acoustic_iso_cd has no density")
refused({propagator = "acoustic_iso", density = "0"}, "density: 0 at cell 0,0,0; above 0 kg/m^3 is wanted")
refused({propagator = "acoustic_iso", velocity = "0"}, "velocity: 0 at cell 0,0,0; above 0 to vmax = 4500 m/s is wanted")
refused({propagator = "elastic_iso", shear = "1800"},
        "shear: 1800 at cell 0,0,0; 0 to below 1732.05 m/s, 0.866 of the velocity, is wanted")
refused({propagator = "acoustic_tti", epsilon = "0"},
        "epsilon: 0 at cell 0,0,0; delta = 0.1 or more, without which waves grow, is wanted")
refused({propagator = "acoustic_tti", velocity = "4400"},
        "epsilon: 0.2 at cell 0,0,0; a medium whose waves are not faster than vmax = 4500 m/s, not 5206.15, is wanted")
refused({propagator = "acoustic_tti", gamma = "0.1"}, "gamma = 0.1: propagator = acoustic_tti has no gamma")
refused({propagator = "elastic_iso", theta = "30"}, "theta = 30: propagator = elastic_iso has no theta")
refused({propagator = "elastic_tti", theta = "400"}, "theta: 400 at cell 0,0,0; -360 to 360 degrees is wanted")
refused({propagator = "elastic_tti", shear = "2000"}, "shear: 2000 at cell 0,0,0; 0 to below the velocity, 2000 m/s, is wanted")
refused({propagator = "elastic_tti", shear = "0", surface = "free", shots = "4,3,4"},
        "shear: 0 at cell 0,0,0; above 0 m/s on a free surface is wanted")
refused({propagator = "elastic_tti", gamma = "-1"}, "gamma: -1 at cell 0,0,0; -0.5 or more is wanted")
refused({propagator = "elastic_tti_approx", delta = "-0.5"}, "delta: -0.5 at cell 0,0,0; above -0.5 is wanted")
refused({propagator = "elastic_tti_approx", epsilon = "-0.4"}, "epsilon: -0.4 at cell 0,0,0; a medium that resists each strain")
refused({propagator = "elastic_iso", shear = ""}, "shear = : the name of a file is wanted")
refused({propagator = "elastic_iso", absorber = "minimod"},
        "absorber = minimod: propagator = acoustic_iso_cd has it; elastic_iso has cpml")
refused({propagator = "elastic_iso", mirror = "x"}, "mirror = x: propagator = acoustic_iso_cd has it, not elastic_iso")
refused({propagator = "acoustic_iso", grow = 50}, "grow = 50: propagator = acoustic_iso_cd has it, not acoustic_iso")
refused({propagator = "acoustic_iso", source = "moment"},
        "source = moment: pressure, force_x, force_y or force_z is wanted")
refused({source = "force_x"}, "source = force_x: pressure is wanted")
refused({propagator = "elastic_iso", moment = "1,0,0,0,0,0"}, "moment = 1,0,0,0,0,0: source = moment has it, not pressure")
refused({propagator = "elastic_iso", source = "moment", moment = "1,0,0"},
        "moment = 1,0,0: six numbers for xx, yy, zz, xy, xz and yz are wanted, not all of them 0")
refused({propagator = "elastic_iso", source = "moment", moment = "0,0,0,0,0,0"}, "moment = 0,0,0,0,0,0: six numbers")
refused({propagator = "elastic_iso", fields = "p"}, "fields = p: vz, vx, vy, sxx, syy, szz, sxy, sxz or syz is wanted")
refused({propagator = "elastic_iso", fields = "vx,vx"}, "fields = vx,vx: vx is there twice")
refused({propagator = "elastic_iso", surface = "free", shots = "1,1,0"},
        "shots: 1,1,0 lies on the free surface, where nothing resists source = pressure; z = 1 or more is wanted")
refused({propagator = "elastic_iso", dt = 0.1}, "dt = 0.1 is not stable: at most 0.00199486 is, for vmax = 4500; force=true")
refused({ngrid = "8,7"}, "ngrid = 8,7: three numbers are wanted")
refused({ngrid = "8,0,9"}, "ngrid = 0: an integer of at least 1 is wanted")
refused({ngrid = "8,7,nine"}, "ngrid = 8,7,nine: numbers with commas between are wanted")
refused({ngrid = "70000,7,9"}, "ngrid = 70000: an integer of 1 to 65535 is wanted")
refused({dgrid = "20,20,0"}, "dgrid = 0: a number above 0 is wanted")
refused({nsteps = 0}, "nsteps = 0: an integer of at least 1 is wanted")
refused({fmax = 0.0}, "fmax = 0.0: a number above 0 is wanted")
refused({vmax = -1.0}, "vmax = -1.0: a number above 0 is wanted")
refused({velocity = "5000"}, "velocity = 5000: 0 to vmax = 4500 is wanted")
refused({velocity = "none.npy"}, "velocity: cannot read 'none.npy'")
refused({velocity = ""}, "velocity = : the name of a file is wanted")
refused({}, "velocity: 4600 m/s at cell 2,1,0; 0 to vmax = 4500 is wanted",
        function(x, y, z) return x == 2 and y == 1 and z == 0 and 4600.0 or 1500.0 end)
refused({dt = 0.1}, "dt = 0.1 is not stable: at most 0.00201269 is, for vmax = 4500; force=true runs it")
refused({dt = 0.0}, "dt = 0.0: a number above 0 is wanted")
refused({first_sample = 2}, "first_sample = 2: an integer of 0 to 1 is wanted")
refused({pml = "2,2"}, "pml = 2,2: one width, or six for x, y and z, low and high, is wanted")
refused({pml = "-1"}, "pml = -1: an integer of 0 to 65535 is wanted")
refused({pml = "1.5"}, "pml = 1.5: an integer of 0 to 65535 is wanted")
refused({absorber = "pml"}, "absorber = pml: minimod or cpml is wanted")
refused({surface = "top"}, "surface = top: none or free is wanted")
refused({shots = "8,0,0"}, "shots = 8,0,0: a cell x,y,z inside is wanted, 0,0,0 to 7,6,8")
refused({shots = "1,1,1;"}, "shots = : numbers with commas between are wanted")
refused({receivers = "0..8,0,0"}, "receivers: '0..8' is no range of cells in 0..7; 3, 1..9 or 1..9..2 is wanted")
refused({receivers = "0..5..0,0,0"}, "receivers: '0..5..0' is no range of cells in 0..7")
refused({receivers = "5..2,0,0"}, "receivers: '5..2' is no range of cells in 0..7")
refused({receivers = "1,1"}, "receivers = 1,1: ranges of x, y and z are wanted, as in 0..99..4,50,2")
refused({receivers = "0..99999999999999999999,0,0"}, "receivers: '0..99999999999999999999' is no range of cells")
refused({snapshots = "0"}, "snapshots: '0' is no range of steps in 1..4; 3, 1..9 or 1..9..2 is wanted")
refused({snapshots = "2..5"}, "snapshots: '2..5' is no range of steps in 1..4")
refused({snapshots = "2", check = true}, "snapshots: with check = true a run is not cut into parts")
refused({slices = "y3"}, "slices = y3: these are planes of snapshots; snapshots names the steps, as in 50..50..50")
refused({snapshots = "2", slices = "y7"}, "slices: 'y7' is no plane; x0..x7, y0..y6 or z0..z8 is wanted, as in x3,y0")
refused({snapshots = "2", slices = "5"}, "slices: '5' is no plane")
refused({mirror = "zx"}, "mirror = zx: none, or axes in their order, as in x or xyz, are wanted")
refused({mirror = true}, "mirror = true: none, or axes")
refused({mirror = ""}, "mirror = : none, or axes")
refused({mirror = "xz", surface = "free"}, "mirror = xz: with surface = free the border at z = 0 is no mirror")
refused({mirror = "y", absorber = "cpml", pml = "3"},
        "mirror = y: with absorber = cpml more than 4 cells between the mirror and the layer along y are wanted, not 4")
refused({grow = -1}, "grow = -1: an integer of at least 0 is wanted")
refused({grow = 2, check = true}, "grow: with check = true a run is not cut into parts")
refused({nsteps = 4, nstep = 4}, "minimod has no option 'nstep'; did you mean 'nsteps'?")

-- A velocity that is no number, from a file.
output.save("velocity", "out/nan.npy", 8, 7, 9, function(x) return x == 3 and 0 / 0 or 1500.0 end)
refused({velocity = "out/nan.npy"}, "velocity: ")
refused({velocity = "out/nan.npy", ngrid = "8,7,8"}, "velocity: out/nan.npy: shape (7, 8, 9), but (ny, nx, nz) is (7, 8, 8)")

-- Files that cannot be written: the machine has not run.
wse.write_text("out/file", "text")
refused({out = "out/file", receivers = "0,0,0"}, "out = out/file/seismograms.npy: ")
refused({wavefield = "out/file/u.npy"}, "wavefield = out/file/u.npy: ")
refused({out = "out/file", snapshots = "2"}, "out = out/file/snapshot_1_00002.npy: ")

-- A survey that does not fit is refused with the map and with what would; so is a later shot, among its receivers, before the
-- first one runs.
local fine, text = pcall(function() return shots.run(shots.request{ngrid = "2,2,4000", nsteps = 4, pml = "2"}) end)
assert(not fine and text:find("the program needs %d+ bytes in a PE, which has %d+; nz = 1%d%d%d fits\n")
       and text:find("cells of p in every second step", 1, true), text)
local function column(nz) return {ngrid = ("1,1,%d"):format(nz), nsteps = 2, pml = "20"} end
local function velocity_of_cells(_, _, z) return 1500.0 + z % 7 end
local function whole(nz)
  local request = shots.request(column(nz))
  request.velocity = velocity_of_cells
  return shots.run(request)
end
fine, text = pcall(whole, 4000)
local most = not fine and math.tointeger(text:match("; nz = (%d+) fits\n"))
assert(most and most >= 1000, text)
assert(whole(most).memory_bytes_per_pe <= wse.machine("wse2").memory_bytes)
refused({ngrid = ("1,1,%d"):format(most + 1), nsteps = 2, pml = "20"}, "the program needs ", velocity_of_cells)
local add_survey, first_shots = acoustic.add_survey, 0
function acoustic.add_survey(request, g, p, cell, ...)
  if cell == request.cells[1] then first_shots = first_shots + 1 end
  return add_survey(request, g, p, cell, ...)
end
-- The most steps whose trace fits a PE with the values of a source beside it; some more fit without them.
local kLong = 20000
local function two_shots(nsteps)
  return {ngrid = "2,2,2", nsteps = nsteps, shots = "0,0,0;1,1,1", receivers = "1,1,0", pml = "0"}
end
fine, text = pcall(function() return shots.run(shots.request(two_shots(kLong))) end)
local needed = math.tointeger(text:match("the program needs (%d+) bytes")) - 4 * kLong
first_shots = 0
local fitting, kMore = (wse.machine("wse2").memory_bytes - needed) // 4, 20
refused(two_shots(fitting + kMore), "the program needs ")
assert(first_shots == 0)
local alone = shots.request(two_shots(fitting + kMore))
local alone_g, alone_fields = acoustic.grid(alone)
acoustic.add_survey(alone, alone_g, alone_fields.p, alone.cells[1])
assert(alone_g:explain{steps = alone.nsteps})

-- A source takes memory only while its pulse lasts.
local quiet = {ngrid = "3,1,9", nsteps = 15000, pml = "0", velocity = "0"}
local request = shots.request(quiet)
local g, fields = acoustic.grid(request)
acoustic.add_survey(request, g, fields.p, request.cells[1])
local before = g:explain{steps = 200}
assert(g:explain{steps = 15000} == before and before:find("bytes in a PE", 1, true), before)

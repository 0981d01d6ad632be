-- Checks requests for surveys: the model, its layers, shots and receivers. Everything wrong is
-- refused here, before a machine exists.
local checks = require "support.checks"
local host = require "wse.host"
local propagators = require "stencil.modelling.propagators"
local requests = require "stencil.lib.requests"
local wave = require "stencil.lib.wave"
local format, tostring = string.format, tostring

local survey = {}

local kNames = {"acoustic_iso_cd", "acoustic_iso", "acoustic_tti", "elastic_iso", "elastic_tti", "elastic_tti_approx"}
local kDefaults = {ngrid = "100,100,100", dgrid = "20,20,20", nsteps = 1000, fmax = 25.0, pml = "27",
                   surface = "none", absorber = "minimod", vmax = 4500.0, velocity = "2000", propagator = "acoustic_iso_cd",
                   first_sample = 1, out = "out", force = false, check = false, receivers = "none",
                   snapshots = "none", slices = "none", mirror = "none", grow = 0}
local kOthers = {shots = true, dt = true, machine = true, wavefield = true, source = true, moment = true, fields = true}
local kMedia = {density = "2000", shear = "1000", epsilon = "0.2", delta = "0.1", gamma = "0.1", theta = "30", phi = "30"}
for name in pairs(kMedia) do kOthers[name] = true end
local kSides = 6

survey.defaults = kDefaults

local function set_sizes(request)
  requests.set_grid(request)
  request.spacing = requests.three("dgrid", request.dgrid)
  for k, axis in ipairs{"dx", "dy", "dz"} do
    request[axis] = checks.positive("dgrid", request.spacing[k]) + 0.0
  end
end

-- Widths of the layers: one for all sides, or x low, x high, y low, ... An axis of one cell has none.
local function set_layers(request)
  local list = requests.numbers("pml", request.pml)
  if #list == 1 then
    local width = list[1]
    for k = 1, kSides do list[k] = width end
  end
  if #list ~= kSides then
    host.raise(format("pml = %s: one width, or six for x, y and z, low and high, is wanted", tostring(request.pml)))
  end
  local sizes = {request.nx, request.ny, request.nz}
  for k = 1, kSides do
    checks.integer("pml", list[k], 0, 65535)
    if sizes[(k + 1) // 2] == 1 then list[k] = 0 end
  end
  checks.one_of("surface", request.surface, {"none", "free"})
  if request.surface == "free" then list[5] = 0 end
  for k = 1, 3 do
    if request.is_mirrored[k] then list[2 * k - 1] = 0 end
  end
  request.layers = list
end

local kAxes = {"x", "y", "z"}
local kStretched = 4  -- cells from a mirror on which the fields of absorber=cpml, whose images are others, must be 0

-- Axes with a mirror through the first cells: request.is_mirrored by number, request.mirrored as stencil.grid wants it.
local function set_mirror(request)
  local given = request.mirror
  if given ~= "none" and (type(given) ~= "string" or given == "" or not given:find("^x?y?z?$")) then
    host.raise(format("mirror = %s: none, or axes in their order, as in x or xyz, are wanted", tostring(given)))
  end
  request.mirrored, request.is_mirrored = given ~= "none" and given or "", {}
  for k, axis in ipairs(kAxes) do request.is_mirrored[k] = request.mirrored:find(axis, 1, true) ~= nil end
  if request.is_mirrored[3] and request.surface == "free" then
    host.raise(format("mirror = %s: with surface = free the border at z = 0 is no mirror", given))
  end
end

-- Refuses stretched layers near a mirror: their fields beyond it would not be what a mirror shows.
local function check_mirrored_layers(request)
  for k, axis in ipairs(kAxes) do
    local inner = request["n" .. axis] - request.layers[2 * k]
    if request.absorber == "cpml" and request.is_mirrored[k] and request.layers[2 * k] > 0 and inner <= kStretched then
      host.raise(format("mirror = %s: with absorber = cpml more than %d cells between the mirror and the layer along %s are "
                        .. "wanted, not %d", request.mirror, kStretched, axis, math.max(inner, 0)))
    end
  end
end

-- Shots "x,y,z" with semicolons between; without any Minimod's place, four cells behind the middle, or in the mirror.
local function set_shots(request)
  request.cells = {}
  local sizes = {request.nx, request.ny, request.nz}
  if request.shots == nil then
    local cell = {}
    for k = 1, 3 do cell[k] = request.is_mirrored[k] and 0 or math.min(sizes[k] // 2 + 4, sizes[k] - 1) end
    request.cells[1] = cell
    return
  end
  for text in (request.shots .. ";"):gmatch("([^;]*);") do
    request.cells[#request.cells + 1] = requests.cell("shots", text, request)
  end
end

-- A range of cells or steps: "5", "2..20" or "2..20..3", from `least` to `most`.
local function range(name, text, what, least, most)
  local first, last, step = text:match("^(%d+)%.%.(%d+)%.%.(%d+)$")
  if not first then first, last = text:match("^(%d+)%.%.(%d+)$") end
  first = math.tointeger(first or text:match("^%d+$"))
  last, step = math.tointeger(last or first), math.tointeger(step or 1)
  if not first or not last or not step or first < least or last < first or last > most or step < 1 then
    host.raise(format("%s: '%s' is no range of %s in %d..%d; 3, 1..9 or 1..9..2 is wanted", name, text, what, least,
                      most))
  end
  local list = {}
  for at = first, last, step do list[#list + 1] = at end
  return list
end

local function parts_of(text)
  local parts = {}
  for part in (text .. ","):gmatch("([^,]*),") do parts[#parts + 1] = part end
  return parts
end

local kMostReceivers = 65535

-- Receivers "xs,ys,zs": all cells of three ranges, x fastest.
local function set_receivers(request)
  request.receiver_cells = {}
  if request.receivers == "none" then return end
  local parts = parts_of(request.receivers)
  if #parts ~= 3 then
    host.raise(format("receivers = %s: ranges of x, y and z are wanted, as in 0..99..4,50,2", request.receivers))
  end
  local xs = range("receivers", parts[1], "cells", 0, request.nx - 1)
  local ys = range("receivers", parts[2], "cells", 0, request.ny - 1)
  local zs = range("receivers", parts[3], "cells", 0, request.nz - 1)
  if #xs * #ys * #zs > kMostReceivers then
    host.raise(format("receivers: %d are more than %d", #xs * #ys * #zs, kMostReceivers))
  end
  for _, z in ipairs(zs) do
    for _, y in ipairs(ys) do
      for _, x in ipairs(xs) do table.insert(request.receiver_cells, {x, y, z}) end
    end
  end
end

-- Steps after which the wavefield is kept: ranges with commas between, ascending.
local function set_snapshots(request)
  request.snapshot_steps = {}
  if request.snapshots == "none" then return end
  local seen = {}
  for _, part in ipairs(parts_of(tostring(request.snapshots))) do
    for _, step in ipairs(range("snapshots", part, "steps", 1, request.nsteps)) do seen[step] = true end
  end
  for step in pairs(seen) do table.insert(request.snapshot_steps, step) end
  table.sort(request.snapshot_steps)
  if request.check then
    host.raise("snapshots: with check = true a run is not cut into parts; nsteps = STEP with wavefield = FILE "
               .. "gives a wavefield that is compared")
  end
end

-- Planes of the model that are drawn with each snapshot: "y50" is the plane y = 50.
local function set_slices(request)
  request.planes = {}
  if request.slices == "none" then return end
  if #request.snapshot_steps == 0 then
    host.raise(format("slices = %s: these are planes of snapshots; snapshots names the steps, as in 50..%d..50",
                      request.slices, math.max(request.nsteps, 50)))
  end
  for _, part in ipairs(parts_of(request.slices)) do
    local name, number = part:match("^([xyz])(%d+)$")
    local at, size = math.tointeger(number), name and request["n" .. name]
    if not at or at >= size then
      host.raise(format("slices: '%s' is no plane; x0..x%d, y0..y%d or z0..z%d is wanted, as in x3,y0", part,
                        request.nx - 1, request.ny - 1, request.nz - 1))
    end
    table.insert(request.planes, {axis = ({x = 1, y = 2, z = 3})[name], at = at, name = part})
  end
end

-- Steps after each of which the grid grows with the wave; 0: it is whole from the beginning.
local function check_grow(request)
  checks.integer("grow", request.grow, 0)
  if request.grow > 0 and request.check then
    host.raise("grow: with check = true a run is not cut into parts")
  end
end

-- ---- what only some propagators have

-- Refuses arguments that a propagator has no use for, and sets those that are not given. Its absorber is cpml where waves have
-- equations of first order.
local function set_medium(request, options, propagator)
  local has = {}
  request.media = propagator.media
  for _, name in ipairs(propagator.media) do has[name] = true end
  for name, default in pairs(kMedia) do
    if options[name] ~= nil and not has[name] then
      host.raise(format("%s = %s: propagator = %s has no %s", name, tostring(options[name]), request.propagator, name))
    end
    request[name] = has[name] and (options[name] or default) or nil
    checks.file(name, request[name])
    request[name] = tonumber(request[name]) and tonumber(request[name]) + 0.0 or request[name]
  end
  if request.propagator == "acoustic_iso_cd" then return end
  for _, name in ipairs{"mirror", "grow"} do
    if options[name] ~= nil and options[name] ~= kDefaults[name] then
      host.raise(format("%s = %s: propagator = acoustic_iso_cd has it, not %s", name, tostring(options[name]),
                        request.propagator))
    end
  end
  if options.absorber == "minimod" then
    host.raise(format("absorber = minimod: propagator = acoustic_iso_cd has it; %s has cpml", request.propagator))
  end
  request.absorber = "cpml"
end

-- The kind of shot, and the components of a moment: xx, yy, zz, xy, xz, yz.
local function set_source(request, options, propagator)
  request.source = checks.one_of("source", options.source or "pressure", propagator.sources)
  if request.source == "moment" then
    local list = requests.numbers("moment", options.moment or "1,1,1,0,0,0")
    local is_zero = true
    for _, value in ipairs(list) do is_zero = is_zero and value == 0 end
    if #list ~= 6 or is_zero then
      host.raise(format("moment = %s: six numbers for xx, yy, zz, xy, xz and yz are wanted, not all of them 0",
                        tostring(options.moment)))
    end
    request.moment = list
  elseif options.moment ~= nil then
    host.raise(format("moment = %s: source = moment has it, not %s", tostring(options.moment), request.source))
  end
  local is_stress = request.source == "pressure" or request.source == "moment"
  if not is_stress or request.surface ~= "free" or request.propagator == "acoustic_iso_cd" then return end
  for _, cell in ipairs(request.cells) do
    if cell[3] == 0 then
      host.raise(format("shots: %d,%d,%d lies on the free surface, where nothing resists source = %s; z = 1 or more is wanted",
                        cell[1], cell[2], cell[3], request.source))
    end
  end
end

-- The fields that receivers record, the first of which is the wavefield.
local function set_fields(request, options, propagator)
  request.recorded = {}
  local seen = {}
  for _, name in ipairs(parts_of(options.fields or propagator.fields[1])) do
    checks.one_of("fields", name, propagator.fields)
    if seen[name] then host.raise(format("fields = %s: %s is there twice", options.fields, name)) end
    seen[name] = true
    table.insert(request.recorded, name)
  end
end

local function set_time_step(request)
  local of = request.propagator == "acoustic_iso_cd" and wave.stable_dt or wave.staggered_stable_dt
  local stable = of(request.vmax, request.dx, request.dy, request.dz)
  if request.dt == nil then request.dt = wave.cfl * stable end
  checks.positive("dt", request.dt)
  if request.dt <= stable or request.force then return end
  host.raise(format("dt = %g is not stable: at most %.6g is, for vmax = %g; force=true runs it", request.dt, stable,
                    request.vmax))
end

-- Returns a checked request from options.
function survey.request(options)
  local request = requests.of("minimod", options, kDefaults, kOthers)
  local propagator = propagators[checks.one_of("propagator", request.propagator, kNames)]
  checks.one_of("absorber", request.absorber, {"minimod", "cpml"})
  set_medium(request, options, propagator)
  set_sizes(request)
  checks.integer("nsteps", request.nsteps, 1)
  checks.integer("first_sample", request.first_sample, 0, 1)
  for _, name in ipairs{"fmax", "vmax"} do checks.positive(name, request[name]) end
  for _, name in ipairs{"velocity", "wavefield", "out"} do checks.file(name, request[name]) end
  request.velocity = tonumber(request.velocity) or request.velocity
  if type(request.velocity) == "number" then
    request.velocity = request.velocity + 0.0
    if not (request.velocity >= 0 and request.velocity <= request.vmax) then
      host.raise(format("velocity = %g: 0 to vmax = %g is wanted", request.velocity, request.vmax))
    end
  end
  set_mirror(request)
  set_layers(request)
  check_mirrored_layers(request)
  set_shots(request)
  set_source(request, options, propagator)
  set_receivers(request)
  set_fields(request, options, propagator)
  set_snapshots(request)
  set_slices(request)
  check_grow(request)
  set_time_step(request)
  return request
end

return survey

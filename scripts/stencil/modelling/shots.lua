-- A survey: each shot is a run of its own. The log is Minimod's.
local acoustic = require "stencil.modelling.acoustic"
local figures = require "support.figures"
local layers = require "stencil.modelling.layers"
local output = require "stencil.modelling.output"
local snapshots = require "stencil.modelling.snapshots"
local survey = require "stencil.modelling.survey"
local format = string.format

local shots = {request = survey.request}

local function line(name, ...)
  local list = {}
  for k = 1, select("#", ...) do list[k] = format("%14s", tostring((select(k, ...)))) end
  return format(" %-20s = %s", name, table.concat(list, " "))
end

-- Returns the lines of the log that say what is run.
function shots.log(request)
  local velocity = request.velocity
  local lines = {
    line("propagator", request.propagator), line("ngrid", request.nx, request.ny, request.nz),
    line("dgrid", request.dx, request.dy, request.dz), line("nsteps", request.nsteps), line("fmax", request.fmax),
    line("velocity", velocity), line("vmax", request.vmax), line("dt", format("%.7g", request.dt)),
    line("pml", table.unpack(request.layers)), line("absorber", request.absorber), line("surface", request.surface),
  }
  for _, cell in ipairs(request.cells) do lines[#lines + 1] = line("source_loc", table.unpack(cell)) end
  lines[#lines + 1] = line("receivers", #request.receiver_cells)
  if #request.snapshot_steps > 0 then lines[#lines + 1] = line("snapshots", #request.snapshot_steps) end
  return lines
end

local kMostGrowth = 100  -- of waves that stay in layers: they are small beside those that have left by then
local kWidest = 64

-- Adds notes about axes whose layers leave no cell of the model between them.
local function note_covered(notes, request)
  for k, axis in ipairs{"x", "y", "z"} do
    local low, high, size = request.layers[2 * k - 1], request.layers[2 * k], request["n" .. axis]
    if low + high >= size and low + high > 0 then
      notes[#notes + 1] = format("pml: layers of %d and %d cells along %s leave nothing of %d cells between them", low, high,
                                 axis, size)
    end
  end
end

-- Adds notes about Minimod's layers that are so thin that waves grow in them.
local function note_growth(notes, request)
  local known = {}
  for k, axis in ipairs{"x", "y", "z"} do
    local low, high, spacing = request.layers[2 * k - 1], request.layers[2 * k], request.spacing[k]
    local function growth(least)
      return layers.growth(low > 0 and math.max(low, least) or 0, high > 0 and math.max(high, least) or 0, spacing,
                           request.vmax, request.dt, request.nsteps)
    end
    local key = format("%d %d %.17g", low, high, spacing)
    local grown = not known[key] and growth(0) or 0.0
    known[key] = true
    if grown > kMostGrowth then
      local least = 2
      while least < kWidest and growth(least) > kMostGrowth do least = least + 1 end
      notes[#notes + 1] = format("pml: in layers of %d and %d cells along %s waves grow up to %.2g times in %d steps; "
                                 .. "%d cells keep that below %d", low, high, axis, grown, request.nsteps, least,
                                 kMostGrowth)
    end
  end
end

-- Returns notes about a request that runs, but hardly as its user means it.
function shots.notes(request)
  local notes = {}
  note_covered(notes, request)
  if request.absorber == "minimod" then note_growth(notes, request) end
  return notes
end

-- Returns the smallest and the largest value of a field; not a number if any is not.
local function extremes(request, result, p)
  local low, high = math.huge, -math.huge
  for y = 0, request.ny - 1 do
    for x = 0, request.nx - 1 do
      for z = 0, request.nz - 1 do
        local value = result.value(p, x, y, z)
        if value ~= value then return value, value end
        low, high = math.min(low, value), math.max(high, value)
      end
    end
  end
  return low, high
end

-- Returns how many steps each part of a shot has: it ends where a snapshot is wanted.
local function parts_of(request)
  local parts, over = {}, 0
  for _, step in ipairs(request.snapshot_steps) do
    parts[#parts + 1], over = step - over, step
  end
  if over < request.nsteps then parts[#parts + 1] = request.nsteps - over end
  return parts
end

-- Runs one shot, and keeps its snapshots. Returns the fields, the result of the last part, and of all parts the
-- cycles and the traces of the receivers.
local function run_shot(request, number)
  local cycles, traces, over, state = 0, {}, 0, nil
  local parts, fields, result = parts_of(request), nil, nil
  for k = 1, #request.receiver_cells do traces["r" .. k] = {} end
  for k, steps in ipairs(parts) do
    local g
    g, fields = acoustic.grid(request, state)
    acoustic.add_survey(request, g, fields.p, request.cells[number], over)
    result = g:run{steps = steps, machine = request.machine, check = request.check, force = true}
    cycles, over = cycles + result.cycles, over + steps
    for name, list in pairs(traces) do table.move(result.traces[name], 1, steps, #list + 1, list) end
    if request.snapshot_steps[k] == over then
      local done, p = result, fields.p
      snapshots.save(request, number, over, function(x, y, z) return done.value(p, x, y, z) end)
    end
    state = k < #parts and acoustic.state_after(fields, result) or nil
  end
  return fields, result, cycles, traces
end

-- Returns how many receivers the PE of a cell has.
local function receivers_above(request, cell)
  local count = 0
  for _, other in ipairs(request.receiver_cells) do
    if other[1] == cell[1] and other[2] == cell[2] then count = count + 1 end
  end
  return count
end

-- Refuses what would fail after the first run: files that cannot be written, and a later shot whose PE has no
-- memory for its source besides its receivers.
local function check_ahead(request)
  if #request.receiver_cells > 0 then output.check("out", request.out .. "/seismograms.npy") end
  if request.wavefield then output.check("wavefield", request.wavefield) end
  for _, step in ipairs(request.snapshot_steps) do
    output.check("out", snapshots.name(request, #request.cells, step) .. ".npy")
  end
  local most, shot = receivers_above(request, request.cells[1]), nil
  for number, cell in ipairs(request.cells) do
    local count = receivers_above(request, cell)
    if count > most then most, shot = count, number end
  end
  if shot then
    local g, fields = acoustic.grid(request)
    acoustic.add_survey(request, g, fields.p, request.cells[shot])
    g:explain{steps = math.max(table.unpack(parts_of(request))), machine = request.machine}
  end
end

-- Runs a request. Returns a flat table: cycles and cycles per cell of each shot, the extremes of the last
-- wavefield of the first shot, and with check the distance from double precision. Writes seismograms of
-- shape (shots, receivers, nsteps), the last wavefield, (ny, nx, nz), and snapshots where they are asked for.
function shots.run(request)
  local user, traces = {cycles_per_step = {}, min = 0.0, max = 0.0}, {}
  check_ahead(request)
  if #request.planes > 0 then snapshots.draw_model(request, acoustic.velocities(request)) end
  for number = 1, #request.cells do
    local fields, result, cycles
    fields, result, cycles, traces[number] = run_shot(request, number)
    user.cycles_per_step[number] = cycles / request.nsteps
    if request.check then user.max_rel_error = math.max(user.max_rel_error or 0.0, result.max_rel_error) end
    if number == 1 then
      user.min, user.max = extremes(request, result, fields.p)
      user.machine, user.memory_bytes_per_pe = result.record.machine, result.step.bytes
      if request.wavefield then
        output.save("wavefield", request.wavefield, request.nx, request.ny, request.nz,
                    function(x, y, z) return result.value(fields.p, x, y, z) end)
      end
    end
  end
  user.cycles_per_cell = user.cycles_per_step[1] / request.nz
  if #request.receiver_cells > 0 then
    user.seismograms = request.out .. "/seismograms.npy"
    output.save("out", user.seismograms, #request.receiver_cells, #request.cells, request.nsteps,
                function(x, y, k) return traces[y + 1]["r" .. x + 1][k + 1] end)
  end
  return user
end

-- Returns the lines of the log that say what came of it.
function shots.result_log(request, result)
  local lines = {
    line("min, max", format("%.7g", result.min), format("%.7g", result.max)),
    line("cycles per step", format("%.1f", result.cycles_per_step[1])),
    line("cycles per cell", format("%.2f", result.cycles_per_cell)),
    line("bytes of a PE", result.memory_bytes_per_pe),
  }
  if result.max_rel_error then
    lines[#lines + 1] = line("off double precision", figures.text("%.2g", result.max_rel_error))
  end
  if result.seismograms then lines[#lines + 1] = line("seismograms", result.seismograms) end
  if request.wavefield then lines[#lines + 1] = line("wavefield", request.wavefield) end
  local last = request.snapshot_steps[#request.snapshot_steps]
  if last then lines[#lines + 1] = line("last snapshot", snapshots.name(request, #request.cells, last) .. ".npy") end
  return lines
end

return shots

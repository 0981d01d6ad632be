-- A survey: each shot is a run of its own. The log is Minimod's.
local acoustic = require "stencil.modelling.acoustic"
local figures = require "support.figures"
local layers = require "stencil.modelling.layers"
local output = require "stencil.modelling.output"
local parts = require "stencil.modelling.parts"
local propagators = require "stencil.modelling.propagators"
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
  for _, name in ipairs(request.media) do lines[#lines + 1] = line(name, request[name]) end
  if request.propagator ~= "acoustic_iso_cd" then
    lines[#lines + 1] = line("source", request.source)
    lines[#lines + 1] = line("fields", table.unpack(request.recorded))
  end
  if request.mirrored ~= "" then lines[#lines + 1] = line("mirror", request.mirrored) end
  if request.grow > 0 then lines[#lines + 1] = line("grow", request.grow) end
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

-- Returns the smallest and the largest value of a wavefield, of which `cells` are computed; not a number if any is not.
local function extremes(request, cells, value)
  local low, high = math.huge, -math.huge
  local sizes, first = cells.sizes, cells.low
  if sizes[1] * sizes[2] * sizes[3] < request.nx * request.ny * request.nz then low, high = 0.0, 0.0 end
  for y = first[2], first[2] + sizes[2] - 1 do
    for x = first[1], first[1] + sizes[1] - 1 do
      for z = first[3], first[3] + sizes[3] - 1 do
        local v = value(x, y, z)
        if v ~= v then return v, v end
        low, high = math.min(low, v), math.max(high, v)
      end
    end
  end
  return low, high
end

-- Returns how many steps each part of a shot has: it ends where a snapshot is wanted, or where the grid grows.
local function parts_of(request)
  local ends, parts, over = {[request.nsteps] = true}, {}, 0
  for _, step in ipairs(request.snapshot_steps) do ends[step] = true end
  for step = request.grow, request.grow > 0 and request.nsteps or -1, math.max(request.grow, 1) do ends[step] = true end
  local sorted = {}
  for step in pairs(ends) do sorted[#sorted + 1] = step end
  table.sort(sorted)
  for k, step in ipairs(sorted) do parts[k], over = step - over, step end
  return parts
end

local kMargin = 8  -- cells beyond a wave's front that a window has, such that no more than rounding is cut off (STUDY.md)

-- Returns the window of a shot at a cell in its first `steps` steps: the cells that its wave can have reached.
local function window_of(request, cell, steps)
  local window = {low = {}, sizes = {}}
  local velocity = type(request.velocity) == "number" and request.velocity or request.vmax
  for k, axis in ipairs{"x", "y", "z"} do
    local size = request["n" .. axis]
    local reach = math.ceil(velocity * request.dt / request.spacing[k] * steps) + kMargin
    local low = request.is_mirrored[k] and 0 or math.max(cell[k] - reach, 0)
    window.low[k], window.sizes[k] = low, math.min(cell[k] + reach, size - 1) - low + 1
  end
  return window
end

-- Returns a request for the first `steps` steps of a shot.
local function in_window(request, cell, steps)
  if request.grow == 0 then return request end
  return setmetatable({window = window_of(request, cell, steps)}, {__index = request})
end

local function append(traces, found, steps)
  for name, list in pairs(traces) do
    local at = #list
    for k = 1, steps do list[at + k] = found[name] and found[name][k] or 0.0 end
  end
end

-- Runs one shot, and keeps its snapshots. Returns the last values, {field name = function of a cell}; the cells of the last part and
-- its result; of all parts {cycles =, cells = those of a column in all steps}; and the traces of the receivers.
local function run_shot(request, number)
  local sums, traces, over, state, release = {cycles = 0, cells = 0}, {}, 0, nil, nil
  local lengths, cell, is_kept, propagator = parts_of(request), request.cells[number], {}, propagators[request.propagator]
  local result, cells
  local values = {}
  for _, step in ipairs(request.snapshot_steps) do is_kept[step] = true end
  for _, name in ipairs(request.recorded) do
    for k = 1, #request.receiver_cells do traces[parts.trace(request, name, k)] = {} end
  end
  for k, steps in ipairs(lengths) do
    local part = in_window(request, cell, over + steps)
    local g, fields = propagator.grid(part, state)
    propagator.add_survey(part, g, fields, cell, over)
    result, cells = g:run{steps = steps, machine = request.machine, check = request.check, force = true}, parts.cells(part)
    if release then release() end
    over = over + steps
    sums.cycles, sums.cells = sums.cycles + result.cycles, sums.cells + steps * cells.sizes[3]
    append(traces, result.traces, steps)
    for _, name in ipairs(request.recorded) do values[name] = parts.reader(result.value, fields[name], cells) end
    if is_kept[over] then snapshots.save(request, number, over, values[request.recorded[1]]) end
    if k < #lengths then
      local next_cells = parts.cells(in_window(request, cell, over + lengths[k + 1]))
      state, release = parts.state_after(fields, result, cells, next_cells)
    end
  end
  return values, cells, result, sums, traces
end

-- Returns the file of what receivers record of a field: seismograms.npy for the first one, seismograms_vx.npy for another.
local function seismograms_file(request, field)
  local suffix = field == request.recorded[1] and "" or "_" .. field
  return format("%s/seismograms%s.npy", request.out, suffix)
end

-- Returns the file of the last values of a field: that of the argument for the first recorded one, u_vx.npy beside u.npy for another.
local function wavefield_file(request, field)
  if field == request.recorded[1] then return request.wavefield end
  local stem = request.wavefield:gsub("%.npy$", "")
  return format("%s_%s.npy", stem, field)
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
  for _, name in ipairs(#request.receiver_cells > 0 and request.recorded or {}) do
    output.check("out", seismograms_file(request, name))
  end
  for _, name in ipairs(request.wavefield and request.recorded or {}) do
    output.check("wavefield", wavefield_file(request, name))
  end
  for _, step in ipairs(request.snapshot_steps) do
    output.check("out", snapshots.name(request, #request.cells, step) .. ".npy")
  end
  local most, shot = receivers_above(request, request.cells[1]), nil
  for number, cell in ipairs(request.cells) do
    local count = receivers_above(request, cell)
    if count > most then most, shot = count, number end
  end
  if shot then
    local propagator = propagators[request.propagator]
    local g, fields = propagator.grid(request)
    propagator.add_survey(request, g, fields, request.cells[shot])
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
  if request.grow > 0 and type(request.velocity) == "string" then
    request = setmetatable({velocity = acoustic.velocities(request)}, {__index = request})
  end
  for number = 1, #request.cells do
    local values, cells, result, sums
    values, cells, result, sums, traces[number] = run_shot(request, number)
    user.cycles_per_step[number] = sums.cycles / request.nsteps
    if request.check then user.max_rel_error = math.max(user.max_rel_error or 0.0, result.max_rel_error) end
    if number == 1 then
      user.min, user.max = extremes(request, cells, values[request.recorded[1]])
      user.cycles_per_cell = sums.cycles / sums.cells
      user.machine, user.memory_bytes_per_pe = result.record.machine, result.step.bytes
      for _, name in ipairs(request.wavefield and request.recorded or {}) do
        output.save("wavefield", wavefield_file(request, name), request.nx, request.ny, request.nz, values[name])
      end
    end
  end
  if #request.receiver_cells > 0 then
    for k, name in ipairs(request.recorded) do
      local file = seismograms_file(request, name)
      if k == 1 then user.seismograms = file end
      output.save("out", file, #request.receiver_cells, #request.cells, request.nsteps,
                  function(x, y, at) return traces[y + 1][parts.trace(request, name, x + 1)][at + 1] end)
    end
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

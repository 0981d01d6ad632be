-- A survey: each shot is a run of its own. The log is Minimod's.
local acoustic = require "stencil.modelling.acoustic"
local figures = require "support.figures"
local output = require "stencil.modelling.output"
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
    line("pml", table.unpack(request.layers)), line("surface", request.surface),
  }
  for _, cell in ipairs(request.cells) do lines[#lines + 1] = line("source_loc", table.unpack(cell)) end
  lines[#lines + 1] = line("receivers", #request.receiver_cells)
  return lines
end

-- Returns the smallest and the largest value of a field; not a number if any is not.
local function extremes(g, result, p)
  local nx, ny, nz = g:extents()
  local low, high = math.huge, -math.huge
  for y = 0, ny - 1 do
    for x = 0, nx - 1 do
      for z = 0, nz - 1 do
        local value = result.value(p, x, y, z)
        if value ~= value then return value, value end
        low, high = math.min(low, value), math.max(high, value)
      end
    end
  end
  return low, high
end

-- Runs one shot: its result, and the traces of the receivers.
local function run_shot(request, number)
  local g, p = acoustic.grid(request)
  acoustic.add_survey(request, g, p, request.cells[number])
  local result = g:run{steps = request.nsteps, machine = request.machine, check = request.check, force = true}
  return g, p, result
end

-- Runs a request. Returns a flat table: cycles and cycles per cell of each shot, the extremes of the last
-- wavefield of the first shot, and with check the distance from double precision. Writes seismograms of
-- shape (shots, receivers, nsteps) and the last wavefield, (ny, nx, nz), where they are asked for.
function shots.run(request)
  local user, traces = {cycles_per_step = {}, min = 0.0, max = 0.0}, {}
  for number = 1, #request.cells do
    local g, p, result = run_shot(request, number)
    user.cycles_per_step[number] = result.cycles_per_step
    traces[number] = result.traces
    if request.check then user.max_rel_error = math.max(user.max_rel_error or 0.0, result.max_rel_error) end
    if number == 1 then
      user.min, user.max = extremes(g, result, p)
      user.machine, user.memory_bytes_per_pe = result.record.machine, result.step.bytes
      if request.wavefield then
        output.save("wavefield", request.wavefield, request.nx, request.ny, request.nz,
                    function(x, y, z) return result.value(p, x, y, z) end)
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
  return lines
end

return shots

-- The acoustic wave equation as a library:
--
--   local acoustic = require "stencil.acoustic25"
--   acoustic.run{nx = 24, ny = 24, nz = 1000, steps = 3, machine = "wse2"}.cycles_per_cell
local checks = require "support.checks"
local compiled = require "stencil.lib.compiled"
local fused = require "stencil.lib.fused"
local host = require "wse.host"
local machine_run = require "stencil.lib.machine_run"
local paper = require "stencil.lib.paper"
local reference = require "stencil.lib.reference"
local requests = require "stencil.lib.requests"
local static = require "stencil.lib.static"
local wave = require "stencil.lib.wave"
local format = string.format

local acoustic = {}

local kKernels = {paper = paper, fused = fused, static = static, compiled = compiled}
local kDefaults = {nx = 10, ny = 10, nz = 10, steps = 10, fmax = 25.0, dx = 20.0, dy = 20.0,
                   dz = 20.0, velocity = 4500.0, kernel = "paper", force = false}
local kMostSamples = 1 << 16  -- are counted, to say how many there are
local kKnown = {block = true, banks = true, source = true, dt = true, before = true, out_before = true,
                check = true, machine = true, max_cycles = true}
kKnown["in"], kKnown["out"] = true, true
for name in pairs(kDefaults) do kKnown[name] = true end

local function set_time_step(request)
  local stable = wave.stable_dt(request.velocity, request.dx, request.dy, request.dz)
  if request.dt == nil then request.dt = wave.cfl * stable end
  checks.positive("dt", request.dt)
  if request.dt <= stable or request.force then return end
  host.raise(format("dt = %g is not stable: at most %.6g is, for velocity = %g and spacings of %g, "
                    .. "%g, %g; force=true runs it", request.dt, stable, request.velocity,
                    request.dx, request.dy, request.dz))
end

local function set_source(request)
  request.samples = {}
  if request.source == "none" then
    request.source = nil
    return
  end
  local middle = {request.nx // 2, request.ny // 2, request.nz // 2}
  request.source = requests.cell("source", request.source or middle, request)
  local words = host.machine(request.machine).memory_bytes // 4
  request.samples = wave.samples(request, math.max(words + 1, kMostSamples))
end

local function set_files(request)
  for _, name in ipairs{"in", "before", "out", "out_before"} do checks.file(name, request[name]) end
  request.out = request["out"]
  if request["in"] or request.before then
    request.inputs = {even = request["in"], odd = request.before}
  end
end

-- A checked request, with its plan of the memory.
function acoustic.request(options)
  checks.names("a stencil", options, kKnown)
  local request = {radius = wave.reach, dims = 3, shape = "star", ghosts = wave.reach,
                   subtracts = true, reference = reference.run}
  for name, value in pairs(kDefaults) do request[name] = value end
  for name, value in pairs(options) do request[name] = value end
  requests.check_sizes(request)
  for _, name in ipairs{"fmax", "dx", "dy", "dz", "velocity"} do
    checks.positive(name, request[name])
  end
  checks.one_of("kernel", request.kernel, {"paper", "fused", "static", "compiled"})
  requests.set_banks(request, request.kernel)
  set_time_step(request)
  set_source(request)
  set_files(request)
  request.weights = wave.coefficients(request)
  request.kernel_library = kKernels[request.kernel]
  request.sample_count = #request.samples
  requests.plan_memory(request, request.kernel_library)
  return request
end

-- Runs it. The result is the table `user`; then the record, the request, the shares and rows of
-- accounts.lua.
function acoustic.run(options)
  local request = acoustic.request(options)
  local result, record, share, rows = machine_run.run(request)
  return result, record, request, share, rows
end

-- The layout, to look at or to write.
function acoustic.layout(options) return machine_run.layout(acoustic.request(options)) end

return acoustic

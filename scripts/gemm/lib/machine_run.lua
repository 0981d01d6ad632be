-- A product on a machine: its run, and the table `user` of the record, all of it from the run.
local clocks = require "gemm.lib.clocks"
local matrices = require "gemm.lib.matrices"
local reference = require "gemm.lib.reference"
local requests = require "gemm.lib.requests"
local wse = require "wse"

local machine_run = {}

-- Products whose shares are measured unless somebody says so: these take two runs more.
local kMostShared = 32

local function execute(request, inputs)
  return request.rules.layout(request):run{inputs = inputs, machine = request.machine,
                                           max_cycles = request.max_cycles}
end

local function cycles_of(request, record)
  return (record.marks["end"].last - record.marks.begin.first) / request.repeats
end

-- The same product without its moves, or without its multiplication: its time over that of all.
local function share(request, options, without, inputs, cycles)
  local other = {}
  for name, value in pairs(options) do other[name] = value end
  other[without] = 0
  local part = requests.make(other)
  return cycles_of(part, execute(part, inputs(part))) / cycles
end

-- Steps alone, of the last repeat: A is aligned when the last PE begins with them.
local function step_cycles(request, record)
  return (record.marks["end"].last - record.marks.steps.last) / request.P
end

local function measure(request, record)
  local cycles = cycles_of(request, record)
  local machine, P = wse.machine(request.machine), request.P
  local flop = 2 * request.M * request.K * request.N
  return {
    algorithm = request.algorithm, P = P, M = request.M, K = request.K, N = request.N,
    Mt = request.Mt, Kt = request.Kt, Nt = request.Nt, type = request.type,
    accumulate = request.accumulate, code = request.code, machine = record.machine,
    layers = request.layers, repeats = request.repeats, steps = P, cycles = cycles,
    mean_cycles = clocks.mean(request, record),
    cycles_per_step = step_cycles(request, record), flop = flop,
    utilisation = flop / cycles / (P * P * request.layers * 2 * machine[request.element.rate]),
    hops = record.fabric.hops, max_hops = record.fabric.max_distance,
    colours = clocks.colours(request.rules.layout(request)),
    memory_bytes_per_pe = request.plan.total,
  }
end

-- Runs a product. The result is the table `user`; then the record, the request, and A, B and C.
-- options.shares: whether shares are measured.
function machine_run.run(options)
  local given, shares = {}, options.shares
  for name, value in pairs(options) do given[name] = value end
  given.shares = nil
  local request = requests.make(given)
  local a, b = matrices.make(request)
  local function inputs(one) return matrices.inputs(one, a, b) end
  local record = execute(request, inputs(request))
  local result = measure(request, record)
  local c = matrices.gather(request, record)
  if request.moves > 0 and request.check ~= false then
    for name, value in pairs(reference.compare(request, a, b, c)) do result[name] = value end
  end
  if shares == nil then shares = request.P <= kMostShared end
  if shares then
    result.multiply_share = share(request, given, "moves", inputs, result.cycles)
    result.move_share = share(request, given, "multiply", inputs, result.cycles)
  end
  if request.c then matrices.save(request, c, request.c) end
  return result, record, request, {a = a, b = b, c = c}
end

-- The layout, to look at or to write.
function machine_run.layout(options)
  local request = requests.make(options)
  return request.rules.layout(request)
end

return machine_run

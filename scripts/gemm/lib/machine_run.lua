-- A product on a machine: its run, and the table `user` of the record, all of it from the run.
local clocks = require "gemm.lib.clocks"
local figures = require "support.figures"
local matrices = require "gemm.lib.matrices"
local reference = require "gemm.lib.reference"
local requests = require "gemm.lib.requests"
local wse = require "wse"

local machine_run = {}

-- The largest grid on which shares are measured unless somebody says so: these take two runs more.
-- Cycles are linear in P, so those of a larger grid are those of this one with the same tiles.
local kMostShared = 32

local function execute(request, inputs)
  return request.rules.layout(request):run{inputs = inputs, machine = request.machine,
                                           max_cycles = request.max_cycles}
end

local function cycles_of(request, record)
  return (record.marks["end"].last - record.marks.begin.first) / request.repeats
end

local function with(options, changes)
  local other = {}
  for name, value in pairs(options) do other[name] = value end
  for name, value in pairs(changes) do other[name] = value end
  return other
end

-- Returns the cycles of the product without its moves, or without its multiplication.
local function cycles_without(what, options, inputs)
  local part = requests.make(with(options, {[what] = 0}))
  return cycles_of(part, execute(part, inputs(part)))
end

-- The times of multiplication alone and of moves alone, over `cycles` of both. There is no share of
-- what was left out.
local function shares_of(options, inputs, cycles)
  local function share(part, other)
    if options[part] == 0 then return figures.none(part .. " = 0 was asked for") end
    return figures.share(cycles_without(other, options, inputs), cycles, "no cycle")
  end
  return {multiply_share = share("multiply", "moves"), move_share = share("moves", "multiply"),
          shares_P = options.P}
end

-- The same on a smaller grid, with tiles of the same size and other numbers.
local function shares_of_part(request, options)
  local part = with(options, {P = kMostShared, Mt = request.Mt, Kt = request.Kt, Nt = request.Nt})
  for _, name in ipairs{"M", "K", "N", "a", "b", "c"} do part[name] = nil end
  local small = requests.make(part)
  local a, b = matrices.make(small)
  local function inputs(one) return matrices.inputs(one, a, b) end
  return shares_of(part, inputs, cycles_of(small, execute(small, inputs(small))))
end

-- Steps alone, of the last repeat: A is aligned when the last PE begins with them.
local function step_cycles(request, record)
  return (record.marks["end"].last - record.marks.steps.last) / request.P
end

local function measure(request, record)
  local cycles = cycles_of(request, record)
  local machine, P = wse.machine(request.machine), request.P
  local flop = 2 * request.M * request.K * request.N * request.multiply  -- executed, padding aside
  return {
    algorithm = request.algorithm, P = P, M = request.M, K = request.K, N = request.N,
    Mt = request.Mt, Kt = request.Kt, Nt = request.Nt, type = request.type,
    accumulate = request.accumulate, code = request.code, machine = record.machine,
    layers = request.layers, repeats = request.repeats, steps = P, cycles = cycles,
    mean_cycles = clocks.mean(request, record),
    cycles_per_step = step_cycles(request, record), flop = flop,
    utilisation = figures.share(flop / cycles,
                                P * P * request.layers * 2 * machine[request.element.rate], "no PE"),
    hops = record.fabric.hops, max_hops = record.fabric.max_distance,
    colours = clocks.colours(request.rules.layout(request)),
    memory_bytes_per_pe = request.plan.total, banks = request.plan.bank,
  }
end

-- Runs a product. The result is the table `user`; then the record, the request, and A, B and C.
-- options.shares: whether shares are measured, on this grid however large.
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
    local expected = reference.expect(request, a, b)
    for name, value in pairs(reference.compare(request, expected, c)) do result[name] = value end
  end
  local parts = {}
  if shares or shares == nil and request.P <= kMostShared then
    given.P = request.P
    parts = shares_of(given, inputs, result.cycles)
  elseif shares == nil then
    parts = shares_of_part(request, given)
  end
  for name, value in pairs(parts) do result[name] = value end
  if request.c then matrices.save(request, c, request.c) end
  return result, record, request, {a = a, b = b, c = c}
end

-- The layout, to look at or to write.
function machine_run.layout(options)
  local request = requests.make(options)
  return request.rules.layout(request)
end

return machine_run

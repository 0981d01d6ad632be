-- What an all-to-all is asked for, checked: everything that is wrong is said here, with what would
-- fit, before a machine exists.
local elements = require "alltoall.lib.elements"
local checks = require "support.checks"
local host = require "wse.host"
local format, concat = string.format, table.concat

local requests = {}

local kMostDimensions = 12
local kMeshDimensions = 8  -- 16 x 16 PEs

local kDefaults = {d = 4, m = 16, order = "gray", topology = "hypercube", seed = 1}
local kKnown = {machine = true, steps = true, max_cycles = true, reorder = true, index = true,
                values = true}

-- Which algorithms there are on a topology: `algorithms` is {name = {topology = true}, ...} in
-- `names`.
local function check_algorithm(request, algorithms)
  checks.one_of("algorithm", request.algorithm, algorithms.names)
  local fits = {}
  for _, name in ipairs(algorithms.names) do
    if algorithms.topologies[name][request.topology] then fits[#fits + 1] = name end
  end
  if algorithms.topologies[request.algorithm][request.topology] then return end
  if #fits == 0 then
    host.raise(format("topology = %s: hypercube is wanted here", request.topology))
  end
  host.raise(format("algorithm = %s: not on topology=%s, which has %s", request.algorithm,
                    request.topology, concat(fits, ", ")))
end

local function check_machine(request)
  local machine = host.machine(request.machine)
  if request.topology == "hypercube" and machine.colours < 2 * request.d then
    host.raise(format("d = %d: two colours per dimension are wanted, and %s has %d; d = %d fits",
                      request.d, machine.name, machine.colours, machine.colours // 2))
  end
end

-- options: d, m, algorithm, ...; what: {algorithms, defaults, total_steps}. total_steps(request):
-- the number of steps of the whole algorithm.
function requests.make(options, what)
  checks.names("an all-to-all", options, kKnown, kDefaults, what.defaults)
  local request = {}
  for name, value in pairs(kDefaults) do request[name] = value end
  for name, value in pairs(what.defaults) do request[name] = value end
  for name, value in pairs(options) do request[name] = value end
  checks.one_of("topology", request.topology, {"hypercube", "mesh"})
  checks.integer("d", request.d, 1,
          request.topology == "mesh" and kMeshDimensions or kMostDimensions)
  checks.integer("m", request.m, 1)
  checks.seed("seed", request.seed)
  checks.one_of("order", request.order, {"binary", "gray"})
  check_algorithm(request, what.algorithms)
  checks.one_of("index", request.index or "compute", {"compute", "move"})
  request.indexed = request.index == "move"
  request.nodes = 1 << request.d
  request.element = elements.of(request.type, request.indexed)
  check_machine(request)
  request.total_steps = what.total_steps(request)
  if request.steps ~= nil then
    request.steps_run = checks.integer("steps", request.steps, 0, request.total_steps)
  else
    request.steps_run = request.total_steps
  end
  request.whole = request.steps_run == request.total_steps
  return request
end

local kBytesPerInstruction = 10  -- at most, with the descriptors that it needs

-- What the memory of a node has for arrays beside a program.
function requests.data_bytes(request, text)
  local memory = host.machine(request.machine).memory_bytes
  local _, instructions = text:gsub("\n    %a", "")
  return math.max(memory - kBytesPerInstruction * instructions, 0)
end

-- Refuses what does not fit into the memory of a node: bytes_of(m) is what its arrays take, `text`
-- its program.
function requests.check_memory(request, bytes_of, text)
  local memory = requests.data_bytes(request, text)
  local needed = bytes_of(request.m)
  if needed <= memory then return end
  local spare = kBytesPerInstruction * 2 * request.d * (request.d + 6)  -- code of another m
  local low, high = 0, request.m
  while high - low > 1 do
    local middle = (low + high) // 2
    if bytes_of(middle) <= memory - spare then low = middle else high = middle end
  end
  local fits = low > 0 and format("m = %d fits", low) or "no m fits at this d"
  host.raise(format("m = %d: the arrays of a node take %d bytes, and it has %d beside code; %s",
                    request.m, needed, memory, fits))
end

return requests

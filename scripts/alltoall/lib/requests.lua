-- Checks requests for all-to-alls: everything that is wrong is said here, with what would
-- fit, before a machine exists.
local blocks = require "alltoall.lib.blocks"
local elements = require "alltoall.lib.elements"
local checks = require "support.checks"
local host = require "wse.host"
local format, concat = string.format, table.concat

local requests = {}

local kMostDimensions = 12
local kMeshDimensions = 8  -- 16 x 16 PEs

local kDefaults = {d = 4, m = 16, order = "gray", topology = "hypercube", seed = 1, allocation = "consecutive"}
local kMostUneven = 8  -- dimensions: a microthread for each channel
local kKnown = {machine = true, M = true, steps = true, max_cycles = true, reorder = true, index = true,
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

-- The elements of all nodes: M, or m for each. what.uneven: the algorithms whose blocks may have several sizes, and
-- whose elements may be allocated cyclically; what.padded: those that fill blocks up.
local function set_sizes(request, options, what)
  local nodes, algorithm = request.nodes, request.algorithm
  checks.one_of("allocation", request.allocation, blocks.allocations)
  if options.M ~= nil then
    if options.m ~= nil then host.raise("m and M: one of them is wanted, elements of a node or of all") end
    checks.integer("M", options.M, 1, 1 << 30)
    request.m, request.in_all = (options.M + nodes - 1) // nodes, true
  else
    request.M = nodes * request.m
  end
  request.uneven = request.M ~= nodes * request.m and (what.uneven or {})[algorithm] == true
  local is_plain = request.allocation == "consecutive"
  if is_plain and options.M == nil then return end
  local fits = (what.uneven or {})[algorithm] or is_plain and (what.padded or {})[algorithm]
  if not fits then
    host.raise(format("%s: not of %s", is_plain and format("M = %d", request.M) or "allocation = cyclic", algorithm))
  elseif request.topology ~= "hypercube" then
    host.raise(format("topology = mesh: %s is of a hypercube", is_plain and "M" or "allocation = cyclic"))
  elseif request.uneven and request.d > kMostUneven then
    host.raise(format("M = %d: no multiple of %d nodes; blocks of several sizes have d = 1 to %d", request.M, nodes,
                      kMostUneven))
  elseif request.M ~= nodes * request.m and request.values == "index" then
    host.raise(format("show = index: M = %d is no multiple of %d nodes, whose blocks have several sizes", request.M,
                      nodes))
  end
end

-- options: d, m, algorithm, ...; what: {algorithms, defaults, total_steps, uneven, padded}. total_steps(request):
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
  set_sizes(request, options, what)
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

-- Returns the bytes that a node has for arrays beside a program.
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
  local name, scale = "m", 1
  if request.in_all then name, scale = "M", request.nodes end
  local fits = low > 0 and format("%s = %d fits", name, low * scale) or format("no %s fits at this d", name)
  host.raise(format("%s = %d: the arrays of a node take %d bytes, and it has %d beside code; %s",
                    name, request.in_all and request.M or request.m, needed, memory, fits))
end

return requests

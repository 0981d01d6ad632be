-- All-to-all reduction as a library: every node has m elements for each node; node by node they are
-- combined, and every node gets the result of its own block.
--
--   local reduce = require "alltoall.reduce"
--   reduce.run{algorithm = "d-cycles", d = 4, m = 8, op = "max", machine = "cm200"}.transfers
local allocation = require "alltoall.lib.allocation"
local blocks = require "alltoall.lib.blocks"
local cycles = require "alltoall.lib.cycles"
local elements = require "alltoall.lib.elements"
local gray = require "alltoall.lib.gray"
local host = require "wse.host"
local nets = require "alltoall.lib.nets"
local reduce_cycles = require "alltoall.lib.reduce_cycles"
local reduce_ring = require "alltoall.lib.reduce_ring"
local requests = require "alltoall.lib.requests"
local results = require "alltoall.lib.results"
local summands = require "alltoall.lib.summands"

local format = string.format

local reduce = {}

local on_both = {hypercube = true, mesh = true}
local kAlgorithms = {
  names = {"one-cycle", "d-cycles", "reduce-and-spread"},
  topologies = {["one-cycle"] = on_both, ["d-cycles"] = on_both,
                ["reduce-and-spread"] = on_both},
}

-- The name of what the all-to-all broadcast calls send-and-spread.
local kAliases = {["send-and-spread"] = "reduce-and-spread"}
local kUneven = {["one-cycle"] = true, ["d-cycles"] = true, ["reduce-and-spread"] = true}
local kDefaults = {algorithm = "d-cycles", type = "f32", op = "add"}

local function total_steps(request)
  return request.algorithm == "reduce-and-spread" and request.d or request.nodes - 1
end

local function message_of(request, m)
  if request.algorithm ~= "reduce-and-spread" then return m end
  return m == request.m and request.M or request.nodes * m
end

-- The text of the program that all nodes run, and the values of its parameters.
local function program_of(request)
  local net = request.net
  if request.algorithm == "one-cycle" then
    return reduce_ring.text(request), net.ring_parameters(true)
  end
  local parameters, values = net.channel_parameters()
  return reduce_cycles.text(request, parameters), values
end

local function request_of(given)
  local options = {}
  for name, value in pairs(given) do options[name] = value end
  options.algorithm = kAliases[options.algorithm] or options.algorithm
  local request = requests.make(options, {algorithms = kAlgorithms, defaults = kDefaults,
                                          total_steps = total_steps, uneven = kUneven})
  -- A reduce-and-spread moves the whole vector, whatever its blocks are.
  request.uneven = request.uneven and request.algorithm ~= "reduce-and-spread"
  request.blocks = blocks.of(request)
  if request.indexed and request.algorithm ~= "d-cycles" then
    host.raise(format("index = move: %s needs no indices; d-cycles moves them", request.algorithm))
  end
  -- Words of values keep their type; those of indices are its bits.
  request.element = elements.of(request.type)
  request.combine = elements.combine(request.type, request.op)
  request.summands = summands.of(request)
  request.message = message_of(request, request.m)
  request.net = nets.of(request)
  request.text, request.parameters = program_of(request)
  requests.check_memory(request, function(m)
    return 4 * (request.nodes * m + message_of(request, m) + (request.indexed and 5 or 2) * m + request.steps_run)
  end, request.text)
  return request
end

-- Which nodes' elements are combined in element k of what a node holds after the steps that ran,
-- and of which element of the vector.
local held = {}

-- The number of element k of a block; nil where the block is shorter.
local function number_of(request, block, k)
  return k < request.blocks.size(block) and request.blocks.element(block, k) or nil
end

held["one-cycle"] = function(request, node, k)
  local last, place = request.nodes - 1, gray.decode(node)
  local nodes = {}
  for back = 0, request.steps_run do nodes[back + 1] = gray.encode(place - back & last) end
  local owner = gray.encode(place - 1 - request.steps_run & last)
  return nodes, number_of(request, gray.orders[request.order].block_of(owner), k)
end

held["d-cycles"] = function(request, node, k)
  local d, last = request.d, request.nodes - 1
  local function place(step) return cycles.offset(last - step, k % d, d) end
  local owner, nodes = node ~ place(request.steps_run), {}
  for step = 0, request.steps_run do nodes[step + 1] = owner ~ place(step) end
  return nodes, number_of(request, gray.orders[request.order].block_of(owner), k)
end

held["reduce-and-spread"] = function(request, node, k)
  local nodes = {node}
  for stage = 0, request.steps_run - 1 do
    for at = 1, #nodes do
      nodes[#nodes + 1] = nodes[at] ~ 1 << (stage + k) % request.d
    end
  end
  return nodes, k
end

-- The array with what a node holds after the steps that ran, and where it begins there; a ring has
-- two halves, in turn.
local function holding(request)
  local ring = request.algorithm == "one-cycle"
  return ring and "lounge" or reduce_cycles.lounge(request),
         ring and request.steps_run % 2 * request.m or 0
end

local function error_of_part(record, request)
  local array, skip = holding(request)
  local find = held[request.algorithm]
  return results.error(record, request, array, request.message, reduce_cycles.words(request), function(node, k)
    local nodes, g = find(request, node, k)
    return g and request.summands.combined(nodes, g)
  end, skip)
end

local function error_of(record, request)
  if not request.whole then return error_of_part(record, request) end
  local block_of = gray.orders[request.order].block_of
  local array = request.algorithm == "d-cycles" and "departing" or "y"
  return results.error(record, request, array, request.m, reduce_cycles.words(request), function(node, k)
    local g = number_of(request, block_of(node), k)
    return g and request.summands.of_all(g)
  end)
end

-- The layout of a request, to look at or to write.
function reduce.layout(options) return nets.layout(request_of(options)) end

-- Runs it. The result is the table `user` (results.lua); the record is the second result, the
-- request the third.
function reduce.run(options)
  local request = request_of(options)
  local of = request.summands.of
  local function v(x, y, g) return of(nets.node_at(request, x, y), g) end
  local record = nets.layout(request):run{inputs = {v = v}, machine = request.machine,
                                        max_cycles = request.max_cycles}
  local result = results.make(request, record)
  result.max_abs_error = error_of(record, request)
  return result, record, request
end

-- Lists of which element of the vector a node holds partial results after every step, and at which
-- address of what departs in the next one (allocation.lua). The largest of equal numbers is that
-- number.
function reduce.index_rows(options)
  return allocation.rows(options, reduce.run, function(request)
    local array, skip = holding(request)
    return array, request.message, function(list, address) return list[skip + address * reduce_cycles.words(request) + 1] end
  end, {op = "max"})
end

return reduce

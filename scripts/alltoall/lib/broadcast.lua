-- All-to-all broadcast as a library: every node's m elements to every node.
--
--   local broadcast = require "alltoall.broadcast"
--   broadcast.run{algorithm = "d-cycles", d = 4, m = 8, machine = "cm200"}.transfers
local allocation = require "alltoall.lib.allocation"
local blocks = require "alltoall.lib.blocks"
local broadcast_cycles = require "alltoall.lib.broadcast_cycles"
local broadcast_ring = require "alltoall.lib.broadcast_ring"
local broadcast_rows = require "alltoall.lib.broadcast_rows"
local broadcast_trees = require "alltoall.lib.broadcast_trees"
local elements = require "alltoall.lib.elements"
local gray = require "alltoall.lib.gray"
local host = require "wse.host"
local indices = require "alltoall.lib.indices"
local nets = require "alltoall.lib.nets"
local requests = require "alltoall.lib.requests"
local results = require "alltoall.lib.results"
local format = string.format

local broadcast = {}

local on_cubes, on_both = {hypercube = true}, {hypercube = true, mesh = true}
local kAlgorithms = {
  names = {"one-cycle", "d-cycles", "binomial", "node-at-a-time", "through-root", "send-and-spread",
           "row-column"},
  topologies = {["one-cycle"] = on_both, ["d-cycles"] = on_both, binomial = on_both,
                ["node-at-a-time"] = on_cubes, ["through-root"] = on_cubes, ["send-and-spread"] = on_cubes,
                ["row-column"] = {mesh = true}},
}
-- Algorithms that leave every block at its place in y.
local kInPlace = {["node-at-a-time"] = true, ["through-root"] = true, ["send-and-spread"] = true}
-- Algorithms that send no more than blocks have; the others fill blocks up, each with room for m.
local kUneven = {["one-cycle"] = true, ["d-cycles"] = true, binomial = true}
local kDefaults = {algorithm = "d-cycles", type = "f32"}

local function total_steps(request)
  request.block_words = request.m * request.element.words
  if request.algorithm == "row-column" then return broadcast_rows.steps(request) end
  if kInPlace[request.algorithm] then return broadcast_trees.steps(request) end
  return request.nodes - 1
end

-- z of the blocks that arrive, y of all, and the input; code and counters take what is left.
local function bytes_of(request)
  local element = request.element
  if kInPlace[request.algorithm] then
    return function(m) return 4 * broadcast_trees.words(request, m * element.words) end
  end
  return function(m)
    local z = request.blocks_run * m * element.moved_words
    local y = request.reorder and request.nodes * m * element.words or 0
    return 4 * (z + y + m * element.moved_words + request.counters)
  end
end

-- Whether each step of an algorithm brings a block.
local function has_blocks_in_steps(algorithm)
  return not kInPlace[algorithm] and algorithm ~= "row-column"
end

-- Refuses options that only such algorithms have.
local function check_steps(request)
  if has_blocks_in_steps(request.algorithm) then return end
  if request.indexed then
    host.raise(format("index = move: %s brings every block to its place; compute is wanted",
                      request.algorithm))
  elseif request.steps ~= nil and request.values ~= "index" then
    host.raise(format("steps = %d: %s has no equal steps; one-cycle, d-cycles or binomial is "
                      .. "wanted", request.steps, request.algorithm))
  end
end

-- The text of the program that all nodes run, and the values of its parameters.
local function program_of(request)
  local net = request.net
  if request.algorithm == "one-cycle" then
    return broadcast_ring.text(request), net.ring_parameters(false)
  end
  if request.algorithm == "row-column" then
    broadcast_rows.route(request, net.layout)
    return broadcast_rows.text(request), net.node_parameters()
  end
  local parameters, values = net.channel_parameters()
  local program = kInPlace[request.algorithm] and broadcast_trees or broadcast_cycles
  return program.text(request, parameters), values
end

local function request_of(options)
  local request = requests.make(options, {algorithms = kAlgorithms, defaults = kDefaults,
                                          total_steps = total_steps, uneven = kUneven, padded = kInPlace})
  request.blocks = blocks.of(request)
  check_steps(request)
  request.counters = math.max(request.steps_run, 1)
  request.blocks_run = request.algorithm == "row-column" and request.nodes or request.steps_run + 1
  request.reorder = request.whole and options.reorder ~= false
  request.net = nets.of(request)
  request.text, request.parameters = program_of(request)
  requests.check_memory(request, bytes_of(request), request.text)
  return request
end

-- Number g of the vector: block g // m, element g % m. Where blocks find their places in an array
-- that is 0 at first, places count from 1.
local function number(request)
  local first = kInPlace[request.algorithm] and 1 or 0
  if request.values == "index" then return function(g) return g + first end end
  return function(g) return elements.number(request.element, request.seed, g) end
end

local function inputs(request)
  local words, value = request.element.moved_words, number(request)
  local block_of = gray.orders[request.order].block_of
  local function mine(x, y, i)
    local g = request.blocks.element(block_of(nets.node_at(request, x, y)), i // words)
    local word = i % words
    if word == request.element.words then return math.min(g, request.M) end
    if g >= request.M then return 0 end
    return request.element.encode(value(g))[word + 1]
  end
  local all = kInPlace[request.algorithm] and broadcast_trees.inputs(request) or {}
  all.mine = mine
  return all
end

-- The block that local block j, element e of a node must hold.
local function block_at(request, node, j, e)
  local d, order = request.d, request.order
  if request.algorithm == "one-cycle" then return indices.one_cycle(node, j, d, order) end
  return indices[request.algorithm == "binomial" and "binomial" or "d_cycles"](node, j, e, d, order)
end

-- After part of the slots of trees: what is in y is right, and the own block is there.
local function error_of_part(record, request)
  local worst, value = 0, number(request)
  local block_of = gray.orders[request.order].block_of
  for node = 0, request.nodes - 1 do
    for k, found in ipairs(results.numbers(record, request, node, "y")) do
      local is_own = (k - 1) // request.m == block_of(node)
      local wrong = (found ~= 0 or is_own) and math.abs(found - value(k - 1)) or 0
      worst = math.max(worst, wrong)
    end
  end
  return worst
end

local function error_of(record, request)
  local m, value = request.m, number(request)
  if kInPlace[request.algorithm] and not request.whole then
    return error_of_part(record, request)
  end
  if request.reorder then
    return results.error_of_copies(record, request, "y", request.M, value)
  end
  return results.error(record, request, "z", request.blocks_run * m, request.element.moved_words,
                       function(node, k)
    local j, e = k // m, k % m
    local b = block_at(request, node, j, e)
    return e < request.blocks.size(b) and value(request.blocks.element(b, e)) or nil
  end)
end

-- The layout of a request, to look at or to write.
function broadcast.layout(options) return nets.layout(request_of(options)) end

-- Runs it. The result is the table `user` (results.lua); the record is the second result, the
-- request the third.
function broadcast.run(options)
  local request = request_of(options)
  local record = nets.layout(request):run{inputs = inputs(request), machine = request.machine,
                                        max_cycles = request.max_cycles}
  local result = results.make(request, record)
  result.max_abs_error = error_of(record, request)
  return result, record, request
end

-- Which element lies at which address of which node after every step (allocation.lua): of z, the
-- blocks that steps have brought; over trees of y, where a step is a slot and blocks find their
-- places.
function broadcast.index_rows(options)
  if options.algorithm == "row-column" then
    host.raise("show = index: not of row-column, which has no steps of blocks; one-cycle, d-cycles "
               .. "or binomial is wanted")
  end
  return allocation.rows(options, broadcast.run, function(request)
    if kInPlace[request.algorithm] then
      return "y", request.nodes * request.m, function(list, address)
        return list[address + 1] ~= 0 and list[address + 1] - 1 or nil
      end
    end
    return "z", request.blocks_run * request.m, function(list, address)
      return list[address * request.element.moved_words + 1]
    end
  end, {})
end

return broadcast

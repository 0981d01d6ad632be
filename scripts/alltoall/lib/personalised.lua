-- Personalised communication as a library. All to all (algorithm = "binomial"): every node has m
-- elements for each node, which are exchanged: a transpose of blocks. All to one ("gather"): node 0
-- gets the m elements of each node. One to all ("scatter"): node 0 has m elements for each node.
--
--   local personalised = require "alltoall.personalised"
--   personalised.run{d = 4, m = 8, machine = "cm200"}.transfers
local allocation = require "alltoall.lib.allocation"
local elements = require "alltoall.lib.elements"
local gray = require "alltoall.lib.gray"
local host = require "wse.host"
local nets = require "alltoall.lib.nets"
local personalised_program = require "alltoall.lib.personalised_program"
local personalised_root = require "alltoall.lib.personalised_root"
local requests = require "alltoall.lib.requests"
local results = require "alltoall.lib.results"
local slots = require "alltoall.lib.slots"
local format = string.format

local personalised = {}

local on_cubes = {hypercube = true}
local kAlgorithms = {names = {"binomial", "gather", "scatter"},
                     topologies = {binomial = on_cubes, gather = on_cubes, scatter = on_cubes}}
local kDefaults = {algorithm = "binomial", type = "f32"}

local function is_one_sided(request) return request.algorithm ~= "binomial" end

local function total_steps(request)
  request.block_words = request.m * request.element.words
  if not is_one_sided(request) then return request.d end
  request.plan = slots.gather_plan(request, request.algorithm == "scatter")
  return slots.gather_slots(request)
end

-- Refuses steps that only other algorithms have.
local function check_steps(request)
  if request.steps ~= nil and is_one_sided(request) and request.values ~= "index" then
    host.raise(format("steps = %d: %s has no equal steps; binomial is wanted", request.steps,
                      request.algorithm))
  elseif request.indexed then
    host.raise("index = move: blocks find their places by their nodes; compute is wanted")
  end
end

local function request_of(options)
  local request = requests.make(options, {algorithms = kAlgorithms, defaults = kDefaults,
                                          total_steps = total_steps, padded = {gather = true, scatter = true}})
  check_steps(request)
  request.net = nets.of(request)
  local header, values = request.net.channel_parameters()
  local program = is_one_sided(request) and personalised_root or personalised_program
  request.text, request.parameters = program.text(request, header), values
  requests.check_memory(request, function(m)
    return 4 * program.words(request, m * request.element.words)
  end, request.text)
  return request
end

-- Element e of what the node of block b has for the node of block c; of a gather and a scatter c is
-- 0. By its place where places are looked at, from 1 on where blocks find theirs in an array that
-- is 0 at first.
local function number(request, b, c, e)
  local m = request.m
  if request.values == "index" then
    return is_one_sided(request) and b * m + e + 1 or (b * request.nodes + c) * m + e
  end
  return elements.number(request.element, request.seed, (b * request.nodes + c) * m + e)
end

-- The inputs: v, or y and the tables of a plan.
local function inputs_of(request, block_of)
  local m, words, encode = request.m, request.element.words, request.element.encode
  if not is_one_sided(request) then
    return {v = function(node, _, i)
      local k = i // words
      return encode(number(request, block_of(node), k // m, k % m))[i % words + 1]
    end}
  end
  local inputs = slots.gather_inputs(request, block_of)
  local scatter = request.algorithm == "scatter"
  function inputs.y(node, _, i)
    local k = i // words
    if scatter and node ~= 0 or not scatter and block_of(node) ~= k // m then return 0 end
    return encode(number(request, k // m, 0, k % m))[i % words + 1]
  end
  return inputs
end

-- The node from which the block at place j of y has come after the stages that ran, and the one for
-- which it is: over the dimensions that cycle i has crossed the block has changed its node.
local function way_of(request, node, j, i)
  local crossed = 0
  for stage = 0, request.steps_run - 1 do crossed = crossed | 1 << (stage + i) % request.d end
  local other = gray.orders[request.order].node_of(j)
  return node & ~crossed | other & crossed, other & ~crossed | node & crossed
end

-- Compares y with what it must hold after the stages that ran; after all of them it is the transpose.
local function error_of_transpose(record, request, block_of)
  local m, d = request.m, request.d
  return results.error(record, request, "y", request.nodes * m, request.element.words,
                       function(node, k)
    local from, to = way_of(request, node, k // m, k % m % d)
    return number(request, block_of(from), block_of(to), k % m)
  end)
end

-- Compares what nodes hold after part of the slots: nothing, or what belongs there.
local function error_of_part(record, request)
  local worst = 0
  for node = 0, request.nodes - 1 do
    for k, found in ipairs(results.numbers(record, request, node, "y")) do
      if found ~= 0 then worst = math.max(worst, math.abs(found - k)) end
    end
  end
  return worst
end

-- Compares y with what it must hold: of a gather all blocks in node 0; of a scatter the own block.
local function error_of(record, request, block_of)
  if not is_one_sided(request) then return error_of_transpose(record, request, block_of) end
  if not request.whole then return error_of_part(record, request) end
  local m, words, worst = request.m, request.element.words, 0
  for node = 0, request.algorithm == "gather" and 0 or request.nodes - 1 do
    local list = results.numbers(record, request, node, "y")
    local first, last = 0, request.nodes * m - 1
    if request.algorithm == "scatter" then
      first = block_of(node) * m
      last = first + m - 1
    end
    for k = first, last do
      local value = request.element.decode(list, k * words + 1)
      worst = math.max(worst, math.abs(value - number(request, k // m, 0, k % m)))
    end
  end
  return worst
end

-- The layout of a request, to look at or to write.
function personalised.layout(options) return nets.layout(request_of(options)) end

-- Runs it. The result is the table `user` (results.lua); the record is the second result, the
-- request the third.
function personalised.run(options)
  local request = request_of(options)
  local block_of = gray.orders[request.order].block_of
  local record = nets.layout(request):run{inputs = inputs_of(request, block_of),
                                          machine = request.machine,
                                          max_cycles = request.max_cycles}
  local result = results.make(request, record)
  result.max_abs_error = error_of(record, request, block_of)
  return result, record, request
end

-- Which element lies at which address of y after every step (allocation.lua): of a gather and a
-- scatter, whose steps are slots, the number of its place in the vector; of a transpose that of all
-- that nodes have for nodes, m times the nodes of each.
function personalised.index_rows(options)
  return allocation.rows(options, personalised.run, function(request)
    return "y", request.nodes * request.m, function(list, address)
      local found = list[address + 1]
      if not is_one_sided(request) then return found end
      return found ~= 0 and found - 1 or nil
    end
  end, {})
end

return personalised

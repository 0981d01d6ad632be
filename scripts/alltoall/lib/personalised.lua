-- Personalised communication as a library. All to all (algorithm = "binomial"): every node has m
-- elements for each node, which are exchanged: a transpose of blocks. All to one ("gather"): node 0
-- gets the m elements of each node. One to all ("scatter"): node 0 has m elements for each node.
--
--   local personalised = require "alltoall.personalised"
--   personalised.run{d = 4, m = 8, machine = "cm200"}.transfers
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

-- What has only parts of other algorithms.
local function check_steps(request)
  if request.steps ~= nil then
    host.raise(format("steps = %d: personalised communication has no part of its stages",
                      request.steps))
  elseif request.indexed then
    host.raise("index = move: blocks find their places by their nodes; compute is wanted")
  end
end

local function request_of(options)
  local request = requests.make(options, {algorithms = kAlgorithms, defaults = kDefaults,
                                          total_steps = total_steps})
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
-- 0.
local function number(request, b, c, e)
  return elements.number(request.element, request.seed, (b * request.nodes + c) * request.m + e)
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

-- What y must hold: a transpose everywhere; of a gather all blocks in node 0; of a scatter the own
-- block.
local function error_of(record, request, block_of)
  local m, words = request.m, request.element.words
  if request.algorithm == "binomial" then
    return results.error(record, request, "y", request.nodes * m, words, function(node, k)
      return number(request, k // m, block_of(node), k % m)
    end)
  end
  local worst = 0
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

return personalised

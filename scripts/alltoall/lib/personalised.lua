-- All-to-all personalised communication as a library: every node has m elements for each node, which
-- are exchanged: a transpose of blocks.
--
--   local personalised = require "alltoall.personalised"
--   personalised.run{d = 4, m = 8, machine = "cm200"}.transfers
local elements = require "alltoall.lib.elements"
local gray = require "alltoall.lib.gray"
local host = require "wse.host"
local nets = require "alltoall.lib.nets"
local program = require "alltoall.lib.personalised_program"
local requests = require "alltoall.lib.requests"
local results = require "alltoall.lib.results"
local format = string.format

local personalised = {}

local kAlgorithms = {names = {"binomial"}, topologies = {binomial = {hypercube = true}}}
local kDefaults = {algorithm = "binomial", type = "f32"}
local kMostDimensions = 8  -- a microthread receives on each channel

local function request_of(options)
  local request = requests.make(options, {
    algorithms = kAlgorithms, defaults = kDefaults,
    total_steps = function(request) return request.d end})
  if request.d > kMostDimensions then
    host.raise(format("d = %d: personalised communication has d of 1 to %d, a microthread for each "
                      .. "channel", request.d, kMostDimensions))
  elseif request.steps ~= nil then
    host.raise(format("steps = %d: personalised communication has no part of its stages",
                      request.steps))
  elseif request.indexed then
    host.raise("index = move: blocks find their places by their nodes; compute is wanted")
  end
  request.net = nets.of(request)
  local header, values = request.net.channel_parameters()
  request.text, request.parameters = program.text(request, header), values
  requests.check_memory(request, function(m)
    return 4 * (7 * request.nodes // 2 * m * request.element.words + request.d)
  end, request.text)
  return request
end

-- Element e of what the node of block b has for the node of block c.
local function number(request, b, c, e)
  return elements.number(request.element, request.seed, (b * request.nodes + c) * request.m + e)
end

-- The layout of a request, to look at or to write.
function personalised.layout(options) return nets.layout(request_of(options)) end

-- Runs it. The result is the table `user` (results.lua); the record is the second result, the request
-- the third.
function personalised.run(options)
  local request = request_of(options)
  local m, words = request.m, request.element.words
  local block_of = gray.orders[request.order].block_of
  local function v(node, _, i)
    local k = i // words
    return request.element.encode(number(request, block_of(node), k // m, k % m))[i % words + 1]
  end
  local record = nets.layout(request):run{inputs = {v = v}, machine = request.machine,
                                        max_cycles = request.max_cycles}
  local result = results.make(request, record)
  result.max_abs_error = results.error(record, request, "y", request.nodes * m, words,
                                       function(node, k)
    return number(request, k // m, block_of(node), k % m)
  end)
  return result, record, request
end

return personalised

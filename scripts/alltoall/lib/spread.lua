-- One-to-all broadcast as a library: node 0's m elements to every node, through d trees of disjoint links
-- (slots.lua). A step is a slot; all of them are one task.
--
--   local spread = require "alltoall.spread"
--   spread.run{d = 4, m = 1024, machine = "cm200"}.milliseconds
local NodeCode = require "alltoall.lib.node_code"
local broadcast_trees = require "alltoall.lib.broadcast_trees"
local elements = require "alltoall.lib.elements"
local host = require "wse.host"
local nets = require "alltoall.lib.nets"
local requests = require "alltoall.lib.requests"
local results = require "alltoall.lib.results"
local slots = require "alltoall.lib.slots"

local spread = {}

local kAlgorithms = {names = {"spread"}, topologies = {spread = {hypercube = true}}}
local kDefaults = {algorithm = "spread", type = "f32"}

local function total_steps(request)
  request.block_words = request.m * request.element.words
  return slots.flood_slots(request.block_words, request.d)
end

local function text_of(request, parameters)
  local code = NodeCode.new()
  code:head(".program node(%s)", parameters)
  code:line(".%s y[%d] exported", request.element.data, math.max(request.block_words, 2))
  code:line(".i32 flood_out[%d] exported", request.d)
  code:line(".i32 flood_in[%d] exported", request.d)
  slots.declare(code, request)
  code:line(".dsr row")
  code:line("task main:")
  slots.prepare(code, request)
  code:op("setd row, y")
  code:op("getdbase base, row")
  broadcast_trees.take_tables(code, request, "flood", false)
  slots.begin(code, request, "spread")
  code:line("task spread:")
  slots.flood(code, request, "flood", request.block_words)
  code:line("finish:")
  code:op("mark end")
  code:op("halt")
  return code:text()
end

local function request_of(options)
  local request = requests.make(options, {algorithms = kAlgorithms, defaults = kDefaults, total_steps = total_steps})
  if request.steps ~= nil then host.raise("steps: a spread is run whole") end
  if request.indexed then host.raise("index = move: a spread keeps all elements in their order") end
  request.net = nets.of(request)
  local header, values = request.net.channel_parameters()
  request.text, request.parameters = text_of(request, header), values
  requests.check_memory(request, function(m)
    local words = m * request.element.words
    return 4 * (words + slots.flood_slots(words, request.d) + 4 * request.d)
  end, request.text)
  return request
end

-- The layout of a request, to look at or to write.
function spread.layout(options) return nets.layout(request_of(options)) end

-- Runs it. The result is the table `user` (results.lua); the record is the second result, the request the third.
function spread.run(options)
  local request = request_of(options)
  local element, d = request.element, request.d
  local function value(g) return elements.number(element, request.seed, g) end
  local inputs = {
    y = function(node, _, i) return node == 0 and element.encode(value(i // element.words))[i % element.words + 1] or 0 end,
    flood_out = function(node, _, k) return slots.first_out(node, k, d) end,
    flood_in = function(node, _, k) return slots.first_in(node, k, d) end,
  }
  local record = nets.layout(request):run{inputs = inputs, machine = request.machine, max_cycles = request.max_cycles}
  local result = results.make(request, record)
  result.max_abs_error = results.error_of_copies(record, request, "y", request.m, value)
  return result, record, request
end

return spread

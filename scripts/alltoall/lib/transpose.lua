-- The transposition of an array of nodes as a library: pieces of m words that lie row by row of nodes come to lie column
-- by column (node_array.lua), by exchanges over single dimensions.
--
--   local transpose = require "alltoall.transpose"
--   transpose.run{d = 4, m = 64, machine = "cm200"}.transfers
local NodeCode = require "alltoall.lib.node_code"
local elements = require "alltoall.lib.elements"
local exchange_program = require "alltoall.lib.exchange_program"
local host = require "wse.host"
local nets = require "alltoall.lib.nets"
local node_array = require "alltoall.lib.node_array"
local requests = require "alltoall.lib.requests"
local results = require "alltoall.lib.results"
local format = string.format

local transpose = {}

local kAlgorithms = {names = {"exchanges"}, topologies = {exchanges = {hypercube = true}}}
local kDefaults = {algorithm = "exchanges", type = "f32"}

local function text_of(request, parameters)
  local code = NodeCode.new()
  code:head(".program node(%s)", parameters)
  code:line(".%s mine[%d, 1] exported", request.element.data, request.m)
  code.scope = "t_"
  exchange_program.declare(code, request.exchange)
  code:line("task main:")
  code:op("mark begin")
  exchange_program.phase(code, request.exchange)
  code:op("mark end")
  code:op("halt")
  return code:text()
end

local function total_steps(request)
  local rows, columns = node_array.dimensions(request.d, "grid")
  request.array = node_array.of(rows, columns, request.order)
  request.exchange = node_array.exchange(request.array, request.d, "row", "column", request.m, "mine")
  return request.exchange and #request.exchange.steps or 0
end

local function request_of(options)
  local request = requests.make(options, {algorithms = kAlgorithms, defaults = kDefaults, total_steps = total_steps})
  if request.d < 2 then host.raise("d = 1: an array of at least 2 x 2 nodes is wanted; d = 2 has one") end
  if request.element.words ~= 1 then host.raise(format("type = %s: pieces have words of f32 or i32", request.type)) end
  if request.steps ~= nil then host.raise("steps: a transposition is run whole") end
  if request.indexed then host.raise("index = move: pieces stay whole") end
  request.exchange.data, request.exchange.counted = request.element.data, true
  request.net = nets.of(request)
  local header, values = request.net.channel_parameters()
  request.text, request.parameters = text_of(request, header), values
  requests.check_memory(request, function(m) return 4 * (2 * m + request.total_steps) end, request.text)
  return request
end

-- The layout of a request, to look at or to write.
function transpose.layout(options) return nets.layout(request_of(options)) end

-- Runs it. The result is the table `user` (results.lua); the record is the second result, the request the third.
function transpose.run(options)
  local request = request_of(options)
  local array, m = request.array, request.m
  local function number(layout, node, i)
    return elements.number(request.element, request.seed, array.piece(layout, node) * m + i)
  end
  local record = nets.layout(request):run{inputs = {mine = function(node, _, i) return number("row", node, i) end},
                                          machine = request.machine, max_cycles = request.max_cycles}
  local result = results.make(request, record)
  result.max_abs_error = results.error(record, request, "mine", m, 1, function(node, k)
    return number("column", node, k)
  end)
  return result, record, request
end

return transpose

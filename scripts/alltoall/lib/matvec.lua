-- y = A x as a library, on a 1-D or 2-D array of nodes, by all-to-all communication over d cycles.
-- A has P rows and Q columns. On an array of R rows and C columns of nodes, R C = 2^d, each node
-- has P / R rows and Q / C columns of it, and equal pieces of x and y:
--   nodes=rows     C = 1: x is broadcast to all nodes, y needs no communication;
--   nodes=columns  R = 1: x needs none, partial sums of y are reduced over all nodes;
--   nodes=grid     both, each within its axis.
-- Pieces of x lie column by column of nodes, those of y row by row: bringing y into the order of x
-- is a transpose of pieces, which is left to whoever wants it.
--
--   local matvec = require "alltoall.matvec"
--   matvec.run{P = 64, Q = 64, d = 4, nodes = "grid", machine = "cm200"}.cycles
local gray = require "alltoall.lib.gray"
local host = require "wse.host"
local nets = require "alltoall.lib.nets"
local program = require "alltoall.lib.matvec_program"
local requests = require "alltoall.lib.requests"
local results = require "alltoall.lib.results"
local format = string.format

local matvec = {}

local kAlgorithms = {names = {"d-cycles"}, topologies = {["d-cycles"] = {hypercube = true}}}
local kDefaults = {algorithm = "d-cycles", type = "f32", op = "add", P = 64, Q = 64, nodes = "grid"}

-- Dimensions of the rows and of the columns of nodes.
local function shape(request)
  local d = request.d
  if request.nodes_as == "rows" then return d, 0 end
  if request.nodes_as == "columns" then return 0, d end
  return (d + 1) // 2, d // 2
end

local function check_multiple(name, value, nodes)
  if math.type(value) == "integer" and value > 0 and value % nodes == 0 then return end
  host.raise(format("%s = %s: a multiple of %d is wanted, an equal piece for each node", name,
                    tostring(value), nodes))
end

-- What one axis asks for: an all-to-all over d dimensions from `first` on, with m elements.
local function phase_of(request, d, first, m)
  if d == 0 then return nil end
  return {algorithm = "d-cycles", topology = "hypercube", d = d, first = first, nodes = 1 << d,
          m = m, order = request.order, element = request.element, reorder = true,
          steps_run = (1 << d) - 1, blocks_run = 1 << d, whole = true, message = m,
          combine = "fadds"}
end

-- The block of the matrix, x before and behind its broadcast, y before and behind its reduction.
local function check_memory(request)
  local rows, columns = request.local_rows, request.local_columns
  local needed = 4 * (rows * columns + 3 * columns + 3 * rows)
  local memory = requests.data_bytes(request, request.text)
  if needed <= memory then return end
  host.raise(format("P = %d, Q = %d: a node has %d x %d of the matrix and its vectors, %d bytes, and "
                    .. "room for %d beside code; more nodes or a smaller matrix fit", request.P,
                    request.Q, rows, columns, needed, memory))
end

local function request_of(given)
  local options = {}
  for name, value in pairs(given) do options[name] = value end
  local nodes_as = options.nodes or kDefaults.nodes
  requests.one_of("nodes", nodes_as, {"rows", "columns", "grid"})
  options.m, options.nodes = 1, nil
  local request = requests.make(options, {algorithms = kAlgorithms, defaults = kDefaults,
                                          total_steps = function() return 1 end})
  request.nodes_as, request.nodes = nodes_as, 1 << request.d
  if request.type ~= "f32" then host.raise("type = " .. request.type .. ": a product has f32") end
  check_multiple("P", request.P, request.nodes)
  check_multiple("Q", request.Q, request.nodes)
  local of_rows, of_columns = shape(request)
  request.rows, request.columns = 1 << of_rows, 1 << of_columns
  request.local_rows, request.local_columns = request.P // request.rows,
                                              request.Q // request.columns
  request.broadcast = phase_of(request, of_rows, of_columns, request.Q // request.nodes)
  request.reduction = phase_of(request, of_columns, 0, request.P // request.nodes)
  request.net = nets.of(request)
  local header, values = request.net.channel_parameters()
  request.text, request.parameters = program.text(request, header), values
  check_memory(request)
  return request
end

-- Multiples of 1/8 in [-2, 2): all sums are exact.
local function number(seed, g)
  return ((g * 0x9E3779B1 + seed * 0x632BE5AB & 0xFFFFFFFF) >> 27) / 8 - 2
end

local function matrix(request, row, column)
  return number(request.seed, row * request.Q + column)
end

local function vector(request, j) return number(request.seed + 1, j) end

-- The row and column of a node, as places of blocks.
local function place(request, node)
  local block_of = gray.orders[request.order].block_of
  return block_of(node // request.columns), block_of(node % request.columns)
end

local function inputs(request)
  local rows, columns = request.local_rows, request.local_columns
  local piece = request.Q // request.nodes
  local all = {}
  function all.matrix(node, _, i)
    local row, column = place(request, node)
    return matrix(request, row * rows + i % rows, column * columns + i // rows)
  end
  function all.mine(node, _, i)
    local row, column = place(request, node)
    return vector(request, column * columns + (request.broadcast and row * piece or 0) + i)
  end
  return all
end

local function error_of(record, request)
  local sums = {}
  for row = 0, request.P - 1 do
    local sum = 0
    for j = 0, request.Q - 1 do sum = sum + matrix(request, row, j) * vector(request, j) end
    sums[row] = sum
  end
  local array, count = "v", request.local_rows
  if request.reduction then array, count = "departing", request.P // request.nodes end
  return results.error(record, request, array, count, 1, function(node, k)
    local row, column = place(request, node)
    return sums[row * request.local_rows + (request.reduction and column * count or 0) + k]
  end)
end

local function span(record, first, last)
  local from, to = record.marks[first], record.marks[last]
  return from and to and to.last - from.first or 0
end

-- The layout of a request, to look at or to write.
function matvec.layout(options) return nets.layout(request_of(options)) end

-- Runs it. The result: P, Q, d, nodes, cycles (from the first `begin` to the last `end`, local
-- reordering included), those of the phases, milliseconds, mflops, max_abs_error; the record is the
-- second one.
function matvec.run(options)
  local request = request_of(options)
  local record = nets.layout(request):run{inputs = inputs(request), machine = request.machine,
                                          max_cycles = request.max_cycles}
  local clock_mhz = host.machine(request.machine).clock_mhz
  local result = {
    algorithm = "matvec", P = request.P, Q = request.Q, d = request.d, nodes = request.nodes_as,
    order = request.order, machine = record.machine, cycles = span(record, "begin", "end"),
    broadcast_cycles = span(record, "x_begin", "x_reordered"),
    multiply_cycles = span(record, "multiply", "multiplied"),
    reduce_cycles = span(record, "y_begin", "y_reordered"),
    max_abs_error = error_of(record, request)}
  result.milliseconds = result.cycles / (clock_mhz * 1000)
  result.mflops = 2 * request.P * request.Q / (1000 * result.milliseconds)
  return result, record
end

return matvec

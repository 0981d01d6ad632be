-- Products whose operands are both broadcast, as a library, on a 1-D or 2-D array of nodes (node_array.lua), by
-- all-to-all broadcasts over d cycles. A node has a block of each matrix, and equal pieces of each vector.
--   product=rank-1         A += y x^T, A of P rows and Q columns: x is broadcast within columns of nodes, y within
--                          rows; the pieces of one of them are exchanged first;
--   product=matrix-matrix  C = A B, A of P x Q, B of Q x S: blocks of A are broadcast within rows of nodes, those of
--                          B within columns; each node then multiplies P / R rows with S / C columns.
--
--   local outer = require "alltoall.outer"
--   outer.run{product = "matrix-matrix", P = 32, Q = 32, S = 32, d = 4, machine = "cm200"}.mflops
local checks = require "support.checks"
local host = require "wse.host"
local nets = require "alltoall.lib.nets"
local node_array = require "alltoall.lib.node_array"
local program = require "alltoall.lib.outer_program"
local requests = require "alltoall.lib.requests"
local results = require "alltoall.lib.results"
local format = string.format

local outer = {}

local kAlgorithms = {names = {"d-cycles"}, topologies = {["d-cycles"] = {hypercube = true}}}
local kDefaults = {algorithm = "d-cycles", type = "f32", P = 64, Q = 64, S = 64, nodes = "grid", layout = "column",
                   product = "rank-1"}

local function check_multiple(name, value, nodes)
  if math.type(value) == "integer" and value > 0 and value % nodes == 0 then return end
  host.raise(format("%s = %s: a multiple of %d is wanted, an equal piece for each node", name, tostring(value),
                    nodes))
end

-- An all-to-all broadcast over d dimensions from `first` on, with m elements of each node; nil for one node.
local function phase_of(request, prefix, d, first, m)
  if d == 0 then return nil end
  return {algorithm = "d-cycles", topology = "hypercube", d = d, first = first, nodes = 1 << d, m = m, M = m << d,
          allocation = "consecutive", order = request.order, element = request.element, reorder = true,
          prefix = prefix, steps_run = (1 << d) - 1, blocks_run = 1 << d, whole = true}
end

-- Sizes of a node: what of the vectors and matrices it has, before and after the broadcasts.
local function add_sizes(request, row_dimensions, column_dimensions)
  local nodes = request.array
  if request.product == "rank-1" then
    check_multiple("P", request.P, request.nodes)
    check_multiple("Q", request.Q, request.nodes)
    request.terms, request.results, request.length = 1, request.Q // nodes.columns, request.P // nodes.rows
    request.x_piece, request.y_piece = request.Q // request.nodes, request.P // request.nodes
  else
    check_multiple("P", request.P, nodes.rows)
    check_multiple("Q", request.Q, math.max(nodes.rows, nodes.columns))
    check_multiple("S", request.S, nodes.columns)
    request.terms, request.results, request.length = request.Q, request.S // nodes.columns, request.P // nodes.rows
    request.x_piece = request.Q // nodes.rows * request.results
    request.y_piece = request.Q // nodes.columns * request.length
  end
  request.x = phase_of(request, "x_", row_dimensions, column_dimensions, request.x_piece)
  request.y = phase_of(request, "y_", column_dimensions, 0, request.y_piece)
end

-- A vector that its broadcast wants in another layout is exchanged: one of the two.
local function add_exchange(request)
  if request.product ~= "rank-1" then return end
  local function exchange(to, m, array)
    return node_array.exchange(request.array, request.d, request.layout, to, m, array)
  end
  request.exchange = exchange("column", request.x_piece, "x_mine") or exchange("row", request.y_piece, "y_mine")
end

local function check_memory(request)
  local words = request.results * request.length + 2 * request.terms * (request.results + request.length)
                + 2 * (request.x_piece + request.y_piece)
  local memory = requests.data_bytes(request, request.text)
  if 4 * words <= memory then return end
  host.raise(format("P = %d, Q = %d%s: a node takes %d bytes for its blocks and what is broadcast, and has %d beside "
                    .. "code; more nodes or smaller matrices fit", request.P, request.Q,
                    request.product == "rank-1" and "" or format(", S = %d", request.S), 4 * words, memory))
end

local function request_of(given)
  local options = {}
  for name, value in pairs(given) do options[name] = value end
  local nodes_as = options.nodes or kDefaults.nodes
  checks.one_of("nodes", nodes_as, node_array.shapes)
  options.m, options.nodes = 1, nil
  local request = requests.make(options, {algorithms = kAlgorithms, defaults = kDefaults,
                                          total_steps = function() return 1 end})
  checks.one_of("product", request.product, {"rank-1", "matrix-matrix"})
  checks.one_of("layout", request.layout, node_array.layouts)
  if request.type ~= "f32" then host.raise("type = " .. request.type .. ": a product has f32") end
  request.nodes_as, request.nodes = nodes_as, 1 << request.d
  local row_dimensions, column_dimensions = node_array.dimensions(request.d, nodes_as)
  request.array = node_array.of(row_dimensions, column_dimensions, request.order)
  add_sizes(request, row_dimensions, column_dimensions)
  add_exchange(request)
  request.net = nets.of(request)
  local header, values = request.net.channel_parameters()
  request.text, request.parameters = program.text(request, header), values
  check_memory(request)
  return request
end

-- Multiples of 1/8 in [-2, 2): all sums are exact.
local function number(seed, g) return ((g * 0x9E3779B1 + seed * 0x632BE5AB & 0xFFFFFFFF) >> 27) / 8 - 2 end

-- Element (row, column) of A, B, and of the matrix before a rank-1 update; element j of x and y.
local function a_of(request, row, column) return number(request.seed, row * request.Q + column) end
local function b_of(request, row, column) return number(request.seed + 1, row * request.S + column) end
local function x_of(request, j) return number(request.seed + 2, j) end
local function y_of(request, j) return number(request.seed + 3, j) end

-- Blocks of a matrix on a node are its columns, one after the other, for the operand within rows of nodes (A), its
-- rows for the one within columns (B).
local function inputs_of(request)
  local nodes, all = request.array, {}
  local results_count, length = request.results, request.length
  if request.product == "rank-1" then
    function all.x_mine(node, _, i)
      return x_of(request, nodes.piece(request.layout, node) * request.x_piece + i)
    end
    function all.y_mine(node, _, i)
      return y_of(request, nodes.piece(request.layout, node) * request.y_piece + i)
    end
    function all.matrix(node, _, i)
      local row, column = nodes.place(node)
      return a_of(request, row * length + i % length, column * results_count + i // length)
    end
    return all
  end
  function all.x_mine(node, _, i)
    local row, column = nodes.place(node)
    return b_of(request, row * (request.Q // nodes.rows) + i // results_count,
                column * results_count + i % results_count)
  end
  function all.y_mine(node, _, i)
    local row, column = nodes.place(node)
    return a_of(request, row * length + i % length, column * (request.Q // nodes.columns) + i // length)
  end
  function all.matrix() return 0.0 end
  return all
end

local function wanted(request, row, column)
  if request.product == "rank-1" then
    return a_of(request, row, column) + y_of(request, row) * x_of(request, column)
  end
  local sum = 0
  for k = 0, request.Q - 1 do sum = sum + a_of(request, row, k) * b_of(request, k, column) end
  return sum
end

local function error_of(record, request)
  local length, count = request.length, request.length * request.results
  return results.error(record, request, "matrix", count, 1, function(node, k)
    local row, column = request.array.place(node)
    return wanted(request, row * length + k % length, column * request.results + k // length)
  end)
end

-- Cycles of the phases, which add up to all.
local function add_cycles(result, marks)
  results.add_phases(result, marks, {{"exchange_cycles", "t_end"}, {"x_cycles", "x_reordered"},
                                     {"y_cycles", "y_reordered"}, {"multiply_cycles", "multiplied"}})
  result.cycles = marks["end"].last - marks.begin.first
end

-- The layout of a request, to look at or to write.
function outer.layout(options) return nets.layout(request_of(options)) end

-- Runs it. The result: product, P, Q, S, d, nodes, layout, cycles (from the first `begin` to the last `end`), those of
-- the phases, milliseconds, mflops, max_abs_error; the record is the second one.
function outer.run(options)
  local request = request_of(options)
  local record = nets.layout(request):run{inputs = inputs_of(request), machine = request.machine,
                                          max_cycles = request.max_cycles}
  local result = {algorithm = "outer", product = request.product, P = request.P, Q = request.Q,
                  S = request.product ~= "rank-1" and request.S or nil, d = request.d, nodes = request.nodes_as,
                  layout = request.layout, order = request.order, machine = record.machine,
                  max_abs_error = error_of(record, request)}
  add_cycles(result, record.marks)
  result.milliseconds = result.cycles / (host.machine(request.machine).clock_mhz * 1000)
  local products = request.P * request.Q * (request.product == "rank-1" and 1 or request.S)
  result.mflops = 2 * products / (1000 * result.milliseconds)
  return result, record
end

return outer

-- y = A x and y = x A as a library, on a 1-D or 2-D array of nodes, by all-to-all communication
-- over d cycles. A has P rows and Q columns. On an array of R rows and C columns of nodes, R C =
-- 2^d, each node has P / R rows and Q / C columns of it, and equal pieces of x and y:
--   nodes=rows     C = 1: rows of A over all nodes;
--   nodes=columns  R = 1: columns of A over all nodes;
--   nodes=grid     both.
-- Pieces of x and of y lie column by column of nodes (layout=column). So x is broadcast within columns of nodes and
-- y reduced within their rows, which leaves it row by row: its pieces are exchanged. With x A the
-- pieces of x are exchanged first, then x is broadcast within rows and y reduced within columns. Where pieces lie row
-- by row (layout=row) it is the other one of both vectors whose pieces are exchanged.
--
--   local matvec = require "alltoall.matvec"
--   matvec.run{P = 64, Q = 64, d = 4, nodes = "grid", machine = "cm200"}.cycles
local host = require "wse.host"
local nets = require "alltoall.lib.nets"
local node_array = require "alltoall.lib.node_array"
local program = require "alltoall.lib.matvec_program"
local checks = require "support.checks"
local requests = require "alltoall.lib.requests"
local results = require "alltoall.lib.results"
local format = string.format

local matvec = {}

local kAlgorithms = {names = {"d-cycles"}, topologies = {["d-cycles"] = {hypercube = true}}}
local kDefaults = {algorithm = "d-cycles", type = "f32", op = "add", P = 64, Q = 64, nodes = "grid",
                   product = "matrix-vector", layout = "column"}

local function check_multiple(name, value, nodes)
  if math.type(value) == "integer" and value > 0 and value % nodes == 0 then return end
  host.raise(format("%s = %s: a multiple of %d is wanted, an equal piece for each node", name,
                    tostring(value), nodes))
end

-- Returns the request of one axis: an all-to-all over d dimensions from `first` on, with m elements.
local function phase_of(request, d, first, m)
  if d == 0 then return nil end
  return {algorithm = "d-cycles", topology = "hypercube", d = d, first = first, nodes = 1 << d,
          m = m, M = m << d, allocation = "consecutive", order = request.order, element = request.element, reorder = true,
          steps_run = (1 << d) - 1, blocks_run = 1 << d, whole = true, message = m,
          combine = "fadds"}
end

-- The axes of a product: how long vector and result are, in a node and of all, and the phases.
local function add_phases(request)
  local nodes, d = request.nodes, request.d
  local row_dimensions, column_dimensions = node_array.dimensions(d, request.nodes_as)
  request.array = node_array.of(row_dimensions, column_dimensions, request.order)
  request.rows, request.columns = request.array.rows, request.array.columns
  local local_rows, local_columns = request.P // request.rows, request.Q // request.columns
  request.block_rows, request.block_columns = local_rows, local_columns
  local function exchange(from, to, m, array)
    return node_array.exchange(request.array, d, from, to, m, array)
  end
  local before, after = "column", "row"  -- what the broadcast wants, what the reduction leaves
  if request.of_rows then
    before, after = after, before
    request.length, request.local_terms, request.local_results = request.Q, local_rows, local_columns
    request.broadcast = phase_of(request, column_dimensions, 0, request.P // nodes)
    request.reduction = phase_of(request, row_dimensions, column_dimensions, request.Q // nodes)
  else
    request.length, request.local_terms, request.local_results = request.P, local_columns, local_rows
    request.broadcast = phase_of(request, row_dimensions, column_dimensions, request.Q // nodes)
    request.reduction = phase_of(request, column_dimensions, 0, request.P // nodes)
  end
  local given = request.of_rows and request.P or request.Q
  local first = exchange(request.layout, before, given // nodes, "mine")
  request.exchange_first = first ~= nil
  request.exchange = first or exchange(after, request.layout, request.length // nodes, "departing")
end

-- The first `steps` terms of each node's local product.
local function add_steps(request, steps)
  request.terms_run = request.local_terms
  if steps == nil then return end
  if math.type(steps) ~= "integer" or steps < 1 or steps > request.local_terms then
    host.raise(format("steps = %s: an integer of 1 to %d is wanted, terms of the sums in a node",
                      tostring(steps), request.local_terms))
  end
  request.terms_run = steps
end

-- The whole block of the matrix, the vector before and after its broadcast, the result before and
-- after its reduction.
local function check_memory(request)
  local rows, columns = request.block_rows, request.block_columns
  local needed = 4 * (rows * columns + 4 * columns + 4 * rows)
  local memory = requests.data_bytes(request, request.text)
  if needed <= memory then return end
  host.raise(format("P = %d, Q = %d: a node has %d x %d of the matrix and its vectors, %d bytes, "
                    .. "and room for %d beside code; more nodes or a smaller matrix fit", request.P,
                    request.Q, rows, columns, needed, memory))
end

local function request_of(given)
  local options = {}
  for name, value in pairs(given) do options[name] = value end
  local nodes_as, steps = options.nodes or kDefaults.nodes, options.steps
  checks.one_of("nodes", nodes_as, node_array.shapes)
  options.m, options.nodes, options.steps = 1, nil, nil
  local request = requests.make(options, {algorithms = kAlgorithms, defaults = kDefaults,
                                          total_steps = function() return 1 end})
  checks.one_of("product", request.product, {"matrix-vector", "vector-matrix"})
  checks.one_of("layout", request.layout, node_array.layouts)
  request.nodes_as, request.nodes = nodes_as, 1 << request.d
  request.of_rows = request.product == "vector-matrix"
  if request.type ~= "f32" then host.raise("type = " .. request.type .. ": a product has f32") end
  check_multiple("P", request.P, request.nodes)
  check_multiple("Q", request.Q, request.nodes)
  add_phases(request)
  add_steps(request, steps)
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

-- The element of A that belongs to a number of the result and one of the vector.
local function matrix(request, result, term)
  if request.of_rows then result, term = term, result end
  return number(request.seed, result * request.Q + term)
end

local function vector(request, j) return number(request.seed + 1, j) end

local function inputs(request)
  local piece = (request.of_rows and request.P or request.Q) // request.nodes
  local count, all, first_result, first_term = request.local_results, {}, {}, {}
  for node = 0, request.nodes - 1 do
    local row, column = request.array.place(node)
    if request.of_rows then row, column = column, row end
    first_result[node], first_term[node] = row * count, column * request.local_terms
  end
  function all.matrix(node, _, i)
    return matrix(request, first_result[node] + i % count, first_term[node] + i // count)
  end
  function all.mine(node, _, i) return vector(request, request.array.piece(request.layout, node) * piece + i) end
  return all
end

-- Returns the sums of the terms that are run.
local function sums_of(request)
  local sums, blocks = {}, request.of_rows and request.rows or request.columns
  for result = 0, request.length - 1 do
    local sum = 0
    for block = 0, blocks - 1 do
      local first = block * request.local_terms
      for j = first, first + request.terms_run - 1 do
        sum = sum + matrix(request, result, j) * vector(request, j)
      end
    end
    sums[result] = sum
  end
  return sums
end

local function error_of(record, request)
  local sums, count = sums_of(request), request.length // request.nodes
  local array = request.reduction and "departing" or "v"
  return results.error(record, request, array, count, 1, function(node, k)
    return sums[request.array.piece(request.layout, node) * count + k]
  end)
end

-- Cycles of the phases, which add up to all. `more` is what a whole product takes beyond the terms that were run, which take
-- equally long.
local function add_cycles(result, request, marks)
  local order = {{"broadcast_cycles", "x_reordered"}, {"multiply_cycles", "multiplied"},
                 {"reduce_cycles", "y_reordered"}}
  table.insert(order, request.exchange_first and 1 or 4, {"exchange_cycles", "t_end"})
  results.add_phases(result, marks, order)
  local measured = marks.multiplied.last - marks.multiply.last
  local more = math.floor(measured * (request.local_terms / request.terms_run - 1) + 0.5)
  result.multiply_cycles = result.multiply_cycles + more
  result.cycles = marks["end"].last - marks.begin.first + more
end

-- The layout of a request, to look at or to write.
function matvec.layout(options) return nets.layout(request_of(options)) end

-- Runs it. The result: P, Q, d, nodes, product, cycles (from the first `begin` to the last `end`,
-- local reordering included), those of the phases, milliseconds, mflops, max_abs_error; the record
-- is the second one. With `steps` the local product is scaled from so many terms of its sums.
function matvec.run(options)
  local request = request_of(options)
  local record = nets.layout(request):run{inputs = inputs(request), machine = request.machine,
                                          max_cycles = request.max_cycles}
  local result = {
    algorithm = "matvec", product = request.product, P = request.P, Q = request.Q, d = request.d,
    nodes = request.nodes_as, layout = request.layout, order = request.order, machine = record.machine,
    steps = request.local_terms, steps_run = request.terms_run,
    scaled = request.terms_run < request.local_terms, max_abs_error = error_of(record, request)}
  add_cycles(result, request, record.marks)
  result.milliseconds = result.cycles / (host.machine(request.machine).clock_mhz * 1000)
  result.mflops = 2 * request.P * request.Q / (1000 * result.milliseconds)
  return result, record
end

return matvec

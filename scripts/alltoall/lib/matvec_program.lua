-- The program of a matrix-vector or vector-matrix product on an array of nodes, in phases:
--   x_: all-to-all broadcast of the vector along one axis of nodes;
--   the local product of a block of the matrix: matrix[j] are the elements that number j of the
--     vector is multiplied with, a column of it, or a row;
--   y_: all-to-all reduction of the products along the other axis;
--   t_: the vector of a vector-matrix product before that, or the result of a matrix-vector product
--     after it, goes from one order of nodes to the other.
-- An axis of one node has no phase of its own. Descriptors of a phase are free in the next one.
local NodeCode = require "alltoall.lib.node_code"
local broadcast_cycles = require "alltoall.lib.broadcast_cycles"
local exchange_program = require "alltoall.lib.exchange_program"
local reduce_cycles = require "alltoall.lib.reduce_cycles"

local matvec_program = {}

-- All of the vector that a node needs is in y, where a broadcast leaves it.
local function declare(code, request)
  local terms, results = request.local_terms, request.local_results
  code:line(".f32 matrix[%d, %d] exported", request.terms_run, results)
  code.scope = "x_"
  if request.broadcast then
    broadcast_cycles.declare(code, request.broadcast)
  else
    code:line(".f32 mine[%d, 1] exported", terms)
    code:line(".f32 y[%d, 1]", terms)
  end
  code.scope = "y_"
  if request.reduction then
    reduce_cycles.declare(code, request.reduction)
  else
    code:line(".f32 v[%d]", results)
  end
  code.scope = "t_"
  if request.exchange then exchange_program.declare(code, request.exchange) end
  code:registers(12, {"term", "factor"})
  for _, name in ipairs{"from", "into", "over0"} do code:declare("dsr", name) end
end

-- v = sum over j of matrix[j] * y[j].
local function multiply(code, request)
  code:op("setd over0, save(matrix[0, :])")
  code:op("setd into, v")
  code:op("mov32 into, 0.0")
  code:op("mark multiply")
  code:op("mov32 term, 0")
  code:op("setd from, save(y[0, :])")
  code:line("multiply:")
  code:op("mov32 factor, 0.0")
  code:op("fadds factor, factor, from")
  code:op("fmacs into, into, over0, factor")
  code:op("add32 term, term, 1")
  code:op("blt term, %d, multiply", request.terms_run)
  code:op("mark multiplied")
end

local function exchange(code, request)
  code.scope = "t_"
  exchange_program.phase(code, request.exchange)
end

-- Its text for a program called `node`; `parameters` are those of its header.
function matvec_program.text(request, parameters)
  local code = NodeCode.new()
  code:head(".program node(%s)", parameters)
  declare(code, request)
  code:line("task main:")
  code:op("mark begin")
  if request.exchange and request.exchange_first then exchange(code, request) end
  code.scope = "x_"
  if request.broadcast then
    broadcast_cycles.phase(code, request.broadcast)
  else
    code:op("setd into, y")
    code:op("mov32 into, mine")
  end
  multiply(code, request)
  code.scope = "y_"
  if request.reduction then reduce_cycles.phase(code, request.reduction) end
  if request.exchange and not request.exchange_first then exchange(code, request) end
  code:op("mark end")
  code:op("halt")
  return code:text()
end

return matvec_program

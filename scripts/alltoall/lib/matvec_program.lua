-- The program of a matrix-vector product on a grid of nodes, in three phases:
--   x_: all-to-all broadcast of x within each column of nodes, over the upper dimensions;
--   the local product of a block of the matrix, by columns: matrix[j] is its column j;
--   y_: all-to-all reduction within each row of nodes, over the lower dimensions.
-- An axis of one node has no phase of its own.
local Code = require "alltoall.lib.code"
local broadcast_cycles = require "alltoall.lib.broadcast_cycles"
local reduce_cycles = require "alltoall.lib.reduce_cycles"

local matvec_program = {}

-- A column of nodes has all of its x in y, where a broadcast leaves it.
local function declare(code, request)
  local rows, columns = request.local_rows, request.local_columns
  code:line(".f32 matrix[%d, %d] exported", columns, rows)
  code.scope = "x_"
  if request.broadcast then
    broadcast_cycles.declare(code, request.broadcast)
  else
    code:line(".f32 mine[%d] exported", columns)
    code:line(".f32 y[%d]", columns)
  end
  code.scope = "y_"
  if request.reduction then
    reduce_cycles.declare(code, request.reduction)
  else
    code:line(".f32 v[%d]", rows)
  end
  code:registers(12, {"column", "factor"})
  code:declare("dsr", "block")
  code:declare("dsr", "sum")
end

-- v = sum over j of matrix[j] * y[j].
local function multiply(code, request)
  code:op("mark multiply")
  code:op("setd block, save(matrix[0, :])")
  code:op("setd sum, v")
  code:op("mov32 sum, 0.0")
  code:op("mov32 column, 0")
  code:op("setd from, save(y%s)", request.broadcast and "[0, :]" or "[0:1]")
  code:line("multiply:")
  code:op("mov32 factor, 0.0")
  code:op("fadds factor, factor, from")
  code:op("fmacs sum, sum, block, factor")
  code:op("add32 column, column, 1")
  code:op("blt column, %d, multiply", request.local_columns)
  code:op("mark multiplied")
end

-- Its text for a program called `node`; `parameters` are those of its header.
function matvec_program.text(request, parameters)
  local code = Code.new()
  code:head(".program node(%s)", parameters)
  declare(code, request)
  code:line("task main:")
  code:op("mark begin")
  code.scope = "x_"
  if request.broadcast then
    broadcast_cycles.phase(code, request.broadcast)
  else
    code:op("mov32 y, mine")
  end
  multiply(code, request)
  code.scope = "y_"
  if request.reduction then reduce_cycles.phase(code, request.reduction) end
  code:op("mark end")
  code:op("halt")
  return code:text()
end

return matvec_program

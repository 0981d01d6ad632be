-- The program of a product whose two operands are broadcast along the axes of an array of nodes:
--   x_: all-to-all broadcast of the first operand within columns of nodes, into x_y;
--   y_: that of the second one within rows of nodes, into y_y;
--   t_: an exchange of pieces of one of them, before all (node_array.lua);
--   the local product: for each of `terms` rows of both, matrix[s] += x_y[term, s] * y_y[term, :], s = 0..results - 1.
-- A rank-1 update has one term: x_y is a column of x, y_y one of y. A product of matrices has Q of them.
local NodeCode = require "alltoall.lib.node_code"
local broadcast_cycles = require "alltoall.lib.broadcast_cycles"
local exchange_program = require "alltoall.lib.exchange_program"

local outer_program = {}

-- An axis of one node has no broadcast: what it has is all.
local function declare_operand(code, name, phase, count)
  code.scope = name .. "_"
  if phase then
    broadcast_cycles.declare(code, phase)
  else
    code:line(".f32 %s_mine[%d, 1] exported", name, count)
    code:line(".f32 %s_y[%d, 1]", name, count)
  end
end

local function declare(code, request)
  code:line(".f32 matrix[%d, %d] exported", request.results, request.length)
  declare_operand(code, "x", request.x, request.terms * request.results)
  declare_operand(code, "y", request.y, request.terms * request.length)
  code.scope = "t_"
  if request.exchange then exchange_program.declare(code, request.exchange) end
  code:registers(12, {"term", "factor", "result"})
  for _, name in ipairs{"from", "into", "over0"} do code:declare("dsr", name) end
end

local function broadcast(code, name, phase)
  code.scope = name .. "_"
  if phase then
    broadcast_cycles.phase(code, phase)
  else
    code:op("mov32 %s_y, %s_mine", name, name)
  end
end

local function multiply(code, request)
  local length = request.length
  code:op("mark multiply")
  code:op("setd from, save(x_y[0, :])")  -- the factors, one after the other
  code:op("setd over0, y_y[0:%d, 0]", length)
  code:op("getdbase b, over0")
  code:op("setd into, matrix[0, :]")
  code:op("getdbase a, into")
  code:op("mov32 term, 0")
  code:line("multiply_term:")
  code:op("mov32 result, a")
  code:op("mov32 row, 0")
  code:line("multiply_row:")
  code:op("setdbase into, result")
  code:op("mov32 factor, 0.0")
  code:op("fadds factor, factor, from")
  code:op("setdbase over0, b")
  code:op("fmacs into, into, over0, factor")
  code:op("add32 result, result, %d", length * 4)
  code:op("add32 row, row, 1")
  code:op("blt row, %d, multiply_row", request.results)
  code:op("add32 b, b, %d", length * 4)
  code:op("add32 term, term, 1")
  code:op("blt term, %d, multiply_term", request.terms)
  code:op("mark multiplied")
end

-- Its text for a program called `node`; `parameters` are those of its header.
function outer_program.text(request, parameters)
  local code = NodeCode.new()
  code:head(".program node(%s)", parameters)
  declare(code, request)
  code:registers(3, {"row", "a", "b"})
  code:line("task main:")
  code:op("mark begin")
  if request.exchange then
    code.scope = "t_"
    exchange_program.phase(code, request.exchange)
  end
  broadcast(code, "x", request.x)
  broadcast(code, "y", request.y)
  multiply(code, request)
  code:op("mark end")
  code:op("halt")
  return code:text()
end

return outer_program

-- The product of two tiles inside a PE, C += A B: the one place that says how.
--
-- For each k and each column j of C a vector instruction adds column k of A times B[k, j]; so every
-- element of C is a sum over k in ascending order, with one rounding for each product.
--
-- Before: a_now, the byte address of the tile of A; b_now, the index of the first element of that of
-- B in b. Changes the registers that declare() names, and at.
local held = require "gemm.lib.held"

local multiply = {}

local function sums_text(request)
  local text = ("mem(%d, length=%d)"):format(request.plan.places.c, request.Mt)
  return request.maps and "save(" .. text .. ")" or text
end

local function column_text(request)
  return ("mem(%d, length=%d)"):format(request.plan.places.a, request.Mt)
end

-- Loads what stays in registers for the whole run.
function multiply.load(code, request)
  if request.maps then
    code:op("setd factors, save(mem(%d, length=%d))", request.plan.places.b, request.Nt)
  end
  if request.code == "best" then
    code:op("setd into, %s", sums_text(request))
    code:op("setd column, %s", column_text(request))
  end
  held.store(code, request, "into", "sums", sums_text(request))
  held.store(code, request, "column", "column", column_text(request))
end

-- One element of B.
local function step_of_one(code, request, target)
  code:op("%s factor, b[index]", request.element.input.move)
  code:op("%s %s, column, factor", request.element.multiply_add, target)
  code:op("add32 index, index, 1")
end

-- A row of B is one instruction: it continues from column to column of C, and from row to row of B.
-- Descriptors stay in registers.
local function best(code, request)
  code:op("setdpos into, 0")
  code:op("setdbase column, column_at")
  code:op("map into, %s, into, column, factors", request.element.multiply_add)
end

-- The same with three descriptors that are fetched for each row.
local function measured(code, request)
  held.fetch(code, "into", "sums")
  held.fetch(code, "from", "sums")
  held.fetch(code, "column", "column")
  code:op("setdbase column, column_at")
  code:op("map into, %s, from, column, factors", request.element.multiply_add)
end

-- The descriptors of A and C are fetched and changed for each vector instruction.
local function rebuilt(code, request)
  code:op("add32 row_end, index, %d", request.Nt)
  code:op("mov32 sums_at, %d", request.plan.places.c)
  code:line("$next_column:")
  held.fetch(code, "into", "sums")
  code:op("setdbase into, sums_at")
  held.fetch(code, "column", "column")
  code:op("setdbase column, column_at")
  step_of_one(code, request, "into, into")
  code:op("add32 sums_at, sums_at, %d", request.Mt * request.element.sum.bytes)
  code:op("blt index, row_end, $next_column")
end

function multiply.declare(code, request)
  code:line(".reg last, column_at")
  if request.maps then
    code:line(".dsr factors")
  else
    code:line(".reg index, row_end, sums_at, factor")
  end
  code:line(".dsr into, from, column")
  held.declare(code, request, {"sums", "column"})
end

-- The rows of B by map.
local function once_by_map(code, request)
  local bytes = request.element.input.bytes
  code:op("mul32 at, b_now, %d", bytes)
  code:op("add32 at, at, %d", request.plan.places.b)
  code:op("setdbase factors, at")
  code:op("setdpos factors, 0")
  code:op("mov32 column_at, a_now")
  code:op("add32 last, a_now, %d", request.Kt * request.Mt * bytes)
  code:line("$next_row:")
  request.kernel(code, request)
  code:op("add32 column_at, column_at, %d", request.Mt * bytes)
  code:op("blt column_at, last, $next_row")
end

-- The same element by element.
local function once_by_element(code, request)
  code:op("mov32 column_at, a_now")
  code:op("mov32 index, b_now")
  code:op("add32 last, index, %d", request.Kt * request.Nt)
  code:line("$next_row:")
  request.kernel(code, request)
  code:op("add32 column_at, column_at, %d", request.Mt * request.element.input.bytes)
  code:op("blt index, last, $next_row")
end

local function once(code, request, number)
  local scope = code.scope
  code.scope = "multiply" .. number .. "_"
  if request.maps then
    once_by_map(code, request)
  else
    once_by_element(code, request)
  end
  code.scope = scope
end

-- The kernel of a request, and whether it maps. `collective`: what was measured has descriptors of its own
-- for each element.
function multiply.kernel(code_name, collective)
  if code_name == "best" then return best, true end
  if collective then return rebuilt, false end
  return measured, true
end

-- The product, as often as the request says.
function multiply.emit(code, request)
  for number = 1, request.multiply do once(code, request, number) end
end

-- C = 0.
function multiply.clear(code, request)
  code:op("%s c, 0.0", request.element.sum.move)
end

return multiply

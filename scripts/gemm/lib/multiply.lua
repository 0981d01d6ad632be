-- The product of two tiles inside a PE, C += A B: the one place that says how.
--
-- For each k and each column j of C a vector instruction adds column k of A times B[k, j]; so every
-- element of C is a sum over k in ascending order, with one rounding for each product.
--
-- Before: a_now, the byte address of the tile of A; b_now, the index of the first element of that of
-- B in b. Changes the registers index, row_end, last, column_at, factor.
local multiply = {}

local function load_sums(code, request, name)
  code:op("setd %s, save(mem(%d, length=%d))", name, request.plan.places.c, request.Mt)
end

local function load_column(code, request)
  code:op("setd column, mem(%d, length=%d)", request.plan.places.a, request.Mt)
end

-- Loads what stays in registers for the whole run.
function multiply.load(code, request)
  if request.code ~= "best" then return end
  load_sums(code, request, "into")
  load_column(code, request)
end

-- One element of B.
local function step_of_one(code, request, target)
  code:op("%s factor, b[index]", request.element.input.move)
  code:op("%s %s, column, factor", request.element.multiply_add, target)
  code:op("add32 index, index, 1")
end

-- As many elements of a row in one turn of the loop as divide it, at most 8.
local function unroll(count)
  for turns = 8, 2, -1 do
    if count % turns == 0 then return turns end
  end
  return 1
end

-- Descriptors stay in registers; a row takes one of them to its beginning, and a loop has as few
-- branches as the size of a row allows.
local function best(code, request)
  local turns = unroll(request.Nt)
  code:op("setdpos into, 0")
  code:op("add32 row_end, index, %d", request.Nt)
  code:line("$next_column:")
  for _ = 1, turns do step_of_one(code, request, "into, into") end
  if turns < request.Nt then code:op("blt index, row_end, $next_column") end
end

-- Three descriptors are loaded for a row, which then is one loop. This is what a `map` of one vector
-- instruction would replace.
local function measured(code, request)
  load_sums(code, request, "into")
  load_sums(code, request, "from")
  load_column(code, request)
  code:op("setdbase column, column_at")
  code:op("add32 row_end, index, %d", request.Nt)
  code:line("$next_column:")
  step_of_one(code, request, "into, from")
  code:op("blt index, row_end, $next_column")
end

-- The descriptors of A and C are built anew for each vector instruction.
local function rebuilt(code, request)
  code:op("add32 row_end, index, %d", request.Nt)
  code:op("mov32 sums_at, %d", request.plan.places.c)
  code:line("$next_column:")
  code:op("setd into, mem(%d, length=%d)", request.plan.places.c, request.Mt)
  code:op("setdbase into, sums_at")
  load_column(code, request)
  code:op("setdbase column, column_at")
  step_of_one(code, request, "into, into")
  code:op("add32 sums_at, sums_at, %d", request.Mt * request.element.sum.bytes)
  code:op("blt index, row_end, $next_column")
end

function multiply.declare(code, request)
  code:line(".reg index, row_end, last, column_at, factor")
  if request.kernel == rebuilt then code:line(".reg sums_at") end
  code:line(".dsr into, from, column")
end

local function once(code, request, number)
  local scope = code.scope
  code.scope = "multiply" .. number .. "_"
  code:op("mov32 column_at, a_now")
  code:op("mov32 index, b_now")
  code:op("add32 last, index, %d", request.Kt * request.Nt)
  code:line("$next_row:")
  if request.code == "best" then code:op("setdbase column, column_at") end
  request.kernel(code, request)
  code:op("add32 column_at, column_at, %d", request.Mt * request.element.input.bytes)
  code:op("blt index, last, $next_row")
  code.scope = scope
end

-- The kernel of a request. `collective`: what was measured built descriptors anew.
function multiply.kernel(code_name, collective)
  if code_name == "best" then return best end
  return collective and rebuilt or measured
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

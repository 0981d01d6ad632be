-- The one place that knows in which order the machine adds up what its workers hold:
--
--   a worker    its elements in the order of memory, from the identity on
--   a column    of a half of the field, by the pattern of the program (kernels/column_order.lua)
--   a row       of those, from the inner PE of its side outwards
--   the total   upper right, upper left, lower right, lower left
--
-- Workers that take no part give the identity. Minimum and maximum depend on no order.
local column_order = require "mach.kernels.column_order"
local types = require "mach.lang.types"
local huge = math.huge

local reduction_order = {}

local function smaller(a, b)
  if a < b then return a end
  if b < a then return b end
  if a == b then return (a == 0 and 1 / a < 0) and a or b end
  return a ~= a and b or a
end

local function larger(a, b)
  if a > b then return a end
  if b > a then return b end
  if a == b then return (a == 0 and 1 / a < 0) and b or a end
  return a ~= a and b or a
end

-- How two values become one, and what changes none; of f16 in f32.
function reduction_order.combination(kind, type_name)
  local whole = type_name == "i32"
  if kind == "sum" then
    local round = types[whole and "i32" or "f32"].round
    return function(a, b) return round(a + b) end, whole and 0 or 0.0
  end
  if kind == "min" then return smaller, whole and types.i32.most or huge end
  return larger, whole and -types.i32.most - 1 or -huge
end

-- The total of `locals`, one value for each worker, row by row.
function reduction_order.total(locals, width, height, combine, pattern)
  local half, inner = height // 2, width // 2
  local function column(x, first, last, step)
    local list = {}
    for y = first, last, step do list[#list + 1] = locals[y * width + x + 1] end
    return column_order.fold(pattern or "drain", list, combine)
  end
  local function side(first, last, step, top, bottom, down)
    local sum = column(first, top, bottom, down)
    for x = first + step, last, step do sum = combine(sum, column(x, top, bottom, down)) end
    return sum
  end
  local total = side(inner, width - 1, 1, half - 1, 0, -1)
  total = combine(total, side(inner - 1, 0, -1, half - 1, 0, -1))
  total = combine(total, side(inner, width - 1, 1, half, height - 1, 1))
  return combine(total, side(inner - 1, 0, -1, half, height - 1, 1))
end

return reduction_order

-- Where the roles are: width x height workers, three rows between their halves. Coordinates of
-- workers leave the middle rows out; those of PEs count them. Formulas are texts over x and y.
local format = string.format

local geometry = {}

local kRows = 3  -- reduction, control, reduction

-- {width, height, half, columns of M and E, rows, response PEs in the order of their drain, pattern of
-- the columns of a reduction (kernels/column_order.lua), the PE (left, top) of the wafer where it begins}
function geometry.of(width, height, response, pattern)
  local half, merge = height // 2, width // 2 - 1
  local g = {width = width, height = height, half = half, grid_height = height + kRows,
             merge = merge, executive = merge + 1, upper = half, control = half + 1,
             lower = half + 2, sides = response // 2, response = {},
             left = 0, top = 0, pattern = pattern or "drain"}
  for k = 1, response do  -- right, left, from the inside out
    local out = (k + 1) // 2
    g.response[k] = {x = k % 2 == 1 and g.executive + out or merge - out, right = k % 2 == 1,
                     outermost = out == response // 2}
  end
  -- the worker's row as a formula of y
  g.row = format("(y < %d ? y : y - %d)", half, kRows)
  return g
end

-- The PE of the worker (x, y).
function geometry.pe(g, x, y) return x, y < g.half and y or y + kRows end

-- The worker's row of a PE's row, nil in the middle.
function geometry.worker_row(g, y)
  if y < g.half then return y end
  if y >= g.half + kRows then return y - kRows end
end

return geometry

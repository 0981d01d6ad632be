-- The values of a heat map: a list of columns * rows cells, false where there is none. More
-- than 256 cells in a direction are averaged down, in squares of `block` x `block` PEs.
local host = require "wse.host"
local type, tostring, format = type, tostring, string.format
local abs, max, min, huge, math_type = math.abs, math.max, math.min, math.huge, math.type

local cells = {most = 256}

local kSmall <const> = 2.0 ^ -100

local function fail(text, ...) host.raise(format("wse.heat_map: " .. text, ...)) end

local function number_of(value, x, y)
  if value == nil or value == false then return false end
  if type(value) ~= "number" then
    fail("the value of (%d, %d) is '%s'; a number is wanted, or nil", x, y, tostring(value))
  end
  value = value + 0.0
  if value ~= value or abs(value) == huge then return false end
  return abs(value) < 1e-300 and 0.0 or value
end

local function from_function(given)
  local value, x0, y0 = given.values, given.x0 or 0, given.y0 or 0
  if given.width == nil or given.height == nil then
    fail("with a function the fields 'width' and 'height' say how many PEs there are")
  end
  if given.width < 1 or given.height < 1 or given.width * given.height > 4000000 then
    fail("%d x %d PEs cannot be drawn", given.width, given.height)
  end
  return {x0 = x0, y0 = y0, width = given.width, height = given.height,
          at = function(x, y) return value(x + x0, y + y0) end}
end

local function from_array(given)
  local array, element = given.values, given.element or 0
  if element < 0 or element >= array.count then
    fail("element = %d; the array has %d in each PE, from 0 on", element, array.count)
  end
  local width, count = array.width, array.count
  return {x0 = array.x0, y0 = array.y0, width = width, height = array.height,
          at = function(x, y) return array[(y * width + x) * count + element + 1] end}
end

local function from_rows(given)
  local rows, width = given.values, 0
  if #rows == 0 then fail("field 'values' is empty; there is nothing to draw") end
  for y = 1, #rows do
    if type(rows[y]) ~= "table" then
      fail("values[%d] is a %s; rows of numbers are wanted, {{1, 2}, {3, 4}}", y, type(rows[y]))
    end
    if y == 1 then width = #rows[1] end
    if #rows[y] ~= width then
      fail("values[%d] has %d values, values[1] has %d; rows have the same length, and a value that "
           .. "is missing is false", y, #rows[y], width)
    end
  end
  if width == 0 then fail("the rows of 'values' are empty; there is nothing to draw") end
  return {x0 = given.x0 or 0, y0 = given.y0 or 0, width = width, height = #rows,
          at = function(x, y) return rows[y + 1][x + 1] end}
end

local function source_of(given)
  local values = given.values
  if type(values) == "function" then return from_function(given) end
  if math_type(values.count) and math_type(values.width) then return from_array(given) end
  return from_rows(given)
end

-- The mean of the numbers of a square; false if it has none.
local function mean(source, column, row, block)
  local sum, small_sum, count = 0.0, 0.0, 0  -- the second does not overflow
  for y = row * block, min(row * block + block, source.height) - 1 do
    for x = column * block, min(column * block + block, source.width) - 1 do
      local value = number_of(source.at(x, y), x + source.x0, y + source.y0)
      if value then
        sum, small_sum, count = sum + value, small_sum + value * kSmall, count + 1
      end
    end
  end
  if count == 0 then return false end
  return abs(sum) < huge and sum / count or small_sum / count / kSmall
end

function cells.of(given)
  local source = source_of(given)
  local block = -(-max(source.width, source.height) // cells.most)
  local grid = {x0 = source.x0, y0 = source.y0, width = source.width, height = source.height,
                block = block, columns = -(-source.width // block),
                rows = -(-source.height // block)}
  for row = 0, grid.rows - 1 do
    for column = 0, grid.columns - 1 do grid[#grid + 1] = mean(source, column, row, block) end
  end
  return grid
end

return cells

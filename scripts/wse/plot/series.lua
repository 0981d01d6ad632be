-- The series of a plot: lists of points with a name, from the rows of a table or from lines.
-- A point without a place (missing, nan, infinite, not above 0 on a log axis, outside a given
-- range) is false: there the line has a gap, and the legend says how many were left out.
local host = require "wse.host"
local fields = require "wse.plot.fields"
local type, ipairs, tostring, format = type, ipairs, tostring, string.format
local math_type, abs, huge, sort, insert = math.type, math.abs, math.huge, table.sort, table.insert

local series = {}

local function fail(text, ...) host.raise(format("wse.plot: " .. text, ...)) end

local function has_place(value, options, axis)
  value = value + 0.0
  if value ~= value or abs(value) == huge then return false end
  if options.log[axis] and value < 1e-300 then return false end
  local range = options.range[axis]
  return range == nil or (value >= range[1] and value <= range[2])
end

-- As a float; what is too small for differences of such numbers is 0.
local function float(value) return abs(value) < 1e-300 and 0.0 or value + 0.0 end

-- The ends of what a result may be: `off` is nothing, a number, or {below, above}.
local function ends_of(what, y, off)
  if off == nil or off == "" then return nil end
  local below, above = off, off
  if type(off) == "table" then below, above = off[1], off[2] end
  local fits = type(below) == "number" and type(above) == "number" and below >= 0 and above >= 0 and
               below < huge and above < huge
  if not fits then fail("%s: an error is a number of at least 0, or {below, above}", what) end
  return y - below, y + above
end

-- Adds a point to `line`; x and y are numbers, y may be missing (nil or ""); `off`: its error.
local function add_point(line, x, y, options, off)
  if y == nil or y == "" then y = 0.0 / 0.0 end
  if has_place(x, options, "x") and has_place(y, options, "y") then
    insert(line.points, {float(x), float(y), ends_of(line.name or "errors", y, off)})
    line.count = line.count + 1
  else
    insert(line.points, false)
    line.missing = line.missing + 1
  end
end

local function new_line(name, dashed, marks)
  return {name = name, points = {}, count = 0, missing = 0, dashed = dashed, marks = marks}
end

local function check_column(rows, column)
  local known = {}
  for _, row in ipairs(rows) do
    if row[column] ~= nil then return end
    for name in pairs(row) do known[name] = true end
  end
  fail("no row has the column '%s'; there are %s", column, fields.sorted_names(known))
end

local function check_rows(rows)
  if #rows == 0 then fail("field 'rows' is empty; there is nothing to draw") end
  for k, row in ipairs(rows) do
    if type(row) ~= "table" then
      fail("rows[%d] is a %s; a table like {P = 4, cycles = 30} is wanted", k, type(row))
    end
  end
end

local function number_of(row, k, column)
  local value = row[column]
  if type(value) ~= "number" then
    if value == nil then fail("rows[%d] has no '%s'", k, column) end
    fail("rows[%d].%s is '%s'; a number is wanted", k, column, tostring(value))
  end
  return value
end

-- A row without a result leaves a gap; one whose result is a word is a mistake.
local function result_of(row, k, column)
  if row[column] == nil or row[column] == "" then return nil end
  return number_of(row, k, column)
end

-- Numbers ascend, then the other values by their texts.
local function before(a, b)
  if type(a) == "number" and type(b) == "number" then return a < b end
  if type(a) ~= type(b) then return type(a) == "number" end
  return tostring(a) < tostring(b)
end

local function distinct(rows, column)
  if column == nil then return {false} end
  check_column(rows, column)
  local values, seen = {}, {}
  for k, row in ipairs(rows) do
    local value = row[column]
    if value == nil or value ~= value then fail("rows[%d] has no '%s'", k, column) end
    if not seen[value] then
      seen[value] = true
      values[#values + 1] = value
    end
  end
  sort(values, before)
  return values
end

local function shown(value)
  if math_type(value) == "float" then return format("%.10g", value) end
  return tostring(value)
end

local function name_of(given, value, column, columns)
  local text = given.series and format("%s = %s", given.series, shown(value)) or column
  if given.series and columns > 1 then text = text .. ", " .. column end
  return text
end

local function of_value(given, value, column, options)
  local picked = {}
  for k, row in ipairs(given.rows) do
    if given.series == nil or row[given.series] == value then
      local off = given.errors and row[given.errors]
      picked[#picked + 1] = {number_of(row, k, given.x), result_of(row, k, column), k, off}
    end
  end
  sort(picked, function(a, b)
    if a[1] ~= b[1] then return a[1] < b[1] end
    return a[3] < b[3]
  end)
  local line = new_line()
  for _, point in ipairs(picked) do add_point(line, point[1], point[2], options, point[4]) end
  return line
end

local function columns_of(given)
  local y = given.y
  if type(y) ~= "table" then return {y} end
  for k, column in ipairs(y) do
    if type(column) ~= "string" then fail("y[%d] is no name of a column", k) end
  end
  return y
end

local function from_rows(given, options)
  if given.x == nil or given.y == nil then
    fail("with 'rows' the fields 'x' and 'y' name the columns to draw")
  end
  check_rows(given.rows)
  check_column(given.rows, given.x)
  if given.errors then check_column(given.rows, given.errors) end
  local lines, columns = {}, columns_of(given)
  for nth, column in ipairs(columns) do
    check_column(given.rows, column)
    for number, value in ipairs(distinct(given.rows, given.series)) do
      local line = of_value(given, value, column, options)
      line.name = name_of(given, value, column, #columns)
      if given.series then line.number, line.dashed = number, nth > 1 end
      lines[#lines + 1] = line
    end
  end
  return lines
end

local kLineFields = {name = "string", x = "table", y = "table", dashed = "boolean",
                     marks = "boolean", line = "boolean", listed = "boolean", number = "integer",
                     bars = "boolean", errors = "table"}

-- How it is drawn: `number` and `line` as in new_line, `listed` says whether the legend has it.
local function look_of(what, given)
  if given.line == false and given.marks == false then
    fail("%s has neither a line nor marks; nothing could be seen", what)
  end
  if given.number and given.number < 1 then
    fail("%s: number = %d; looks count from 1", what, given.number)
  end
  return given.number, given.line, given.listed
end

local function from_line(k, given, options)
  local what = format("wse.plot: lines[%d]", k)
  fields.check(what, given, kLineFields)
  local x, y = given.x, given.y
  if x == nil or y == nil then
    fail("lines[%d] lacks x or y; two lists of numbers are wanted", k)
  end
  local line = new_line(given.name or format("line %d", k), given.dashed, given.marks)
  line.bars = given.bars
  line.number, line.line, line.listed = look_of(format("lines[%d]", k), given)
  for i = 1, #x do
    if type(x[i]) ~= "number" or (y[i] ~= nil and type(y[i]) ~= "number") then
      fail("lines[%d]: point %d is (%s, %s); numbers are wanted", k, i, tostring(x[i]),
           tostring(y[i]))
    end
    add_point(line, x[i], y[i], options, given.errors and given.errors[i])
  end
  if #y > #x then fail("lines[%d] has %d values of x and %d of y", k, #x, #y) end
  return line
end

-- Lines of one value share their `number`, and so their colour; of `lines` the shape as well.
-- options: log = {x =, y =}, range = {x =, y =}.
function series.of(given, options)
  if (given.rows == nil) == (given.lines == nil) then
    fail("exactly one of the fields 'rows' and 'lines' is wanted")
  end
  if given.rows then return from_rows(given, options) end
  if given.errors then fail("field 'errors' goes with 'rows'; a line has a list of its own") end
  if given.series then fail("field 'series' goes with 'rows'; 'lines' are series already") end
  local lines = {}
  for k, line in ipairs(given.lines) do lines[k] = from_line(k, line, options) end
  if #lines == 0 then fail("field 'lines' is empty; there is nothing to draw") end
  return lines
end

return series

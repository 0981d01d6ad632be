-- The initial values of fields and parameters: a number, a list for each z, a function of the cell, or the
-- columns of a .npy file. All become functions of (x, y, z). Must know nothing of equations.
local check = require "wse.layout.check"
local files = require "stencil.lang.files"
local host = require "wse.host"
local format, type, math_type = string.format, type, math.type

local values = {}

local function finite(call, what, value)
  if type(value) ~= "number" or value ~= value or value == math.huge or value == -math.huge then
    check.wanted(call, what, "a finite number", value)
  end
  return value
end

local function of_list(call, what, list, grid)
  local nz = grid.sizes[3]
  if not nz then host.raise(format("%s: %s is a list, one number for each z; the grid has no axis z", call, what)) end
  if #list ~= nz then
    host.raise(format("%s: %s has %d numbers; one for each z is wanted, %d", call, what, #list, nz))
  end
  for k, value in ipairs(list) do finite(call, format("%s[%d]", what, k), value) end
  return function(_, _, z) return list[z + 1] end
end

-- The function is called when a run begins: a message names the line that gave it.
local function of_function(call, what, f)
  local line = check.line()
  return function(x, y, z)
    local value = f(x, y, z)
    if math_type(value) == "float" and value - value == 0.0 or math_type(value) == "integer" then return value end
    finite(call, format("%s of cell %d, %d, %d (%s)", what, x, y, z, line), value)
  end
end

-- Returns a function of (x, y, z), and the number itself if it is the same everywhere.
function values.of(call, what, value, grid)
  if type(value) == "number" then
    finite(call, what, value)
    return function() return value end, value
  end
  if type(value) == "string" then return files.read(call, what, value, grid:extents()) end
  if type(value) == "function" then return of_function(call, what, value) end
  if type(value) == "table" and getmetatable(value) == nil then return of_list(call, what, value, grid) end
  check.wanted(call, what, "a number, a list for each z, a function of x, y, z or a file", value)
end

-- Returns a function of the step 0, 1, ..., from a function or a list, after whose end nothing comes.
function values.of_steps(call, value)
  if type(value) == "function" then
    return function(step) return finite(call, format("the value of step %d", step), value(step)) end
  end
  if type(value) ~= "table" then check.wanted(call, "values", "a function of the step 0, 1, ... or a list", value) end
  for k, number in ipairs(value) do finite(call, format("values[%d]", k), number) end
  return function(step) return value[step + 1] or 0.0 end
end

return values

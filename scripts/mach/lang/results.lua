-- Results of a run: arrays and values of a program as they are at its end, in worker coordinates.
local host = require "wse.host"
local format, tostring, ipairs, setmetatable = string.format, tostring, ipairs, setmetatable
local math_type = math.type

local Array = {__metatable = false}
Array.__index = Array

local function position(self, name, value, extent)
  if math_type(value) ~= "integer" or value < 0 or value >= extent then
    host.raise(format("%s: %s = %s is beyond the array, 0 to %d", self.name, name, tostring(value),
                      extent - 1))
  end
  return value
end

-- The element at worker (x, y), and at i, j, ... of its memory; what is left out is 0.
function Array:at(x, y, ...)
  local at = position(self, "y", y, self.height) * self.width + position(self, "x", x, self.width)
  local given = {...}
  for k, extent in ipairs(self.extents) do
    at = at * extent + position(self, format("position %d", k + 2), given[k] or 0, extent)
  end
  return self[at + 1]
end

local Result = {__metatable = false}
Result.__index = Result

local function output(self, name, classes, call)
  local value = self.names[name]
  if not value or not classes[value.class] then
    host.raise(format("r:%s: the program has no %s '%s'", call,
                      call == "array" and "LA, LS or GA" or "GS or ULS", tostring(name)))
  end
  if not value.output then
    host.raise(format("r:%s: %s is no output, so others may have used its memory; p:output names "
                      .. "the outputs", call, name))
  end
  return value
end

local Cells = {__metatable = false}
Cells.__index = Cells

-- The element of cell (X, Y) at i, j, ... of its memory; what is left out is 0.
function Cells:at(X, Y, ...)
  local array = self.array
  local i, j = position(array, "X", X, array.width * self[1]), position(array, "Y", Y, array.height * self[2])
  return array:at(i // self[1], j // self[2], i % self[1], j % self[2], ...)
end

-- An LA or LS, flat in C order with at(x, y, i, ...), a GA as a list, or a CA with at(X, Y, i, ...).
function Result:array(name)
  local value = output(self, name, {LA = true, LS = true, GA = true}, "array")
  local array = {}
  for k, element in ipairs(self.cells[value]) do array[k] = element end
  if value.class == "GA" then return array end
  array.name, array.type, array.extents = name, value.type, value.extents
  array.width, array.height, array.count = self.width, self.height, value.size
  setmetatable(array, Array)
  return value.cells and setmetatable({value.cells[1], value.cells[2], array = array}, Cells) or array
end

-- A GS or ULS.
function Result:value(name)
  return self.cells[output(self, name, {GS = true, ULS = true}, "value")][1]
end

local results = {}

-- `cells`: the elements of each value.
function results.make(program, cells, user)
  return setmetatable({names = program.names, cells = cells, width = program.width,
                       height = program.height, user = user}, Result)
end

return results

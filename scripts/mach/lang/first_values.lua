-- First values of objects: what a user gives, as flat lists in C order, worker by worker.
-- Numbers are those of the type; a value that does not fit is told where the object is made.
local host = require "wse.host"
local types = require "mach.lang.types"
local format, type = string.format, type

local first_values = {}

local function of_function(value, width, height, give)
  local list, extents = {}, value.extents
  local place, rank = {0, 0, 0, 0}, #extents
  for y = 0, height - 1 do
    for x = 0, width - 1 do
      for k = 1, rank do place[k] = 0 end
      for _ = 1, value.size do
        local number = give(x, y, table.unpack(place, 1, rank))
        list[#list + 1] = types.number(format("%s at (%d, %d)", value.name, x, y), number, value.type)
        for k = rank, 1, -1 do
          place[k] = place[k] + 1
          if place[k] < extents[k] then break end
          place[k] = 0
        end
      end
    end
  end
  return list
end

local function filled(count, number)
  local list = {}
  for k = 1, count do list[k] = number end
  return list
end

-- The list for `count` workers of `value`: from a number, a function of (x, y, i, ...) or a flat
-- table; nil gives zeros.
function first_values.of(value, width, height, given)
  local count = width * height * value.size
  if given == nil then return filled(count, value.type == "i32" and 0 or 0.0) end
  if type(given) == "number" then
    return filled(count, types.number(value.name, given, value.type))
  end
  if type(given) == "function" then return of_function(value, width, height, given) end
  if type(given) ~= "table" then
    host.raise(format("%s: first values are a %s; a number, a function or a flat table is wanted",
                      value.name, type(given)))
  end
  if #given ~= count then
    host.raise(format("%s has %d elements, but %d first values are given", value.name, count,
                      #given))
  end
  local list = {}
  for k = 1, count do
    list[k] = types.number(format("%s, first value %d", value.name, k), given[k], value.type)
  end
  return list
end

return first_values

-- Gather and scatter of a program: p:take and p:put, checked at the user's line.
local emit = require "mach.lang.emit"
local expression = require "mach.lang.expression"
local host = require "wse.host"
local objects = require "mach.lang.objects"
local slice = require "mach.lang.slice"
local types = require "mach.lang.types"
local format = string.format

local indexed, methods = {}, {}

local function checked(call, array, index)
  local access = objects.access(call, array)
  if not access or #access.memory == 0 or access.length then
    host.raise(call .. ": the array is an LA or a slice of one")
  end
  index = expression.of(call .. ": the index", index)
  if index.type ~= "i32" or not index.shape or index.shape.x ~= access.x.count
     or index.shape.y ~= access.y.count then
    host.raise(format("%s: the index is an LA or LS of type i32 on %d x %d workers, as the array",
                      call, access.x.count, access.y.count))
  end
  if slice.count(access.memory) == 0 and not expression.is_empty(index.shape) then
    host.raise(call .. ": the slice of the array is empty, so no index has an element")
  end
  return access, index
end

-- On each worker the elements of `array` at `index`, counted in the slice, from 0.
function methods:take(array, index)
  local access, at = checked("p:take", array, index)
  return expression.make{kind = "take", operands = {expression.of("p:take", array), at},
                         type = access.type, shape = at.shape, level = "workers"}
end

-- array[index] = values on each worker, in the order of the index; of equal ones the last one stays.
function methods:put(array, index, values)
  local access, at = checked("p:put", array, index)
  values = expression.of("p:put: the values", values)
  if values.kind == "number" then
    values = expression.make{kind = "number", level = "number", type = access.type,
                             number = types.number("p:put", values.number, access.type)}
  end
  if values.type ~= access.type then
    host.raise(format("p:put: the array is %s, but the values are %s", access.type, values.type))
  end
  if not expression.fits(values.shape, at.shape) then
    host.raise(format("p:put: the index is %s, but the values are %s",
                      expression.shape_text(at.shape), expression.shape_text(values.shape)))
  end
  emit.put(self.graph, access, at, values)
end

-- Adds both functions to a class of programs.
function indexed.add_to(class)
  for name, method in pairs(methods) do class[name] = method end
end

return indexed

-- The types of elements and the operations of a reduction: instructions, bytes, how Lua computes
-- the same, and numbers that every type holds exactly.
local host = require "wse.host"
local format = string.format

local elements = {}

-- move: the instruction that copies; add, max, min, mul: those that combine. `step`: random numbers are
-- multiples of it in [-1, 1], such that the partial sums of some thousand stay exact in f32.
local types = {
  f32 = {bytes = 4, move = "fmovs", add = "fadds", max = "fmaxs", min = "fmins", mul = "fmuls",
         step = 1 / 1024},
  f16 = {bytes = 2, move = "fmovh", add = "faddh", max = "fmaxh", min = "fminh", mul = "fmulh",
         step = 1 / 16},
  i32 = {bytes = 4, move = "mov32", add = "add32", max = "max32", min = "min32", mul = "mul32",
         step = 1},
}

-- Returns the instructions of a type: {name =, bytes =, move =, add =, max =, min =, mul =}.
function elements.instructions(call, type_name)
  local row = types[type_name]
  if not row then
    host.raise(format("%s: type = %s: f32, f16 or i32 is wanted", call, tostring(type_name)))
  end
  row.name = type_name
  return row
end

-- By name the operation that a reduction applies to two numbers, in double precision.
local operations = {add = function(a, b) return a + b end, max = math.max, min = math.min}

-- {name =, bytes =, step =, move = and combine = instructions, combined = what that makes in Lua}
function elements.of(type_name, operation)
  local row = types[type_name]
  if not row then
    host.raise(format("type = %s: f32, f16 or i32 is wanted", tostring(type_name)))
  end
  if not operations[operation] then
    host.raise(format("op = %s: add, max or min is wanted", tostring(operation)))
  end
  return {name = type_name, bytes = row.bytes, move = row.move, combine = row[operation],
          step = row.step, combined = operations[operation]}
end

return elements

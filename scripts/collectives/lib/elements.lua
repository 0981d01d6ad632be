-- The types of elements and the operations of a reduction: instructions, bytes, how Lua computes
-- the same, and numbers that every type holds exactly.
local host = require "wse.host"
local format = string.format

local elements = {}

-- move: the instruction that copies; add, max, min: those that combine. `step`: random numbers are
-- multiples of it in [-1, 1], such that the partial sums of some thousand stay exact in f32.
local types = {
  f32 = {bytes = 4, move = "fmovs", add = "fadds", max = "fmaxs", min = "fmins", step = 1 / 1024},
  f16 = {bytes = 2, move = "fmovh", add = "faddh", max = "fmaxh", min = "fminh", step = 1 / 16},
  i32 = {bytes = 4, move = "mov32", add = "add32", max = "max32", min = "min32", step = 1},
}

local max, min = math.max, math.min

-- What a reduction makes, in double precision. start: the result of nothing. fold: combines into the
-- result (from 0) the vector of `count` PEs, the B numbers from `first` on, round and round.
local operations = {
  add = {start = 0, fold = function(result, numbers, first, mask, count, B)
    for i = 0, B - 1 do result[i] = result[i] + count * numbers[(first + i) & mask] end
  end},
  max = {start = -math.huge, fold = function(result, numbers, first, mask, _, B)
    for i = 0, B - 1 do result[i] = max(result[i], numbers[(first + i) & mask]) end
  end},
  min = {start = math.huge, fold = function(result, numbers, first, mask, _, B)
    for i = 0, B - 1 do result[i] = min(result[i], numbers[(first + i) & mask]) end
  end},
}

-- {name =, bytes =, step =, move = and combine = instructions, operation = {start, fold}}
function elements.of(type_name, operation)
  local row = types[type_name]
  if not row then
    host.raise(format("type = %s: f32, f16 or i32 is wanted", tostring(type_name)))
  end
  if not operations[operation] then
    host.raise(format("op = %s: add, max or min is wanted", tostring(operation)))
  end
  return {name = type_name, bytes = row.bytes, move = row.move, combine = row[operation],
          step = row.step, operation = operations[operation]}
end

return elements

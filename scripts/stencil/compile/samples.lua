-- The values of a source as a PE holds them: those up to the last one that is not 0 as f32.
local plain = require "stencil.reference.plain"

local samples = {}

-- Returns the list of them for a run of so many steps; it is computed once.
function samples.of(injection, steps)
  local held = injection.held
  if held and held.steps == steps then return held.list end
  local list, last = {}, 0
  for k = 1, steps do
    list[k] = injection.value(k - 1) + 0.0
    if plain.as_float(list[k]) ~= 0 then last = k end
  end
  injection.held = {steps = steps, list = table.move(list, 1, last, 1, {})}
  return injection.held.list
end

-- Returns for each list of values of one PE the number of the first one that is equal: the PE holds it once.
function samples.shared(lists)
  local first = {}
  local function are_equal(one, other)
    for k = 1, math.max(#one, #other) do
      if one[k] ~= other[k] then return false end
    end
    return true
  end
  for k, list in ipairs(lists) do
    first[k] = k
    for j = k - 1, 1, -1 do
      if are_equal(list, lists[j]) then first[k] = j end
    end
  end
  return first
end

return samples

-- Which half of 8 bytes an array begins in. An instruction reads two arrays in one cycle only if they
-- begin in different banks, and the banks of 32-bit elements repeat every 8 bytes: so sources that
-- are read together get different halves, where the slices let them. Costs at most 4 bytes each.
local graph = require "mach.lang.graph"
local slice = require "mach.lang.slice"
local types = require "mach.lang.types"
local ipairs, pairs = ipairs, pairs

local banks = {}

local function is_array(access)
  return access.kind == "memory" and access.value.size > 1 and types[access.value.type].bytes == 4
         and slice.count(access.memory) > 1
end

-- Pairs of arrays that one instruction reads, with the difference of halves that suits it.
local function wishes_of(program_graph)
  local wishes = {}
  local function wish(value, other, difference)
    wishes[value] = wishes[value] or {}
    local list = wishes[value]
    list[#list + 1] = {other = other, difference = difference}
  end
  graph.each(program_graph.root, function(node)
    for _, step in ipairs(node.steps or {node}) do
      local a, b = step.sources and step.sources[1], step.sources and step.sources[2]
      if a and b and is_array(a) and is_array(b) and a.value ~= b.value and step.op ~= "take" then
        local difference = (slice.places(a.memory, a.value.extents)
                            + slice.places(b.memory, b.value.extents) + 1) % 2
        wish(a.value, b.value, difference)
        wish(b.value, a.value, difference)
      end
    end
  end)
  return wishes
end

-- The half, 0 or 1, of each array that has a wish: what suits most of those that have one already.
function banks.choose(program_graph)
  local wishes, chosen = wishes_of(program_graph), {}
  for _, value in ipairs(program_graph.values) do
    if wishes[value] then
      local votes = {[0] = 0, [1] = 0}
      for _, wish in pairs(wishes[value]) do
        local other = chosen[wish.other]
        if other then
          local half = (other + wish.difference) % 2
          votes[half] = votes[half] + 1
        end
      end
      chosen[value] = votes[1] > votes[0] and 1 or 0
    end
  end
  return chosen
end

return banks

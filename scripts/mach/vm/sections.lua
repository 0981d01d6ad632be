-- A section, the calls between two statements of control flow, as two vectors of words, cut over the
-- response PEs in order: parts differ by one word at most, long ones first.
local sections = {}

-- The part of PE k of n: {first, count}, counted from 0.
function sections.part(words, k, n)
  local share, rest = words // n, words % n
  local before = (k - 1) * share + math.min(k - 1, rest)
  return before, share + (k <= rest and 1 or 0)
end

-- Of every response PE: {control = words, arguments = words, control_first/control_count = tables by
-- section, ..., places = those of immediates}. `list`: sections {control = {...}, arguments = {...},
-- immediates = {index of an argument, ...}}.
function sections.cut(list, n)
  local parts = {}
  for k = 1, n do
    local part = {control = {}, arguments = {}, control_first = {}, control_count = {},
                  arguments_first = {}, arguments_count = {}, immediate_first = {},
                  immediate_count = {}, places = {}}
    for s, section in ipairs(list) do
      for _, what in ipairs{"control", "arguments"} do
        local before, count = sections.part(#section[what], k, n)
        part[what .. "_first"][s], part[what .. "_count"][s] = #part[what], count
        for j = 1, count do
          table.insert(part[what], section[what][before + j])
        end
      end
      local before = sections.part(#section.arguments, k, n)
      part.immediate_first[s], part.immediate_count[s] = #part.places, #section.immediates
      for _, index in ipairs(section.immediates) do  -- index from 1; others' values go to waste
        local own = index - 1 - before
        local mine = own >= 0 and own < part.arguments_count[s]
        table.insert(part.places, mine and part.arguments_first[s] + own or -1)
      end
    end
    for j, place in ipairs(part.places) do
      if place < 0 then part.places[j] = #part.arguments end
    end
    parts[k] = part
  end
  return parts
end

return sections

-- Patterns of messages on a grid, who sends to whom: each PE at most one; none goes to itself.
local random = require "mach.lib.random"

local patterns = {names = {"random", "permutation", "transpose", "all-to-one"}}

local makers = {}

function makers.random(o, source)
  local others = o.width * o.height - 1
  return function(place)
    local to = source:integer(0, others - 1)
    return to < place and to or to + 1
  end
end

function makers.permutation(o, source)
  local list = {}
  for k = 0, o.width * o.height - 1 do list[k] = k end
  for k = #list, 1, -1 do
    local other = source:integer(0, k)
    list[k], list[other] = list[other], list[k]
  end
  return function(place) return list[place] end
end

-- (x, y) to (y, x); where the grid has no such PE, as far as it goes.
function makers.transpose(o)
  return function(place)
    local x, y = place % o.width, place // o.width
    return math.min(x, o.height - 1) * o.width + math.min(y, o.width - 1)
  end
end

makers["all-to-one"] = function(o, source)
  local one = source:integer(0, o.width * o.height - 1)
  return function() return one end
end

-- The first word of a message says where it comes from and how long it is, the others who and which.
local function words_of(place, length)
  local words = {place << 8 | length}
  for k = 2, length do words[k] = (place * 0x9e3779b1 + k * 0x85ebca6b) & 0xffffffff end
  return words
end
patterns.words_of = words_of

-- The messages {from, to, words, by_control} of o: width, height, pattern, length (0: ended by a
-- control wavelet, of 1 to 60 words), seed.
function patterns.messages(o)
  local source = random.source(o.seed)
  local target = makers[o.pattern](o, source)
  local list = {}
  for place = 0, o.width * o.height - 1 do
    local to = target(place)
    local length = o.length > 0 and o.length or source:integer(1, 60)
    if to ~= place then
      list[#list + 1] = {from = {place % o.width, place // o.width},
                         to = {to % o.width, to // o.width}, words = words_of(place, length),
                         by_control = o.length == 0}
    end
  end
  return list
end

return patterns

-- Random input of a collective, the same on every host, and what a reduce makes of it.
--
-- Every PE has a window of one list of 16384 random numbers; its place is that of no other PE, as
-- long as there are at most 16384. So the windows of a quarter of a million PEs are one list and a
-- place for each, and their sum takes no step per PE and word: `expected`.
local input = {}

local kNumbers = 16384
local kMask = kNumbers - 1
local kStride = 40503  -- odd: windows of different PEs begin at different places

-- SplitMix64 (Steele, Lea, Flood 2014) on Lua's 64-bit integers.
local function generator(seed)
  local state = seed
  return function()
    state = state + 0x9E3779B97F4A7C15
    local z = state
    z = (z ~ (z >> 30)) * 0xBF58476D1CE4E5B9
    z = (z ~ (z >> 27)) * 0x94D049BB133111EB
    return z ~ (z >> 31)
  end
end

-- Multiples of the element's step in [-1, 1]; of i32 integers in [-1024, 1024].
local function numbers_of(seed, element)
  local next_word, numbers = generator(seed), {}
  local span = math.tointeger(1 / element.step)
  if element.name == "i32" then span = 1024 end
  for k = 0, kMask do
    local integer = (next_word() >> 11) % (2 * span + 1) - span
    numbers[k] = element.name == "i32" and integer or integer * element.step
  end
  return numbers
end

-- Returns what `count` PEs make of each number i: numbers[(pe * kStride + i) & kMask] of pe = 0 .. count - 1,
-- combined. In steps of kStride the numbers are c[k] = numbers[k * kStride & kMask]; that is a run of
-- `count` of them from the place on at which number i is. A run is put together from runs of powers of two,
-- as `count` is, which are put together from the ones before:
--     count = 6:   c  c  c  c  c  c  c  c        runs of 1
--                  [  2 ][      4      ]         from the place of i on
-- All sums are exact, so their order does not matter.
local function combined(numbers, count, B, combine)
  local runs, place = {}, {}
  for k = 0, kMask do
    local i = k * kStride & kMask
    runs[k], place[i] = numbers[i], k
  end
  local result, length = {}, 1
  while true do
    if count & length ~= 0 then
      for i = 0, B - 1 do
        local at = (place[i & kMask] + (count & (length - 1))) & kMask
        result[i] = result[i] and combine(result[i], runs[at]) or runs[at]
      end
    end
    if 2 * length > count then return result end
    local longer = {}
    for k = 0, kMask do longer[k] = combine(runs[k], runs[(k + length) & kMask]) end
    runs, length = longer, 2 * length
  end
end

-- Returns the same, combined one PE after the other.
local function combined_in_turn(numbers, count, B, combine)
  local result = {}
  for i = 0, B - 1 do
    local sum = numbers[i & kMask]
    for pe = 1, count - 1 do sum = combine(sum, numbers[(pe * kStride + i) & kMask]) end
    result[i] = sum
  end
  return result
end

-- The input of a grid: `value(x, y, i)`; `given(B)`, the same B numbers of each PE as wse.run takes
-- them; and `expected(B)`, the reduced vector, from 0.
function input.make(width, height, seed, element)
  local numbers = numbers_of(seed, element)
  local self = {}

  -- Then each is made by itself, which is less than what all numbers cost.
  local function are_few(B) return width * height * B < kNumbers end

  function self.value(x, y, i)
    return numbers[((y * width + x) * kStride + i) & kMask]
  end

  function self.given(B)
    if are_few(B) then return self.value end
    local list = {}
    for k = 0, kMask + B - 1 do list[k + 1] = numbers[k & kMask] end
    local function first(x, y) return ((y * width + x) * kStride & kMask) + 1 end
    return {list = list, first = first}
  end

  function self.expected(B)
    local way = are_few(B) and combined_in_turn or combined
    return way(numbers, width * height, B, element.combined)
  end

  return self
end

return input

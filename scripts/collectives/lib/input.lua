-- Random input of a collective, the same on every host, and what a reduce makes of it.
--
-- Every PE has a window of one list of 16384 random numbers; its place is that of no other PE, as
-- long as there are at most 16384. So the result of a quarter of a million PEs is computed
-- from 16384 windows.
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

-- The input of a grid: `value(x, y, i)`, and `expected(B)`, the reduced vector, from 0.
function input.make(width, height, seed, element)
  local numbers = numbers_of(seed, element)
  local self = {}

  function self.value(x, y, i)
    return numbers[((y * width + x) * kStride + i) & kMask]
  end

  function self.expected(B)
    local times = {}
    for pe = 0, width * height - 1 do
      local window = pe * kStride & kMask
      times[window] = (times[window] or 0) + 1
    end
    local result = {}
    for i = 0, B - 1 do result[i] = element.operation.start end
    for window, count in pairs(times) do
      element.operation.fold(result, numbers, window, kMask, count, B)
    end
    return result
  end

  return self
end

return input

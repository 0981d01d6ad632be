-- In which order does mach add up? Said again here, worker by worker, with numbers of which every other
-- order gives another sum; and slices, lengths, types of reductions.
local mach = require "mach"
local types = require "mach.lang.types"
local random = require "mach.lang.random"
local round = types.f32.round

local state = 99
local function draw()
  state = random.next_state(state)
  return round((state / 2.0 ^ 31 - 1) * 2.0 ^ (state % 7))
end

-- Workers in the order in which a column, then a row of columns goes: from the middle outwards.
local function by_hand(own, width, height)
  local quarters = {}
  for _, upper in ipairs{true, false} do
    for _, right in ipairs{true, false} do
      local row
      for k = 0, width // 2 - 1 do
        local x, column = right and width // 2 + k or width // 2 - 1 - k, nil
        for j = 0, height // 2 - 1 do
          local y = upper and height // 2 - 1 - j or height // 2 + j
          column = column and round(column + own[y][x]) or own[y][x]
        end
        row = row and round(row + column) or column
      end
      quarters[#quarters + 1] = row
    end
  end
  return round(round(round(quarters[1] + quarters[2]) + quarters[3]) + quarters[4])
end

local differing = 0
for _, size in ipairs{{4, 2, 1}, {4, 4, 3}, {6, 2, 5}, {8, 6, 4}, {10, 8, 2}} do
  local width, height, n = table.unpack(size)
  local p = mach.program{width = width, height = height}
  local values, own, plain = {}, {}, 0.0
  for y = 0, height - 1 do
    own[y] = {}
    for x = 0, width - 1 do
      local sum = 0.0
      for i = 0, n - 1 do
        local value = draw()
        values[#values + 1] = value
        sum, plain = round(sum + value), round(plain + value)
      end
      own[y][x] = sum
    end
  end
  local a, s, t = p:LA("a", n, values), p:GS("s"), p:ULS("t")
  s:set(p:sum(a))
  t:set(p:sum(a))
  local result = p:run{}
  local wanted = by_hand(own, width, height)
  assert(result:value("s") == wanted and result:value("t") == wanted and result.user.differing_words == 0)
  if wanted ~= plain then differing = differing + 1 end
end
assert(differing >= 3, "the numbers tell no order")

-- Slices, lengths of each worker, integers that wrap, f16 in f32, extremes.
local p = mach.program{width = 6, height = 4}
local a = p:LA("a", 5, function(x, y, i) return 100 * x + 10 * y + i end)
local h = p:LA("h", 5, 2047, "f16")
local k = p:LS("k", function(x, y) return x - y end, "i32")
local big = p:LS("big", 1 << 30, "i32")
local names = {"part", "long", "low", "high", "halves", "empty"}
local s = {}
for _, name in ipairs(names) do s[name] = p:GS(name) end
local wrapped = p:GS("wrapped", 0, "i32")
s.part:set(p:sum(a["1:3, ::2, -1"]))
s.long:set(p:sum(a[":, :, :k"]))
s.low:set(p:min(a["2:, 1:, 1:"]))
s.high:set(p:max(-a))
s.halves:set(p:sum(h))
wrapped:set(p:sum(big))
s.empty:set(p:sum(a["0:1, :, :k"]) + 0)
local result = p:run{}
local part, long = 0, 0
for y = 0, 3 do
  for x = 0, 5 do
    for i = 0, 4 do
      if x >= 1 and x < 3 and y % 2 == 0 and i == 4 then part = part + 100 * x + 10 * y + i end
      if i < x - y then long = long + 100 * x + 10 * y + i end
    end
  end
end
assert(result:value("part") == part and result:value("long") == long)
assert(result:value("low") == 211 and result:value("high") == 0)
assert(result:value("halves") == 2047 * 5 * 24 and result:value("empty") == 0)
assert(result.user.differing_words == 0)
assert(result:value("wrapped") == types.wrap(24 << 30))
print("sums in the order of the machine")

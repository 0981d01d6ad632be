-- Regions against sets of PEs: random strided rectangles, their unions, differences, intersections.
local wse = require "wse"

local state = 12345
local function random(n) -- 0 .. n - 1
  state = (state * 1103515245 + 12345) % (1 << 31)
  return (state >> 8) % n
end

local function brute(w, keep)
  local set = {}
  for y = 0, w.height - 1 do
    for x = 0, w.width - 1 do set[y * w.width + x] = keep(x, y) or nil end
  end
  return set
end

-- The region holds exactly the set; each() walks it in the order of PEs, once; # counts it.
local function check(w, region, set, what)
  local last, count = -1, 0
  for x, y in region:each() do
    local index = y * w.width + x
    assert(math.type(x) == "integer" and math.type(y) == "integer")
    assert(index > last, what .. ": not in the order of PEs")
    assert(set[index], what .. ": one too many")
    last, count = index, count + 1
  end
  local wanted = 0
  for y = 0, w.height - 1 do
    for x = 0, w.width - 1 do
      local inside = set[y * w.width + x] == true
      assert(region:contains(x, y) == inside, what .. ": contains")
      if inside then wanted = wanted + 1 end
    end
  end
  assert(count == wanted and #region == wanted and region:count() == wanted, what .. ": count")
end

local function random_rectangle(w)
  local function range(n)
    local first = random(n)
    return first, first + random(n - first), 1 + random(5)
  end
  local x0, x1, dx = range(w.width)
  local y0, y1, dy = range(w.height)
  return w:rect({x0, x1, dx}, {y0, y1, dy}), brute(w, function(x, y)
    return x >= x0 and x <= x1 and (x - x0) % dx == 0 and y >= y0 and y <= y1 and (y - y0) % dy == 0
  end)
end

local operations = {
  {"+", function(a, b) return a + b end, function(a, b) return a or b end},
  {"-", function(a, b) return a - b end, function(a, b) return a and not b end},
  {"*", function(a, b) return a * b end, function(a, b) return a and b end},
}

local function random_region(w, depth)
  if depth == 0 then return random_rectangle(w) end
  local a, set_a = random_region(w, depth - 1)
  local b, set_b = random_region(w, depth - 1)
  local name, join, member = table.unpack(operations[1 + random(3)])
  local set = brute(w, function(x, y)
    local index = y * w.width + x
    return member(set_a[index], set_b[index]) and true
  end)
  local joined = join(a, b)
  check(w, joined, set, name)
  check(w, a, set_a, "a value has changed")
  return joined, set
end

for _ = 1, 120 do
  local w = wse.layout(1 + random(14), 1 + random(11))
  local region, set = random_rectangle(w)
  check(w, region, set, "rectangle")
  local again, set_again = random_region(w, 3)
  check(w, w:where(function(x, y) return set_again[y * w.width + x] end), set_again, "where")
  assert(again == w:where(function(x, y) return set_again[y * w.width + x] end))
end

-- What a layout begins with.
for _, size in ipairs{{1, 1}, {1, 5}, {5, 1}, {2, 2}, {7, 4}} do
  local w = wse.layout(size[1], size[2])
  check(w, w:all(), brute(w, function() return true end), "all")
  check(w, w:none(), {}, "none")
  check(w, w:border(), brute(w, function(x, y)
    return x == 0 or y == 0 or x == w.width - 1 or y == w.height - 1
  end), "border")
  for k = 0, 1 do
    check(w, w:checkerboard(k), brute(w, function(x, y) return (x + y) % 2 == k end), "board")
  end
  check(w, w:row(0), brute(w, function(_, y) return y == 0 end), "row")
  check(w, w:column({0, w.width - 1, 2}), brute(w, function(x) return x % 2 == 0 end), "columns")
  check(w, w:rect({3, 2}, 0), {}, "an empty range")
end

local w = wse.layout(755, 994)
assert(tostring(w:rect({0, 6, 2}, {0, 7})) == "(0..6 step 2, 0..7)")
assert(tostring(w:pe(3, 4)) == "(3, 4)" and tostring(w:none()) == "()")
assert(#(w:all() - w:rect({0, 754, 3}, {1, 993, 7})) == 755 * 994 - 252 * 142)
assert(w:all() == w:checkerboard(0) + w:checkerboard(1))

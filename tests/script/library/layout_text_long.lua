-- Texts of layouts: few statements for regular wafers, and the same PEs as were said.
local layouts = require "support.layouts"
local wse = require "wse"

local function lines(text) return select(2, text:gsub("\n", "")) end

local program = ".program p(n: i32 = 0)\n  task main:\n    mov32 r1, n\n"

-- Random planes: what is read back is what was said.
local random = layouts.random(99)
for _ = 1, 30 do
  local w = wse.layout(1 + random(20), 1 + random(20))
  w:program(program)
  w:place("p", w:all())
  local red, said, period = w:colour("red"), {}, 1 + random(5)
  local choices = {"ramp -> ramp", "west -> ramp", "[west -> ramp] [-> west] ring"}
  for y = 0, w.height - 1 do
    for x = 0, w.width - 1 do
      local k = (random(10) == 0 and random(4) or (x // period + y) % 4)
      said[y * w.width + x] = choices[k]
      if choices[k] and not (k == 3 and x == 0) then
        w:route(red, w:pe(x, y), choices[k])
      else
        said[y * w.width + x] = nil
      end
    end
  end
  local found = layouts.read(w, "route", "red")
  for index = 0, w.width * w.height - 1 do assert(found[index] == said[index]) end
end

-- 512 x 512: border and inside, an exchange on a checkerboard, a flood, a tree in every row.
local N = 512
local function sides(w, colour, from, to, dx, dy)
  for k = 0, 1 do
    local senders = w:checkerboard(k) * w:where(function(x, y)
      return x + dx >= 0 and x + dx < N and y + dy >= 0 and y + dy < N
    end)
    local receivers = w:checkerboard(1 - k) * w:where(function(x, y)
      return x - dx >= 0 and x - dx < N and y - dy >= 0 and y - dy < N
    end)
    w:route(colour[k + 1], senders, "ramp -> " .. to)
    w:route(colour[k + 1], receivers, from .. " -> ramp")
  end
end

local w = wse.layout(N, N)
w:program(program)
w:place("p", w:border(), {n = 1})
w:place("p", w:all() - w:border())
sides(w, w:colours("east", 2), "west", "east", 1, 0)
sides(w, w:colours("west", 2), "east", "west", -1, 0)
sides(w, w:colours("south", 2), "north", "south", 0, 1)
sides(w, w:colours("north", 2), "south", "north", 0, -1)
w:multicast(w:colour("flood"), {N // 2, N // 2}, w:all())
assert(lines(w:text()) < 80, lines(w:text()))

-- A binary tree towards x = 0 in every row, a colour for each level, PE by PE.
local tree = wse.layout(N, N)
tree:program(program)
tree:place("p", tree:all())
local levels = tree:colours("level", 9, {rising = true})
for y = 0, N - 1 do
  for k = 1, 9 do
    local half = 1 << k - 1
    for x = half, N - 1, 2 * half do tree:path(levels[k], {{x, y}, {x - half, y}}) end
  end
end
assert(lines(tree:text()) < 200, lines(tree:text()))

-- One tree along a row and one down every column, of one colour each: a broadcast in two steps.
local two = wse.layout(N, N)
two:program(program)
two:place("p", two:all())
local function halves(n)
  return function(at)
    local list, step = {}, n
    while step > 1 and at % step ~= 0 do step = step // 2 end
    while step > 1 do
      step = step // 2
      list[#list + 1] = at + step
    end
    return list
  end
end
local of = halves(N)
local row, column = two:colour("row"), two:colour("column")
two:tree(row, {0, 0}, function(x)
  local list = of(x)
  for k, child in ipairs(list) do list[k] = {child, 0} end
  return list
end)
for x = 0, N - 1 do
  two:tree(column, {x, 0}, function(_, y)
    local list = of(y)
    for k, child in ipairs(list) do list[k] = {x, child} end
    return list
  end)
end
assert(lines(two:text()) < 30)

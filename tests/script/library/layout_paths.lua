-- Paths, multicasts and trees deliver: random ones on small wafers and hypercubes are run, nothing
-- may be left over (strict), and everybody who should gets the word.
local wse = require "wse"

local state = 7
local function random(n)
  state = (state * 1103515245 + 12345) % (1 << 31)
  return (state >> 8) % n
end

local programs = [[
.program sender(tx: colour, value: i32)
  task main:
    mov32 fabout(tx), value
.program receiver(rx: colour, value: i32)
  task main:
    mov32 r1, fabin(rx)
    assert r1 == value
]]

local function run(w)
  local record = w:run{strict = true, machine = "model"}
  assert(record.ok)
  return record
end

-- and whether it is a hypercube
local function random_layout()
  if random(4) == 0 then return wse.layout{hypercube = 1 + random(5)}, true end
  return wse.layout(2 + random(6), 1 + random(6)), false
end

local function other_pe(w, x, y)
  while true do
    local to_x, to_y = random(w.width), random(w.height)
    if to_x ~= x or to_y ~= y then return to_x, to_y end
  end
end

for round = 1, 60 do
  local w, hypercube = random_layout()
  w:program(programs)
  local red = w:colour("red")
  local x, y = random(w.width), random(w.height)
  local source = w:pe(x, y)
  w:place("sender", source, {tx = red, value = round})
  local order = random(2) == 0 and "xy" or "yx"
  local others = w:none()
  if round % 3 == 0 then
    for _ = 1, 1 + random(6) do others = others + w:pe(other_pe(w, x, y)) end
    w:multicast(red, {x, y}, others, {order = order})
  elseif round % 3 == 1 then
    local to_x, to_y = other_pe(w, x, y)
    others = w:pe(to_x, to_y)
    w:path(red, {{x, y}, {to_x, to_y}}, {order = order})
  else
    -- the multicast to everybody, said as a tree of neighbours
    others = w:all() - source
    w:tree(red, {x, y}, function(at_x, at_y)
      local list = {}
      if hypercube then
        for k = 0, 11 do -- higher dimensions than the one it came over
          local bit = 1 << k
          if bit < w.width and (at_x ~ x) >> k == 0 then list[#list + 1] = at_x ~ bit end
        end
        return list
      end
      if at_y == y and at_x >= x and at_x < w.width - 1 then list[#list + 1] = {at_x + 1, y} end
      if at_y == y and at_x <= x and at_x > 0 then list[#list + 1] = {at_x - 1, y} end
      if at_y >= y and at_y < w.height - 1 then list[#list + 1] = {at_x, at_y + 1} end
      if at_y <= y and at_y > 0 then list[#list + 1] = {at_x, at_y - 1} end
      return list
    end)
  end
  w:place("receiver", others, {rx = red, value = round})
  run(w)
end

-- Corners, taps at corners and in a region, and the time: one cycle a hop, two ramps of 2.
local w = wse.layout(6, 5)
w:program(programs)
local red, green = w:colours("c", 2)[1], w:colour("green")
w:place("sender", w:pe(0, 0), {tx = red, value = 3})
w:path(red, {{0, 0}, {4, 2}, {1, 4}}, {taps = true})
w:place("receiver", w:pe(4, 2) + w:pe(1, 4), {rx = red, value = 3})
w:place("sender", w:pe(0, 1), {tx = green, value = 4})
w:path(green, {{0, 1}, {5, 1}}, {taps = w:column({2, 3})})
w:place("receiver", w:rect({2, 3}, 1) + w:pe(5, 1), {rx = green, value = 4})
assert(run(w).cycles == 1 + 4 + 2 + 3 + 2 + 2 * 2 + 1)

-- Positions one by one: the switch of PE 1 turns after the first word.
local s = wse.layout(3, 1)
s:program[[
.program sender
  task main:
    mov32 fabout(red), 1
    mov32 fabout(red, control), control(31, adv)
    mov32 fabout(red), 2
.program receiver
  task main:
    mov32 r1, fabin(red)
    assert r1 == x
]]
local switched = s:colour("red")
s:place("sender", s:pe(0))
s:place("receiver", s:rect({1, 2}, 0))
s:path(switched, {0, 1})
s:route(switched, s:pe(1), {"west -> ramp", "-> east"})
s:route(switched, s:pe(2), "west -> ramp")
run(s)
assert(s:text():find(".route red at (1, 0): [west -> ramp] [-> east]", 1, true))

-- Canonical text: sides in their order, the short form where a side stays, options after.
local t = wse.layout(3, 3)
t:program(programs)
t:place("sender", t:pe(0, 0), {tx = 0, value = 1})
local c = t:colour("c")
t:route(c, t:pe(1, 1), "[west->ramp,south,east][north -> ramp, east,south][north->west] "
        .. "torn_down pop=always ring start=2")
t:path(c, {{2, 2}, {1, 2}}, {position = 1, start = 1})
t:route(c, t:pe(2, 1), "south -> ramp")
t:path(c, {{2, 2}, {2, 1}}, {position = 2, ring = true})
local text = t:text()
assert(text:find("(1, 1): [west -> east, south, ramp] [north ->] [-> west] ring pop=always "
                 .. "torn_down start=2", 1, true))
assert(text:find("(2, 2): [ramp -> west] [-> north] ring start=1", 1, true))

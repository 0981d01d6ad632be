-- Layouts by chance, said in rectangles: each PE has what was said of it, whatever rows share.
local layouts = require "support.layouts"
local wse = require "wse"

local random = layouts.random(7)
local kSides = {[0] = "west", "east", "north", "south", "ramp"}

local function layout_by_chance()
  local w = wse.layout(1 + random(12), 1 + random(12))
  w:program ".program p(n: i32 = 0)\n  task main:\n    mov32 r1, n\n"
  return w
end

-- A progression in 0 .. count - 1, as often as not all of it.
local function progression(count)
  if random(2) == 0 then return {0, count - 1} end
  local first = random(count)
  return {first, first + random(count - first), 1 + random(3)}
end

local function rectangle(w) return w:rect(progression(w.width), progression(w.height)) end

local function index(w, x, y) return y * w.width + x end

local function assert_is(w, statement, name, said)
  local found = layouts.read(w, statement, name)
  for k = 0, w.width * w.height - 1 do
    assert(found[k] == said[k], ("%s %s of PE %d is %s, not %s"):format(
      statement, name, k, tostring(found[k]), tostring(said[k])))
  end
end

-- Programs, the same for a rectangle or one for each PE of it: each has its own number. Who has one
-- already is told, and nothing changes.
local function placed(w)
  local found = {}
  for k, text in pairs(layouts.read(w, "place", "p")) do found[k] = tonumber(text:match("n = (%d+)")) end
  return found
end
for _ = 1, 200 do
  local w, said = layout_by_chance(), {}
  for n = 1, 1 + random(8) do
    local at, by_pe = rectangle(w), random(3) == 0
    local taken
    for x, y in at:each() do
      if said[index(w, x, y)] then taken = taken or ("PE (%d, %d) has a program"):format(x, y) end
    end
    local value = by_pe and function(x, y) return 100 * n + x % 2 + y % 3 end or 100 * n
    local ok, message = pcall(w.place, w, "p", at, {n = value})
    assert(ok == (taken == nil), taken)
    assert(ok or message:find(taken, 1, true), message)
    for x, y in at:each() do
      if ok then said[index(w, x, y)] = by_pe and value(x, y) or value end
    end
  end
  local found = placed(w)
  for k = 0, w.width * w.height - 1 do assert(found[k] == said[k]) end
end

-- Routes: what a second call adds is merged, another one is refused at the first PE that has one, and
-- then nothing has changed.
local kTexts = {"ramp -> ramp", "[ramp -> ramp] [-> ramp] ring", "west -> ramp"}
local function merged(old, text)
  if old == nil or old == text then return text end
  if old ~= kTexts[3] and text ~= kTexts[3] then return kTexts[2] end
end
local refused = 0
for _ = 1, 300 do
  local w, said = layout_by_chance(), {}
  w:place("p", w:all())
  local red = w:colour("red")
  for _ = 1, 1 + random(8) do
    local at, text = rectangle(w), kTexts[1 + random(8) % 3]
    local clash
    for x, y in at:each() do
      if not merged(said[index(w, x, y)], text) then
        clash = clash or ("PE (%d, %d) has another"):format(x, y)
      end
    end
    local ok, message = pcall(w.route, w, red, at, text)
    assert(ok == (clash == nil), clash)
    assert(ok or message:find(clash, 1, true), message)
    for x, y in at:each() do
      local k = index(w, x, y)
      if ok then said[k] = merged(said[k], text) end
    end
    refused = refused + (ok and 0 or 1)
  end
  assert_is(w, "route", "red", said)
end
assert(refused > 100)

-- Multicasts: the union of the ways from the source to each target.
local function ways_to(w, source, targets, order)
  local rx, tx = {[index(w, source[1], source[2])] = 4}, {}
  local function go(at, k, to, forth, back)
    while at[k] ~= to do
      local port = at[k] < to and forth or back
      local from = index(w, at[1], at[2])
      tx[from] = (tx[from] or 0) | 1 << port
      at[k] = at[k] + (at[k] < to and 1 or -1)
      rx[index(w, at[1], at[2])] = port ~ 1
    end
  end
  for x, y in targets:each() do
    local at = {source[1], source[2]}
    if order == "yx" then go(at, 2, y, 3, 2) end
    go(at, 1, x, 1, 0)
    go(at, 2, y, 3, 2)
    local last = index(w, x, y)
    tx[last] = (tx[last] or 0) | 1 << 4
  end
  local said = {}
  for k, port in pairs(rx) do
    local names = {}
    for side = 0, 4 do
      if tx[k] >> side & 1 == 1 then names[#names + 1] = kSides[side] end
    end
    said[k] = kSides[port] .. " -> " .. table.concat(names, ", ")
  end
  return said
end
for _ = 1, 300 do
  local w = layout_by_chance()
  w:place("p", w:all())
  local source = {random(w.width), random(w.height)}
  local targets = w:all() - w:all()
  for _ = 1, 1 + random(3) do targets = targets + rectangle(w) end
  targets = targets - w:pe(source[1], source[2])
  local order = random(2) == 0 and "xy" or "yx"
  if #targets > 0 then
    w:multicast(w:colour("red"), source, targets, {order = order})
    assert_is(w, "route", "red", ways_to(w, source, targets, order))
  end
end

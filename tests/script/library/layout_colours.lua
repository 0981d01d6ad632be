-- More colours than numbers: those that no PE knows both share one, and the wafer still delivers.
local wse = require "wse"

local function numbers(text)
  local of = {}
  for list in text:gmatch("%.colour ([^.]*)\n") do
    for name, value in list:gmatch("([%w_]+) = ([%w_]+)") do
      of[name] = of[value] or tonumber(value)
    end
  end
  return of
end

local relay = [[
.program first(tx: colour)
  .i32 v = 5
  task main:
    mov32 fabout(tx), v
.program relay(rx: colour, tx: colour)
  .reg k
  task main:
    mov32 k, fabin(rx)
    add32 k, k, 1
    mov32 fabout(tx), k
.program last(rx: colour)
  .i32 got
  task main:
    mov32 got, fabin(rx)
]]

-- A chain with a colour for every hop: each PE knows two, so two numbers do.
local function chain(hops, colours)
  local w = wse.layout(hops + 1, 1)
  w:program(relay)
  local hop = colours(w)
  w:place("first", w:pe(0), {tx = hop[1]})
  w:place("relay", w:rect({1, hops - 1}, 0),
          {rx = function(x) return hop[x] end, tx = function(x) return hop[x + 1] end})
  w:place("last", w:pe(hops), {rx = hop[hops]})
  for k = 1, hops do w:path(hop[k], {{k - 1, 0}, {k, 0}}) end
  w:expect("got at (" .. hops .. ", 0) == 5 + " .. hops - 1)
  return w
end

local w = chain(40, function(w) return w:colours("hop", 40) end)
for _, machine in ipairs{"wse2", "wse3", "model"} do
  assert(w:run{machine = machine, expect = true}.ok)
end
local of, used = numbers(w:text()), {}
for k = 1, 40 do
  assert(of["hop" .. k], "a colour without a number")
  assert(k == 1 or of["hop" .. k] ~= of["hop" .. k - 1], "neighbours share a number")
  used[of["hop" .. k]] = true
end
assert(#used + (used[0] and 1 or 0) <= 3)

-- 24 fit as they are; the assembler numbers them, around a pinned one.
local plain = chain(24, function(v)
  local list = {v:colour("pinned", {number = 7})}
  for _, colour in ipairs(v:colours("hop", 23)) do list[#list + 1] = colour end
  return list
end)
assert(next(numbers(plain:text())) == "pinned")
assert(plain:run{expect = true}.ok)

-- Pinned numbers and rising lists are kept among those that share.
local mixed = chain(30, function(v)
  local list = v:colours("up", 12, {rising = true})
  list[#list + 1] = v:colour("pinned", {number = 3})
  list[#list + 1] = v:colour("free")
  list[#list + 1] = v:colour("again", {number = 3})
  for _, colour in ipairs(v:colours("down", 15)) do list[#list + 1] = colour end
  return list
end)
assert(mixed:run{expect = true}.ok)
of = numbers(mixed:text())
assert(of.pinned == 3 and of.again == 3 and of.free ~= 3 and of.up12 ~= 3)
for k = 2, 12 do assert(of["up" .. k] > of["up" .. k - 1]) end

-- On wse3 only some numbers have switches: colours with several positions get these, even where
-- they share and where many others came first. A switch turns after the first word.
local switching = [[
.program sender(tx: colour, also: colour)
  task main:
    mov32 r1, also
    mov32 fabout(tx), 1
    mov32 fabout(tx, control), control(31, adv)
    mov32 fabout(tx), 2
.program receiver(rx: colour)
  .i32 got
  task main:
    mov32 got, fabin(rx)
]]
local rows = wse.layout(3, 30)
rows:program(switching)
local also, main = rows:colours("also", 30), rows:colours("main", 30)
for y = 0, 29 do
  rows:place("sender", rows:pe(0, y), {tx = main[y + 1], also = also[y + 1]})
  rows:place("receiver", rows:rect({1, 2}, y), {rx = main[y + 1]})
  rows:route(main[y + 1], rows:pe(0, y), "ramp -> east")
  rows:route(main[y + 1], rows:pe(1, y), "[west -> ramp] [-> east]")
  rows:route(main[y + 1], rows:pe(2, y), "west -> ramp")
end
rows:expect("got at (1..2, 0..29) == x")
assert(rows:run{machine = "wse3", expect = true}.ok)
of = numbers(rows:text{machine = "wse3"})
local mask = wse.machine("wse3").switch_colours
for y = 1, 30 do assert(mask >> of["main" .. y] & 1 == 1) end

-- What a program or a macro names is known by every PE that runs it, with or without a route.
local named = wse.layout(30, 2)
local list = named:colours("c", 30)
named:program[[
.macro hear(colour)
  mov32 r1, fabin(colour)
.end
.macro hear_first()
  hear c1
.end
.program reader(rx: colour)
  task main:
    jmp over
    hear_first
  over:
    hear rx
.program writer(tx: colour)
  task main:
    mov32 fabout(tx), 1
]]
for k = 1, 30 do
  named:place("writer", named:pe(k - 1, 0), {tx = list[k]})
  named:place("reader", named:pe(k - 1, 1), {rx = list[k]})
  named:path(list[k], {{k - 1, 0}, {k - 1, 1}})
end
of = numbers(named:text())
for k = 2, 30 do assert(of["c" .. k] ~= of.c1, "a colour that every program names is shared") end
assert(named:run{machine = "wse2"}.ok)

-- Who gets a channel from a neighbour knows it, routed on or not: else a route of another channel
-- of the same number would take its words, where the assembler finds the mistake now.
local fault = wse.layout(60, 1)
fault:program(".program idle\n  task main:\n")
fault:place("idle", fault:all())
local hops = fault:colours("hop", 30)
for k = 1, 30 do fault:route(hops[k], fault:pe(2 * k - 2), "ramp -> east") end
for k = 1, 30 do fault:route(hops[k % 30 + 1], fault:pe(2 * k - 1), "west -> ramp") end
assert(not pcall(fault.run, fault))
of = numbers(fault:text())
for k = 1, 30 do assert(of["hop" .. k] ~= of["hop" .. k % 30 + 1]) end

-- Numbers that first-fit misses: a ring of channels in an order that misleads it, with one number
-- too few for it. PE k knows the channels of its edges alone.
local crown = wse.layout(26, 25)
crown:program(".program idle(a: colour, b: colour)\n  task main:\n    mov32 r1, a + b\n")
local left, right = {}, {}
for k = 1, 26 do left[k], right[k] = crown:colour("left" .. k), crown:colour("right" .. k) end
local at = 0
for a = 1, 26 do
  for b = 1, 26 do
    if a ~= b and at < 26 * 25 then
      crown:place("idle", crown:pe(at % 26, at // 26), {a = left[a], b = right[b]})
      at = at + 1
    end
  end
end
of = numbers(crown:text())
for a = 1, 26 do
  for b = 1, 26 do assert(a == b or of["left" .. a] ~= of["right" .. b]) end
end

-- The search proves, or gives up within its bound.
do
  local numbering = require "wse.layout.numbering"
  local function problem(count, numbers)
    local conflicts = {}
    for channel = 1, count do conflicts[channel] = {} end
    return {count = count, numbers = numbers, rising = {}, pinned = {}, switched = {},
            switch_mask = (1 << numbers) - 1, conflicts = conflicts}
  end
  local function join(given, a, b)
    given.conflicts[a][b], given.conflicts[b][a] = true, true
  end

  -- No three channels of this graph meet at one place, yet it takes four numbers (Groetzsch).
  local function groetzsch(numbers)
    local graph = problem(11, numbers)
    for k = 0, 4 do
      join(graph, k + 1, (k + 1) % 5 + 1)
      join(graph, k + 6, (k + 1) % 5 + 1)
      join(graph, k + 6, (k + 4) % 5 + 1)
      join(graph, k + 6, 11)
    end
    return graph
  end
  local none, proved = numbering.solve(groetzsch(3))
  assert(none == nil and proved == true)
  local found = numbering.solve(groetzsch(4))
  for a, others in pairs(groetzsch(4).conflicts) do
    for b in pairs(others) do assert(found[a] ~= found[b]) end
  end

  local seed = 7
  local function random(most)
    seed = (seed * 1103515245 + 12345) % 2147483648
    return (seed >> 8) % most
  end
  for _, count in ipairs{64, 256} do
    local graph = problem(count, 24)
    for a = 1, count do
      for b = a + 1, count do
        if random(64) < (count == 64 and 58 or 32) then join(graph, a, b) end
      end
    end
    none, proved = numbering.solve(graph)
    assert(none == nil and proved == false)
  end
end

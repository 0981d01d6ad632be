-- Slices with route = "message": every way, any steps, any mask, on three machines, as Lua moves them; as many
-- messages in a row as workers; far ones cost less than steps of neighbours. Errors planted in headers, in
-- counts, in what passes first and in colours are found.
local called = require "mach.message.called"
local graph = require "mach.lang.graph"
local lanes = require "mach.message.lanes"
local mach = require "mach"
local moves = require "mach.lower.moves"
local programs = require "support.mach_programs"
local wse = require "wse"

local count, seed = wse.argument("count", 40), wse.argument("seed", 1)
wse.no_more_arguments()

-- ---- as Lua moves them: {to, from} slices of a field, and a function of the destination that says where from

local function same(x, y) return x, y end
local kMoves = {
  {"5:, :, :", ":-5, :, :", function(x, y) return x - 5, y end},
  {":-7, :, :", "7:, :, :", function(x, y) return x + 7, y end},
  {":, 4:, :", ":, :-4, :", function(x, y) return x, y - 4 end},
  {":, :-3, :", ":, 3:, :", function(x, y) return x, y + 3 end},
  {"4:, 2:, :", ":-4, :-2, :", function(x, y) return x - 4, y - 2 end},
  {":-4, 3:, :", "4:, :-3, :", function(x, y) return x + 4, y - 3 end},
  {"3:, :-2, :", ":-3, 2:, :", function(x, y) return x - 3, y + 2 end},
  {":-2, :-5, :", "2:, 5:, :", function(x, y) return x + 2, y + 5 end},
  {":, :, :", "::-1, ::-1, :", function(x, y) return 11 - x, 7 - y end},
  {":, :, :", "::-1, :, :", function(x, y) return 11 - x, y end},
  {":, :, :", ":, ::-1, :", function(x, y) return x, 7 - y end},
  {":6, :4, :", "::2, ::2, :", function(x, y) return 2 * x, 2 * y end},
  {"::2, 1::2, :", "6:, :4, :", function(x, y) return 6 + x // 2, y // 2 end},
  {"::3, ::7, :", "8:, 7:2:-4, :", function(x, y) return 8 + x // 3, 7 - 4 * (y // 7) end},
  {"0, 0, :", "11, 7, :", function() return 11, 7 end},
  {"11, 0, :", "0, 7, :", function() return 0, 7 end},
  {"7, :, :", "2, ::-1, :", function(_, y) return 2, 7 - y end},
  {"1:-1, 1:-1, :", "1:-1, 1:-1, :", same},
}

local function value(x, y, i) return x + 16 * y + 256 * i end

-- A program that makes some moves, one after the other, with calls of other kinds between.
local function moving(list, type_name, n, machine, fuse)
  local p = mach.program{width = 12, height = 8, machine = machine, route = "message", fuse = fuse}
  local a, others = p:LA("a", n, value, type_name), {}
  local s = p:ULS("s", 0, type_name == "i32" and "i32" or "f32")
  for k, move in ipairs(list) do
    local b = p:LA("b" .. k, n, nil, type_name)
    b[move[1]] = a[move[2]]
    others[k] = b
    if k % 3 == 0 then s:set(p:max(b)) end
    if k % 4 == 0 then others[k - 1]["1:, :, :"] = others[k - 1][":-1, :, :"] end
  end
  return p, others
end

local function check(list, type_name, n, machine)
  local p = moving(list, type_name, n, machine, n == 2)
  local r = p:run()
  assert(r.user.differing_words == 0, ("%s, %d words, %s: %s"):format(type_name, n, machine,
                                                                      r.user.first_difference))
  for k, move in ipairs(list) do
    local in_x, in_y = require("mach.lang.slice").read(move[1], {12, 8, n}), nil
    in_x, in_y = in_x.x, in_x.y
    if k % 4 ~= 3 or k == #list then
      local found = r:array("b" .. k)
      for j = 0, in_x.count * in_y.count - 1 do
        local x, y = in_x.first + j % in_x.count * in_x.step, in_y.first + j // in_x.count * in_y.step
        local from_x, from_y = move[3](x, y)
        for i = 0, n - 1 do assert(found:at(x, y, i) == value(from_x, from_y, i), move[1] .. " of " .. move[2]) end
      end
    end
  end
  return r.user
end

for _, machine in ipairs{"wse2", "wse3", "model"} do
  for _, type_name in ipairs{"f32", "f16", "i32"} do
    for _, n in ipairs{2, 25} do
      local user = check(kMoves, type_name, n > 2 and type_name == "f16" and 7 or n, machine)
      assert(user.colours <= 20)
    end
  end
end

-- Elements that do not lie at one stride, halves and words in one program, a step among far moves.
local function mixed(machine)
  local p = mach.program{width = 8, height = 6, machine = machine, route = "message"}
  local a, h = p:LA("a", {3, 4}, function(x, y, i, j) return x + y + i * j end), p:LA("h", 5, value, "f16")
  local t = p:LS("t", function(x, y) return x * y end)
  p:loop(3, function()
    a["2:, :, 1:, 1:3"] = a[":-2, :, :2, 2:"] + a["2:, :, :2, :2"]
    h[":, 3:, :"] = h["::-1, :-3, :"]
    h[":-1, :, :"] = h["1:, :, :"]
    t["4:, :"] = t["3::-1, ::-1"] + 1
  end)
  return p:run().user
end
for _, machine in ipairs{"wse2", "wse3", "model"} do assert(mixed(machine).differing_words == 0, machine) end

-- ---- random programs of which far moves are messages; their arrays are short, so that others are made to pass
-- first in every other program

local moved, words = 0, moves.words
for k = seed, seed + count - 1 do
  moves.words = function(geometry, x, y, hold) return words(geometry, x, y, hold or k % 4 > 1) end
  local p = programs.build(k, k % 2 == 0, nil, ({"wse2", "wse3", "model"})[k % 3 + 1], "message")
  local r = p:run()
  assert(r.user.differing_words == 0, ("seed %d: %s"):format(k, r.user.first_difference))
  graph.each(p.graph.root, function(node) if node.op == "message" then moved = moved + 1 end end)
end
moves.words = words
assert(moved >= 3 * count, moved .. " pieces move as messages")

-- ---- costs: one message takes less than steps from two workers on, all at once from three on

local function cycles(text_to, text_from, n, route, machine)
  local p = mach.program{width = 16, height = 4, machine = machine or "wse2", route = route}
  local a, b = p:LA("a", n, value), p:LA("b", n)
  b[text_to] = a[text_from]
  return p:run{interpreter = false}.user.cycles
end
local function gain(text_to, text_from, n)
  return cycles(text_to, text_from, n, "exchange") / cycles(text_to, text_from, n, "message")
end
assert(gain("0, 0, :", "2, 0, :", 8) > 1.2 and gain("0, 0, :", "8, 0, :", 8) > 2.9)
assert(gain("0, 0, :", "15, 0, :", 50) > 5)
assert(gain("2:, :, :", ":-2, :, :", 8) < 1 and gain("3:, :, :", ":-3, :, :", 8) > 1)
assert(gain("5:, :, :", ":-5, :, :", 8) > 1.5 and gain("3:, :, :", ":-3, :, :", 50) > 1)
-- Each hop of a message takes the same, whatever its length: the way from router to router, and the task that passes
-- the header on. Workers 2 and 12 lie as far from the middle, so that the call comes to them at the same time.
local function per_hop(machine, n)
  return (cycles("0, 0, :", "12, 0, :", n, "message", machine)
          - cycles("0, 0, :", "2, 0, :", n, "message", machine)) / 10
end
local before = require "machines.wse2-before"
for machine, hop in pairs{wse2 = 12, wse3 = 19, model = 6, [before] = 27} do
  local m = wse.machine(machine)
  local start = m.vector_overlap == 1 and 0 or m.vector_start_cycles  -- where it counts from a change of descriptors
  local task = m.task_start_cycles + 4 * m.simple_cycles + 2 * m.branch_cycles + start + 1
  assert(per_hop(machine, 8) == hop and per_hop(machine, 50) == hop, per_hop(machine, 8))
  assert(hop == 2 * m.ramp_latency_cycles + m.hop_latency_cycles + task)
end

-- ---- planted errors

local function found()
  local fine, words = pcall(function()
    local p = moving(kMoves, "f32", 25, "wse2", false)
    return p:run().user.differing_words
  end)
  return not fine and tostring(words):find("wse.run: ", 1, true) ~= nil or fine and words > 0
end
assert(not found())

local function planted(what, holder, name, wrong)
  local right = holder[name]
  holder[name] = wrong
  local was_found = found()
  holder[name] = right
  assert(was_found, what .. " is not found")
end

local function changed(k, change)
  return function(...)
    local list = words(...)
    list[k] = change(list[k])
    return list
  end
end
planted("a header", moves, "words", changed(1, function(text) return "max(0, (" .. text .. ") - 1)" end))
planted("a message too few", moves, "words", changed(3, function(text) return "max(0, (" .. text .. ") - 1)" end))
planted("a message too many", moves, "words", changed(4, function(text) return "(" .. text .. ") * 2" end))
planted("who waits for ever", moves, "words", changed(5, function(text) return "(" .. text .. ") * 9" end))
local parameters = lanes.parameters
planted("a colour", lanes, "parameters", function(g, features, values)
  parameters(g, features, values)
  values.rx_east = values.tx_east
end)
local tasks = called.tasks
planted("control that does not wait", called, "tasks", function(code, features)
  tasks(code, features)
  for k, line in ipairs(code.lines) do
    if line:find("block ctrl", 1, true) and not line:find("unblock", 1, true) then code.lines[k] = "" end
  end
end)
print(("%d moves, %d pieces in random programs"):format(#kMoves, moved))

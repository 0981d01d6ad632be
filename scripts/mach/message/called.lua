-- Messages of a call: workers send words to others far off, those on the way pass them on, x first, then
-- y, as relay.lua does, but all that a call moves goes by one way along x and one along y, has the
-- length of the call, and is counted: each worker knows how many messages come in by each input. It takes no
-- more of them, so those of the next call wait; after the last one has left it, control goes on.
-- Outputs as in relay.lua: a message has one alone until its end, who wants a busy one waits with its
-- colour blocked; x waits for x or y, y for y, the worker itself takes all: no circle.
--   moves[place]: header (target: x 10 bits, y of the PE 10 bits), own messages (0 or 1), messages that
--   come in along x, along y
local text = require "mach.vm.kernels.text"
local format, ipairs = string.format, ipairs

local called = {kWords = 4}

local kAlong = {east = "x", west = "x", north = "y", south = "y"}
local kOwn, kX, kY = 1, 2, 3                  -- who has an output
local kWaitsXX, kWaitsXY, kWaitsYY = 1, 2, 4  -- an input waits for an output
local kRegisters = {"half", "from_x", "from_y", "word", "scratch", "left", "left_x", "left_y", "owner_x",
                    "owner_y", "owner_here", "waiting", "word_x", "word_y", "own"}
local kAnyLength = 24576

called.ways = {"east", "west", "north", "south"}
called.along = kAlong

-- ---- what a worker has beside its kernels; features: {east = true, ..., word = true, half = true}

-- The ways along "x" or "y" that the program uses.
local function used(features, axis)
  local list = {}
  for _, way in ipairs(called.ways) do
    if features[way] and (not axis or kAlong[way] == axis) then list[#list + 1] = way end
  end
  return list
end
called.used = used

function called.parameters(features)
  local list = {}
  for _, way in ipairs(used(features)) do
    list[#list + 1] = format("rx_%s: colour", way)
    list[#list + 1] = format("tx_%s: colour", way)
  end
  return list
end

-- `second` receives along y: descriptors are few, and no other kernel runs meanwhile.
function called.declarations(code, features)
  for k, name in ipairs(kRegisters) do code:line(".reg %s = r%d", name, k - 1) end
  for _, axis in ipairs{"x", "y"} do
    if #used(features, axis) > 0 then
      code:line(".dsr out_%s%s", axis, axis == "x" and ", in_x" or "")
      code:line(".microthread to_%s", axis)
    end
  end
  code:line(".microthread to_here")
end

function called.main(code, features)
  for _, way in ipairs(used(features)) do code:op("block rx_%s", way) end
end

local kInput = {x = "in_x", y = "second"}

-- Sends the header in `word`; the words follow in the task header_AXIS.
local function start(code, axis, owner)
  code:op("mov32 out_%s, word async to_%s activate header_%s", axis, axis, axis)
  code:op("mov32 owner_%s, %d", axis, owner)
end

-- One word or half a word each: `name` is a place for labels.
local function by_size(code, features, name, form)
  if features.word and features.half then
    code:op("bne   half, 0, %s_half", name)
    code:op(form, "mov32")
    code:op("end")
    code:line("%s_half:", name)
    code:op(form, "mov16")
  else
    code:op(form, features.half and "mov16" or "mov32")
  end
  code:op("end")
end

local function arrive(code, features, axis, owner)
  code:line("here_%s:", axis)
  code:op("mov32 owner_here, %d", owner)
  by_size(code, features, "here_" .. axis, "%s to, " .. kInput[axis] .. " async to_here activate sent_here")
end

local function wait(code, axis, label, bit)
  code:line("%s:", label)
  code:op("mov32 word_%s, word", axis)
  code:op("or32  waiting, waiting, %d", bit)
  code:op("end")
end

-- Headers that come in along an axis, by all of its ways.
local function heads(code, ways, axis)
  for k, way in ipairs(ways) do
    code:line("task head_%s on rx_%s (word):", way, way)
    code:op("block rx_%s", way)
    if k < #ways then code:op("jmp   head_%s", axis) end
  end
  if #ways > 1 then code:line("head_%s:", axis) end
  code:op("sub32 left_%s, left_%s, 1", axis, axis)
end

local function head_x(code, features, turns)
  local ways = used(features, "x")
  if #ways == 0 then return end
  heads(code, ways, "x")
  code:op("and32 scratch, word, 1023")
  code:op("beq   scratch, x, turn")
  code:op("bne   owner_x, 0, x_waits_for_x")
  start(code, "x", kX)
  code:op("end")
  code:line("turn:")
  if turns then
    code:op("slr32 scratch, word, 10")
    code:op("beq   scratch, y, here_x")
    code:op("bne   owner_y, 0, x_waits_for_y")
    start(code, "y", kX)
    code:op("end")
    wait(code, "x", "x_waits_for_y", kWaitsXY)
  end
  arrive(code, features, "x", kX)
  wait(code, "x", "x_waits_for_x", kWaitsXX)
end

local function head_y(code, features)
  local ways = used(features, "y")
  if #ways == 0 then return end
  heads(code, ways, "y")
  code:op("slr32 scratch, word, 10")
  code:op("beq   scratch, y, here_y")
  code:op("bne   owner_y, 0, y_waits_for_y")
  start(code, "y", kY)
  code:op("end")
  arrive(code, features, "y", kY)
  wait(code, "y", "y_waits_for_y", kWaitsYY)
end

-- The words behind a header: of the worker itself, or of an input.
local function follow(code, features, axis, inputs)
  code:line("task header_%s:", axis)
  for k, input in ipairs(inputs) do
    code:op("bne   owner_%s, %d, header_%s_%d", axis, input.owner, axis, k + 1)
    code:op("mov32 out_%s, %s async to_%s activate sent_%s", axis, input.descriptor, axis, axis)
    code:op("end")
    code:line("header_%s_%d:", axis, k + 1)
  end
  by_size(code, features, "own_" .. axis,
          format("%%s out_%s, first async to_%s activate sent_%s", axis, axis, axis))
end

-- An output is free again: the first of those that wait for it gets it.
local function free(code, axis, waiters)
  code:line("task sent_%s:", axis)
  code:op("mov32 scratch, owner_%s", axis)
  code:op("mov32 owner_%s, 0", axis)
  code:op("beq   waiting, 0, left_%s_free", axis)
  for k, waiter in ipairs(waiters) do
    code:op("and32 word, waiting, %d", waiter.bit)
    code:op("beq   word, 0, left_%s_%d", axis, k)
    code:op("xor32 waiting, waiting, %d", waiter.bit)
    code:op("mov32 word, word_%s", waiter.axis)
    start(code, axis, waiter.owner)
    if k < #waiters then code:op("jmp   left_%s_free", axis) end
    code:line("left_%s_%d:", axis, k)
  end
  code:line("left_%s_free:", axis)
  code:op("jmp   message_left")
end

-- A message has left the worker, or is in it: its input takes the next one, if one is to come.
local function finish(code, with_x, with_y)
  code:line("task sent_here:")
  code:op("mov32 scratch, owner_here")
  code:line("message_left:")
  code:op("sub32 left, left, 1")
  code:op("beq   left, 0, all_left")
  for _, input in ipairs{{axis = "x", owner = kX, used = with_x}, {axis = "y", owner = kY, used = with_y}} do
    if input.used then
      code:op("bne   scratch, %d, message_not_%s", input.owner, input.axis)
      code:op("beq   left_%s, 0, message_end", input.axis)
      code:op("unblock from_%s", input.axis)
      code:op("end")
      code:line("message_not_%s:", input.axis)
    end
  end
  code:line("message_end:")
  code:op("end")
  code:line("all_left:")
  code:op("setdstride first, 1")
  code:op("setdstride to, 1")
  if with_y then code:op("setd second, mem(0, length=%d)", kAnyLength) end
  code:op("unblock ctrl")
end

function called.tasks(code, features)
  local with_x, with_y = #used(features, "x") > 0, #used(features, "y") > 0
  head_x(code, features, with_y)
  head_y(code, features)
  if with_x then
    follow(code, features, "x", {{owner = kX, descriptor = "in_x"}})
    free(code, "x", {{bit = kWaitsXX, axis = "x", owner = kX}})
  end
  if with_y then
    local inputs, waiters = {{owner = kY, descriptor = "second"}}, {{bit = kWaitsYY, axis = "y", owner = kY}}
    if with_x then
      inputs[2] = {owner = kX, descriptor = "in_x"}
      waiters[2] = {bit = kWaitsXY, axis = "x", owner = kX}
    end
    follow(code, features, "y", inputs)
    free(code, "y", waiters)
  end
  finish(code, with_x, with_y)
end

-- ---- the kernel

local function lane(code, axis, way)
  code:op("setd out_%s, fabout(tx_%s)", axis, way)
  code:op("setd %s, fabin(rx_%s, length=1)", kInput[axis], way)
  code:op("setdlen %s, r1", kInput[axis])
end

-- Where the own message begins: along x, unless it is to go along y alone.
local function send_own(code, name, way_x)
  code:op("beq   own, 0, %s_relay", name)
  start(code, way_x and "x" or "y", kOwn)
  code:line("%s_relay:", name)
end

local function release(code, name, axis, way)
  code:op("mov32 from_%s, rx_%s", axis, way)
  code:op("beq   left_%s, 0, %s_no_%s", axis, name, axis)
  code:op("unblock rx_%s", way)
  code:line("%s_no_%s:", name, axis)
end

-- The kernel that moves words by one way along x, one along y, or by one of both alone. Arguments: d, its
-- stride, a, its stride, length, place in `moves`. walk(code, descriptor, argument) sets base and stride.
function called.kernel(way_x, way_y, half, walk)
  local name = format("message_%s%s%s", half and "half" or "word", way_x and "_" .. way_x or "",
                      way_y and "_" .. way_y or "")
  local ways = {}
  for _, way in ipairs(called.ways) do
    if way == way_x or way == way_y then ways[#ways + 1] = way end
  end
  return {name = name, messages = ways, half = half, strided = true, text = function(code)
    code:op("block ctrl")  -- before a cycle passes: the next call may be picked when this task ends
    text.take(code, 6)
    text.load(code, "r2", 5)
    code:op("mov32 word, moves[r2]")
    for _, register in ipairs{"own", "left_x", "left_y"} do
      code:op("add32 r2, r2, 1")
      code:op("mov32 %s, moves[r2]", register)
    end
    code:op("add32 left, left_x, left_y")
    code:op("add32 left, left, own")
    code:op("beq   left, 0, %s_none", name)
    walk(code, "to", 0)
    walk(code, "first", 2)
    text.load(code, "r1", 4)
    code:op("setdlen first, r1")
    if way_x then lane(code, "x", way_x) end
    if way_y then lane(code, "y", way_y) end
    code:op("mov32 half, %d", half and 1 or 0)
    for _, register in ipairs{"owner_x", "owner_y", "waiting"} do code:op("mov32 %s, 0", register) end
    send_own(code, name, way_x)
    if way_x then release(code, name, "x", way_x) end
    if way_y then release(code, name, "y", way_y) end
    code:op("end")
    code:line("%s_none:", name)
    code:op("unblock ctrl")
  end}
end

return called

-- Messages of a call: workers send words to others far off, those on the way pass them on, x first, then
-- y, as relay.lua does, but all that a call moves goes by one way along x and one along y, has the
-- length of the call, and is counted: each worker knows how many messages come in by each input. It takes no
-- more of them, so those of the next call wait; after the last one has left it, control continues.
-- Outputs as in relay.lua: a message has one alone until its end, who wants a busy one waits with its
-- colour blocked; x waits for x or y, y for y, the worker itself takes all: no circle.
--   moves[place]: header (target: x 10 bits, y of the PE 10 bits), own messages (0 or 1), messages that
--   come in along x, along y, that pass along x and along y before one enters here
local text = require "mach.kernels.text"
local format, ipairs = string.format, ipairs

local called = {kMostSide = 1024}

local kAlong = {east = "x", west = "x", north = "y", south = "y"}
local kOwn, kX, kY = 1, 2, 3                  -- who has an output
local kWaitsXX, kWaitsXY, kWaitsYY, kOwnWaitsX, kOwnWaitsY = 1, 2, 4, 8, 16  -- who waits for what
local kHalves = 32                            -- in `waiting`: the words of this call are halves
-- All but one, which the assembler needs.
local kRegisters = {"from_x", "from_y", "word", "scratch", "left", "left_x", "left_y", "owner_x",
                    "owner_y", "waiting", "word_x", "word_y", "word_own", "hold_x", "hold_y"}
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

-- Sends a header, which is in `header`, and starts the words after it. The main thread may wait for the
-- ramp: all that a call moves goes to larger or to smaller x and y, so nobody waits in a circle.
local function start(code, axis, owner, header, source, mov)
  code:op("mov32 owner_%s, %d", axis, owner)
  code:op("mov32 out_%s, %s", axis, header)
  code:op("%s out_%s, %s async to_%s activate sent_%s", mov or "mov32", axis, source, axis, axis)
end

-- Emits code for whole words and for halves, of which the call takes one; then a task ends.
local function by_size(code, features, name, emit)
  if features.word and features.half then
    code:op("and32 word, waiting, %d", kHalves)
    code:op("bne   word, 0, %s_half", name)
    emit("mov32")
    code:line("%s_half:", name)
    emit("mov16")
  else
    emit(features.half and "mov16" or "mov32")
  end
end

local function arrive(code, features, axis)
  code:line("here_%s:", axis)
  by_size(code, features, "here_" .. axis, function(mov)
    code:op("%s to, %s async to_here activate here_from_%s", mov, kInput[axis], axis)
    code:op("end")
  end)
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
  start(code, "x", kX, "word", "in_x")
  code:op("end")
  code:line("turn:")
  if turns then
    code:op("slr32 scratch, word, 10")
    code:op("beq   scratch, y, here_x")
    code:op("bne   owner_y, 0, x_waits_for_y")
    code:op("bne   hold_y, 0, x_waits_for_y")
    start(code, "y", kX, "word", "in_x")
    code:op("end")
    wait(code, "x", "x_waits_for_y", kWaitsXY)
  end
  arrive(code, features, "x")
  wait(code, "x", "x_waits_for_x", kWaitsXX)
end

local function head_y(code, features)
  local ways = used(features, "y")
  if #ways == 0 then return end
  heads(code, ways, "y")
  code:op("slr32 scratch, word, 10")
  code:op("beq   scratch, y, here_y")
  code:op("bne   owner_y, 0, y_waits_for_y")
  start(code, "y", kY, "word", "second")
  code:op("end")
  arrive(code, features, "y")
  wait(code, "y", "y_waits_for_y", kWaitsYY)
end

-- Gives the output of an axis to one that waits for it, if it does; then continues at `after`.
local function resume(code, features, axis, waiter, after)
  local label = format("%s_not_%d", axis, waiter.bit)
  code:op("and32 word, waiting, %d", waiter.bit)
  code:op("beq   word, 0, %s", label)
  code:op("xor32 waiting, waiting, %d", waiter.bit)
  if waiter.owner == kOwn then
    by_size(code, features, label, function(mov)
      start(code, axis, kOwn, "word_own", "first", mov)
      code:op("jmp   %s", after)
    end)
  else
    start(code, axis, waiter.owner, "word_" .. waiter.from, kInput[waiter.from])
    code:op("jmp   %s", after)
  end
  code:line("%s:", label)
end

-- An output is free again. Messages that enter its axis here come first, but after as many have passed as
-- hold_AXIS says; then who is passing.
local function free(code, features, axis, entering, passing)
  code:line("task sent_%s:", axis)
  code:op("mov32 scratch, owner_%s", axis)
  code:op("mov32 owner_%s, 0", axis)
  code:op("beq   hold_%s, 0, %s_enter", axis, axis)
  code:op("sub32 hold_%s, hold_%s, 1", axis, axis)
  code:op("bne   hold_%s, 0, %s_pass", axis, axis)
  code:line("%s_enter:", axis)
  code:op("beq   waiting, 0, message_left")
  for _, waiter in ipairs(entering) do resume(code, features, axis, waiter, "message_left") end
  code:line("%s_pass:", axis)
  resume(code, features, axis, passing, "message_left")
  code:op("jmp   message_left")
end

-- A message has left the worker, or is in it: its input takes the next one, if one is to come.
local function finish(code, axes)
  for k, axis in ipairs(axes) do
    code:line("task here_from_%s:", axis)
    code:op("mov32 scratch, %d", axis == "x" and kX or kY)
    if k < #axes then code:op("jmp   message_left") end
  end
  code:line("message_left:")
  code:op("sub32 left, left, 1")
  code:op("beq   left, 0, all_left")
  for _, axis in ipairs(axes) do
    code:op("bne   scratch, %d, message_not_%s", axis == "x" and kX or kY, axis)
    code:op("beq   left_%s, 0, message_end", axis)
    code:op("unblock from_%s", axis)
    code:line("message_not_%s:", axis)
  end
  code:line("message_end:")
  code:op("end")
  code:line("all_left:")
  code:op("setdstride first, 1")
  code:op("setdstride to, 1")
  if axes[#axes] == "y" then code:op("setd second, mem(0, length=%d)", kAnyLength) end
  code:op("unblock ctrl")
end

function called.tasks(code, features)
  local axes = {}
  for _, axis in ipairs{"x", "y"} do
    if #used(features, axis) > 0 then axes[#axes + 1] = axis end
  end
  head_x(code, features, axes[2] == "y")
  head_y(code, features)
  for _, axis in ipairs(axes) do
    local entering = {{bit = axis == "x" and kOwnWaitsX or kOwnWaitsY, owner = kOwn}}
    if axis == "y" and #axes == 2 then entering[2] = {bit = kWaitsXY, from = "x", owner = kX} end
    free(code, features, axis, entering, axis == "x" and {bit = kWaitsXX, from = "x", owner = kX}
                                         or {bit = kWaitsYY, from = "y", owner = kY})
  end
  finish(code, axes)
end

-- ---- the kernel

local function lane(code, axis, way)
  code:op("setd out_%s, fabout(tx_%s)", axis, way)
  code:op("setd %s, fabin(rx_%s, length=1)", kInput[axis], way)
  code:op("setdlen %s, r1", kInput[axis])
end

local function walk(code, descriptor, place)
  text.base(code, descriptor, place)
  text.load(code, "r1", place + 1)
  code:op("setdstride %s, r1", descriptor)
end

-- The own message enters along x, unless it goes along y alone.
local function send_own(code, name, way_x, half)
  local axis = way_x and "x" or "y"
  code:op("beq   scratch, 0, %s_relay", name)
  code:op("bne   hold_%s, 0, %s_hold", axis, name)
  start(code, axis, kOwn, "word_own", "first", half and "mov16" or "mov32")
  code:op("jmp   %s_relay", name)
  code:line("%s_hold:", name)
  code:op("mov32 waiting, %d", (way_x and kOwnWaitsX or kOwnWaitsY) + (half and kHalves or 0))
  code:line("%s_relay:", name)
end

local function release(code, name, axis, way)
  code:op("mov32 from_%s, rx_%s", axis, way)
  code:op("beq   left_%s, 0, %s_no_%s", axis, name, axis)
  code:op("unblock rx_%s", way)
  code:line("%s_no_%s:", name, axis)
end

-- The kernel that moves words by one way along x, one along y, or by one of both alone. Arguments: d, its
-- stride, a, its stride, length, place in `moves`. sign_x, sign_y: 1 to larger positions, -1 to smaller, 0.
function called.kernel(sign_x, sign_y, half)
  local way_x = sign_x ~= 0 and (sign_x > 0 and "east" or "west")
  local way_y = sign_y ~= 0 and (sign_y > 0 and "south" or "north")
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
    for k, register in ipairs{"word_own", "scratch", "left_x", "left_y", "hold_x", "hold_y"} do
      if k > 1 then code:op("add32 r2, r2, 1") end
      code:op("mov32 %s, moves[r2]", register)
    end
    code:op("add32 left, left_x, left_y")
    code:op("add32 left, left, scratch")
    code:op("beq   left, 0, %s_none", name)
    walk(code, "to", 0)
    walk(code, "first", 2)
    text.load(code, "r1", 4)
    code:op("setdlen first, r1")
    if way_x then lane(code, "x", way_x) end
    if way_y then lane(code, "y", way_y) end
    code:op("mov32 waiting, %d", half and kHalves or 0)
    for _, register in ipairs{"owner_x", "owner_y"} do code:op("mov32 %s, 0", register) end
    send_own(code, name, way_x, half)
    if way_x then release(code, name, "x", way_x) end
    if way_y then release(code, name, "y", way_y) end
    code:op("end")
    code:line("%s_none:", name)
    code:op("unblock ctrl")
  end}
end

return called

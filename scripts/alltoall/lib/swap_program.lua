-- One step of a phase of exchanges (exchange_program.lua) in which each class of elements swaps two bits of its places
-- (exchanges.lua). With b the bits `low` and `high` of a node's number:
--
--      01 ---low---> 00 ---high---> 10      half 0 of the elements of 01
--      01 ---high--> 11 ---low----> 10      half 1; those of 10 go the other way round
--
-- A node whose bits differ sends the halves on its two links and receives those of the node opposite. One whose bits are
-- equal passes words on, each as soon as it comes. So all four links between two dimensions carry a half, in each way.
-- A microthread receives or passes on for each channel, and the main thread deals the elements out round the channels, as
-- in cube_steps.lua. Element e belongs to class e mod classes, and to half (e div classes) mod 2.
-- Registers: left, a, differs. Descriptors: from, and over<k>, one for each channel.
local format = string.format

local swap_program = {}

-- Elements of a class in a half.
local function count_of(spec, class, half)
  return (spec.elements - (class + half * spec.classes) + 2 * spec.classes - 1) // (2 * spec.classes)
end

local function elements_of(spec, array, class, half)
  return format("%s[%d:%d:%d, 0]", array, class + half * spec.classes, spec.elements, 2 * spec.classes)
end

function swap_program.declare(code, spec)
  code:registers(2, {"left"})
  code:registers(4, {"a"})
  code:registers(11, {"differs"})
  for _, name in ipairs{"from", "over0"} do code:declare("dsr", name) end
  for channel = 1, 2 * spec.classes - 1 do code:declare("dsr", "over" .. channel) end
  for channel = 0, 2 * spec.classes - 1 do code:declare("microthread", "in" .. channel) end
end

-- Calls body(class, half) for each half of a class that has elements.
local function each_half(spec, body)
  for half = 0, 1 do
    for class = 0, spec.classes - 1 do
      if count_of(spec, class, half) > 0 then body(class, half) end
    end
  end
end

local function channels(swap, half)
  if half == 0 then return swap.low, swap.high end
  return swap.high, swap.low
end

-- Notes in bit `class` of `differs` whether the two bits of this node do, and starts the microthreads.
local function receive(code, spec, number)
  local step = spec.steps[number]
  code:op("mov32 differs, 0")
  for class = 0, spec.classes - 1 do
    local swap = step[class]
    code:op("mov32 a, ((x >> %d ^ x >> %d) & 1) << %d", swap.low, swap.high, class)
    code:op("or32 differs, differs, a")
  end
  each_half(spec, function(class, half)
    local first, second = channels(step[class], half)
    local label, thread = format("%d_%d_%d", number, class, half), 2 * class + half
    code:op("and32 a, differs, %d", 1 << class)
    code:op("beq a, 0, $passes%s", label)
    code:op("mov32 %s, fabin(rx%d) async in%d", elements_of(spec, "$coming", class, half), second, thread)
    code:op("jmp $ready%s", label)
    code:line("$passes%s:", label)
    code:op("mov32 fabout(tx%d, length=%d), fabin(rx%d) async in%d", second, count_of(spec, class, half), first, thread)
    code:line("$ready%s:", label)
    code:op("setd over%d, fabout(tx%d)", half * spec.classes + class, first)
  end)
end

-- Sends `count` elements from where `from` is on, the first ones of a round of both halves of all classes; a node passes
-- over those of a class in which it has equal bits.
local function send_some(code, spec, name, count)
  for k = 0, count - 1 do
    code:op("and32 a, differs, %d", 1 << k % spec.classes)
    code:op("beq a, 0, $skips%s_%d", name, k)
    code:op("mov32 over%d, from", k)
    code:op("jmp $next%s_%d", name, k)
    code:line("$skips%s_%d:", name, k)
    code:op("mov32 a, from")
    code:line("$next%s_%d:", name, k)
  end
end

local function send(code, spec, number)
  local round = 2 * spec.classes
  local rounds, rest = spec.elements // round, spec.elements % round
  code:op("setd from, save(%s[0, :])", spec.array)
  if rounds > 0 then
    code:op("mov32 left, %d", rounds)
    code:line("$round%d:", number)
    send_some(code, spec, format("%d", number), round)
    code:op("sub32 left, left, 1")
    code:op("bne left, 0, $round%d", number)
  end
  send_some(code, spec, format("%d_rest", number), rest)
end

-- Writes step `number`: what has come is in its place at its end.
function swap_program.step(code, spec, number)
  receive(code, spec, number)
  send(code, spec, number)
  if spec.counted then code:op("mov32 fullest[%d], %d", number - 1, count_of(spec, 0, 0)) end
  each_half(spec, function(class, half)
    local label = format("%d_%d_%d", number, class, half)
    code:op("wait in%d", 2 * class + half)
    code:op("and32 a, differs, %d", 1 << class)
    code:op("beq a, 0, $kept%s", label)
    code:op("mov32 %s, %s", elements_of(spec, spec.array, class, half), elements_of(spec, "$coming", class, half))
    code:line("$kept%s:", label)
  end)
end

return swap_program

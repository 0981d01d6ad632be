-- One step of a phase of exchanges (exchange_program.lua) that swaps pairs of bits of the places of all pieces, one pair
-- after the other for each element, all of them at once for a whole piece. With the bits `low` and `high` of a pair:
--
--      01 ---low---> 00 ---high---> 10      half 0 of the elements, the even ones, of a node with 01
--      01 ---high--> 11 ---low----> 10      half 1, the odd ones; elements of 10 go the other way round
--
-- A node whose bits are equal passes words on, each as soon as it comes. A node whose bits differ sends its elements on their
-- two links, and what comes from the node opposite continues over the next pair in which its bits differ, or into memory.
-- So words flow through all pairs without a stop, and every link of their dimensions carries a half, in each way.
-- A microthread in<k> receives on each channel; the main thread sends the node's own elements over its first pair.
-- Registers: left, a, differs. Descriptors: from, over0, over1.
local format = string.format

local swap_program = {}

-- Elements of a half.
local function count_of(spec, half) return (spec.elements + 1 - half) // 2 end

function swap_program.declare(code)
  code:registers(2, {"left"})
  code:registers(4, {"a"})
  code:registers(11, {"differs"})
  for _, name in ipairs{"from", "over0", "over1"} do code:declare("dsr", name) end
end

-- The dimensions that elements of a half cross in a swap, in their order.
local function channels(swap, half)
  if half == 0 then return swap.low, swap.high end
  return swap.high, swap.low
end

-- Jumps to label `name`<k> for the first pair after number `last` in which the bits of this node differ; continues where
-- there is none.
local function jump_to_next(code, step, last, name)
  for k = last + 1, #step do
    code:op("and32 a, differs, %d", 1 << k)
    code:op("bne a, 0, $%s%d", name, k)
  end
end

-- Starts the microthread of one half of pair number k.
local function receive(code, spec, number, k, half)
  local step, thread = spec.steps[number], 2 * (k - 1) + half
  local first, second = channels(step[k], half)
  local name, count = format("%d_%d_%d", number, k, half), count_of(spec, half)
  code:op("and32 a, differs, %d", 1 << k)
  code:op("bne a, 0, $takes%s", name)
  code:op("mov32 fabout(tx%d, length=%d), fabin(rx%d) async in%d", second, count, first, thread)
  code:op("jmp $ready%s", name)
  code:line("$takes%s:", name)
  jump_to_next(code, step, k, "on" .. name .. "_")
  code:op("mov32 $coming[%d:%d:2, 0], fabin(rx%d) async in%d", half, spec.elements, second, thread)
  code:op("jmp $ready%s", name)
  for next = k + 1, #step do
    code:line("$on%s_%d:", name, next)
    code:op("mov32 fabout(tx%d, length=%d), fabin(rx%d) async in%d", channels(step[next], half), count, second, thread)
    code:op("jmp $ready%s", name)
  end
  code:line("$ready%s:", name)
end

-- Sends the elements of a node over its first pair, and brings what has come to its place.
local function send(code, spec, number)
  local step = spec.steps[number]
  jump_to_next(code, step, 0, format("first%d_", number))
  code:op("jmp $sent%d", number)
  for k = 1, #step do
    code:line("$first%d_%d:", number, k)
    code:op("setd over0, fabout(tx%d)", step[k].low)
    code:op("setd over1, fabout(tx%d)", step[k].high)
    code:op("jmp $send%d", number)
  end
  code:line("$send%d:", number)
  code:op("setd from, save(%s[0, :])", spec.array)
  if spec.elements > 1 then
    code:op("mov32 left, %d", spec.elements // 2)
    code:line("$pair%d:", number)
    code:op("mov32 over0, from")
    code:op("mov32 over1, from")
    code:op("sub32 left, left, 1")
    code:op("bne left, 0, $pair%d", number)
  end
  if spec.elements % 2 == 1 then code:op("mov32 over0, from") end
  code:line("$sent%d:", number)
end

-- Writes step `number`: what has come is in its place at its end.
function swap_program.step(code, spec, number)
  local step, halves = spec.steps[number], math.min(spec.elements, 2)
  code:op("mov32 differs, 0")
  for k, swap in ipairs(step) do
    code:op("mov32 a, ((x >> %d ^ x >> %d) & 1) << %d", swap.low, swap.high, k)
    code:op("or32 differs, differs, a")
  end
  for k = 1, #step do
    for half = 0, halves - 1 do receive(code, spec, number, k, half) end
  end
  send(code, spec, number)
  if spec.counted then code:op("mov32 fullest[%d], %d", number - 1, count_of(spec, 0)) end
  for k = 1, #step do
    for half = 0, halves - 1 do code:op("wait in%d", 2 * (k - 1) + half) end
  end
  code:op("beq differs, 0, $kept%d", number)
  code:op("mov32 %s[0:%d, 0], $coming[0:%d, 0]", spec.array, spec.elements, spec.elements)
  code:line("$kept%d:", number)
end

return swap_program

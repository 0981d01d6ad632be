-- Exchange steps over all channels of a node at once (steps.lua), on a cube.
--
-- A microthread receives on each channel, and the main thread sends: element by element, round the
-- channels, so all links begin and end together. (Microthreads that send would have to share the
-- ramp by their fixed priorities: the last channel would begin when the others' queues are full.)
-- With d > 8 the main thread also receives on the channels that no microthread has, a round of
-- elements at a time, kLead rounds behind its sends.
-- The words of each channel are noted in `sent`; a channel that is used twice in a step ends the
-- run.
-- A message of several parts needs a register `parts` of the program, and its `target` all parts
-- one after the other where the main thread receives. Descriptors: those of steps.lua, of which
-- `from` walks along a message, and over<k>.
local steps = require "alltoall.lib.steps"

local cube_steps = {}

local kMicrothreads = 8  -- those of a PE, 0 to 7
cube_steps.microthreads = kMicrothreads
local kLead = 2  -- rounds of elements under way, for which ramps and routers have room

local function channel(spec, k) return (spec.first or 0) + k end

function cube_steps.declare(code, spec)
  steps.declare(code, spec, spec.d)
  for k = 0, spec.d - 1 do code:declare("dsr", "over" .. k) end
  for k = 0, math.min(spec.d, kMicrothreads) - 1 do code:declare("microthread", "in" .. k) end
end

-- Before the first step.
function cube_steps.prepare(code, spec)
  for k = 0, spec.d - 1 do
    code:op("setd over%d, fabout(tx%d)", k, channel(spec, k))
  end
end

-- The cycles of a step of kind t: {i, k} with the channel.
local function cycles_of(spec, t)
  local list = {}
  for i = 0, steps.cycles(spec) - 1 do list[i + 1] = {i = i, k = (t + i) % spec.d} end
  return list
end

local function receive(code, spec, cycle)
  steps.set(code, spec, "into", spec.target, cycle.i, cycle.k)
  code:op("mov32 into, fabin(rx%d) async in%d", channel(spec, cycle.k), cycle.k)
end

-- The words of a channel, which nothing else may have used in this step: those in register b.
local function account(code, cycle)
  code:op("mov32 a, $sent[%d]", cycle.k)
  code:op("assert a == 0")
  code:op("mov32 $sent[%d], b", cycle.k)
end

local function send_round(code, spec, t, count)
  for i = 0, count - 1 do code:op("mov32 over%d, from", (t + i) % spec.d) end
end

-- Receives the round of elements at `row` on the channels that no microthread has.
local function receive_round(code, spec, alone, count)
  for _, cycle in ipairs(alone) do
    if cycle.i < count then
      spec.target.address(code, cycle.i, cycle.k)
      code:op("add32 a, a, row")
      code:op("setd into, %s[0, :]", spec.target.array)
      code:op("setdbase into, a")
      code:op("mov32 into, fabin(rx%d)", channel(spec, cycle.k))
    end
  end
  if #alone > 0 then code:op("add32 row, row, %d", count * spec.words * 4) end
end

local function whole_round(code, spec, t)
  send_round(code, spec, t, spec.d)
  code:op("add32 words, words, %d", spec.words)
end

-- One part of the message: whole rounds over d channels, then what is left over.
local function send_part(code, spec, t, alone)
  local rounds, rest = spec.elements // spec.d, spec.elements % spec.d
  local lead = #alone > 0 and math.min(kLead, rounds) or 0
  for _ = 1, lead do whole_round(code, spec, t) end
  if rounds > lead then
    code:op("mov32 left, %d", rounds - lead)
    code:line("$round%d:", t)
    whole_round(code, spec, t)
    receive_round(code, spec, alone, spec.d)
    code:op("sub32 left, left, 1")
    code:op("bne left, 0, $round%d", t)
  end
  send_round(code, spec, t, rest)
  for _ = 1, lead do receive_round(code, spec, alone, spec.d) end
  receive_round(code, spec, alone, rest)
end

-- The words of channels: those of all whole rounds, one element more for the first ones.
local function send(code, spec, t, alone)
  local blocks, rest = spec.blocks or 1, spec.elements % spec.d
  code:op("mov32 words, 0")
  if #alone > 0 then code:op("mov32 row, 0") end
  if blocks > 1 then
    code:op("mov32 parts, %d", blocks)
    code:line("$part%d:", t)
  end
  send_part(code, spec, t, alone)
  if blocks > 1 then
    code:op("sub32 parts, parts, 1")
    code:op("bne parts, 0, $part%d", t)
  end
  for _, cycle in ipairs(cycles_of(spec, t)) do
    code:op("add32 b, words, %d", cycle.i < rest and spec.words * blocks or 0)
    account(code, cycle)
  end
end

local function exchange(code, spec, t)
  local threads, alone = {}, {}
  for _, cycle in ipairs(cycles_of(spec, t)) do
    local list = cycle.k < kMicrothreads and threads or alone
    list[#list + 1] = cycle
  end
  for _, cycle in ipairs(threads) do receive(code, spec, cycle) end
  send(code, spec, t, alone)
  for _, cycle in ipairs(threads) do code:op("wait in%d", cycle.k) end
  if spec.leave then spec.leave(code, t) end
end

function cube_steps.tasks(code, spec)
  steps.tasks(code, spec, function(t) exchange(code, spec, t) end)
end

return cube_steps

-- Exchange steps over all channels of a node at once, as tasks of a program.
--
-- A message of n elements is dealt out to d cycles: element e to cycle e mod d. In a step of kind t
-- cycle i crosses dimension (t + i) mod d, so there is one task, shift<t>, for each t. Each one
--   - lets a microthread per channel receive what comes over it, to the places of its cycle;
--   - sends the message word by word round the channels, as the links take them;
--   - notes in `sent` the words of each channel. A channel that is used twice in a step ends the run.
-- There are kMicrothreads of those: the main thread itself receives on channels beyond them, as many
-- elements behind its sends as kLead says.
-- Then all kinds come to `next_step`, which notes the words of the fullest channel in `fullest`.
-- Registers: step, words, left, row, a, b; descriptors: from (what is sent, walked along), into, over<k>.
local steps = {}

local kMicrothreads = 8
local kLead = 2  -- elements of a channel under way at most, before one is received: ramps hold them

-- spec: d, elements (n of a message), words (of an element), steps (how many); `operands`, the
-- descriptors that a receiving instruction needs, each {name, array, address}: address(code, i, k) leaves
-- in register a the address of element i of the block, on channel k; places(i, k), instead of an
-- array of rows, is an operand whose address counts from 0; `receive`, that instruction with %s for the
-- fabric; enter(code, t): what a step does first; choose(code): jumps to go<t>, or to `finish`.
-- first: the lowest of the d dimensions (0), if they are those of a subcube.
-- blocks: how many parts of n elements a message has, each dealt out anew (1); more need d <= 8.
local function channel(spec, k) return (spec.first or 0) + k end

-- Registers 6 and following ones are the program's.
function steps.declare_names(code)
  code:registers(0, {"step", "words", "left", "row", "a", "b"})
  code:declare("dsr", "from")
  code:declare("dsr", "into")
end

function steps.declare(code, spec)
  local d = spec.d
  code:line(".i32 $sent[%d]", d)
  code:line(".i32 $fullest[%d]", spec.steps)
  steps.declare_names(code)
  for k = 0, d - 1 do code:declare("dsr", "over" .. channel(spec, k)) end
  for k = 0, math.min(d, kMicrothreads) - 1 do code:declare("microthread", "in" .. k) end
end

-- In main, before the first step.
function steps.prepare(code, spec)
  for k = 0, spec.d - 1 do
    code:op("setd over%d, fabout(tx%d)", channel(spec, k), channel(spec, k))
  end
  code:op("mov32 step, 1")
end

-- What cycle i receives: all its elements, or that of the round at `row`.
local function receive(code, spec, t, i, one)
  local k = (t + i) % spec.d
  for _, operand in ipairs(spec.operands) do
    local slice = one and "0" or string.format("%d:%d:%d", i, spec.elements, spec.d)
    operand.address(code, i, k)
    if one then code:op("add32 a, a, row") end
    local places = operand.places and operand.places(i, k)
    code:op("setd %s, %s", operand.name,
            places or string.format("%s[%s, :]", operand.array, slice))
    code:op("setdbase %s, a", operand.name)
  end
  local async = one and "" or string.format(" async in%d", k)
  code:op(spec.receive .. async, string.format("fabin(rx%d)", channel(spec, k)))
end

local function is_received_alone(spec, t, i)
  return (t + i) % spec.d >= kMicrothreads and i < spec.elements
end

local function send_round(code, spec, t, count)
  for i = 0, count - 1 do code:op("mov32 over%d, from", channel(spec, (t + i) % spec.d)) end
end

-- Receives a round on the channels that no microthread has.
local function receive_round(code, spec, t, count)
  local some = false
  for i = 0, count - 1 do
    if is_received_alone(spec, t, i) then
      receive(code, spec, t, i, true)
      some = true
    end
  end
  if some and count == spec.d then
    code:op("add32 row, row, %d", spec.d * spec.words * 4)
  end
end

local function whole_round(code, spec, t)
  send_round(code, spec, t, spec.d)
  code:op("add32 words, words, %d", spec.words)
end

-- One part of the message: whole rounds over d channels, then what is left over.
local function send_part(code, spec, t)
  local d = spec.d
  local rounds, rest = spec.elements // d, spec.elements % d
  local lead = d > kMicrothreads and math.min(kLead, rounds) or 0
  if d > kMicrothreads then code:op("mov32 row, 0") end
  for _ = 1, lead do whole_round(code, spec, t) end
  if rounds > lead then
    code:op("mov32 left, %d", rounds - lead)
    code:line("$round%d:", t)
    whole_round(code, spec, t)
    receive_round(code, spec, t, d)
    code:op("sub32 left, left, 1")
    code:op("bne left, 0, $round%d", t)
  end
  send_round(code, spec, t, rest)
  for _ = 1, lead do receive_round(code, spec, t, d) end
  receive_round(code, spec, t, rest)
end

local function send(code, spec, t)
  code:op("mov32 words, 0")
  if not spec.blocks then return send_part(code, spec, t) end
  code:op("mov32 row, %d", spec.blocks)
  code:line("$part%d:", t)
  send_part(code, spec, t)
  code:op("sub32 row, row, 1")
  code:op("bne row, 0, $part%d", t)
end

-- The words of each channel, which nothing else may have used in this step.
local function account(code, spec, t)
  local rest = spec.elements % spec.d
  for i = 0, math.min(spec.d, spec.elements) - 1 do
    local k = (t + i) % spec.d
    code:op("mov32 a, $sent[%d]", k)
    code:op("assert a == 0")
    code:op("add32 a, words, %d", i < rest and spec.words * (spec.blocks or 1) or 0)
    code:op("mov32 $sent[%d], a", k)
  end
end

local function task(code, spec, t)
  code:line("task $shift%d:", t)
  spec.enter(code, t)
  local cycles = math.min(spec.d, spec.elements)
  for i = 0, cycles - 1 do
    if not is_received_alone(spec, t, i) then receive(code, spec, t, i, false) end
  end
  send(code, spec, t)
  account(code, spec, t)
  for i = 0, cycles - 1 do
    if not is_received_alone(spec, t, i) then code:op("wait in%d", (t + i) % spec.d) end
  end
  code:op("jmp $next_step")
end

-- Begins with the first step; where none is run, with what is behind them.
function steps.start(code, request)
  if request.steps_run == 0 then
    code:op("jmp $finish")
  else
    code:op("activate $shift0")
    code:op("end")
  end
end

-- What all kinds of steps come to. Behind it code goes on at the label `finish`, where the last one ends.
function steps.finish_step(code, spec)
  code:line("$next_step:")
  code:op("mov32 a, 0")
  code:op("max32 a, a, $sent")
  code:op("sub32 b, step, 1")
  code:op("mov32 $fullest[b], a")
  code:op("mov32 $sent, 0")
  code:op("mark $step")
  code:op("add32 step, step, 1")
  code:op("bgt step, %d, $finish", spec.steps)
  spec.choose(code)
  for t = 0, spec.d - 1 do
    code:line("$go%d:", t)
    code:op("activate $shift%d", t)
    code:op("end")
  end
  code:line("$finish:")
end

-- All tasks of the steps.
function steps.tasks(code, spec)
  for t = 0, spec.d - 1 do task(code, spec, t) end
  steps.finish_step(code, spec)
end

-- Kinds of d rotated Hamiltonian cycles: t_u of step u + 1, the number of zeros below its lowest one.
function steps.choose_by_lowest_one(d)
  return function(code)
    for t = 0, d - 1 do
      code:op("and32 a, step, %d", 1 << t)
      code:op("bne a, 0, $go%d", t)
    end
  end
end

-- Kinds of rotated binomial trees: the number of the highest one. first(code) is done in the first step
-- of a kind.
function steps.choose_by_highest_one(d, first)
  return function(code)
    code:op("sub32 a, step, 1")
    code:op("and32 a, a, step")
    code:op("bne a, 0, $same_kind")
    first(code)
    code:line("$same_kind:")
    for t = 0, d - 1 do code:op("blt step, %d, $go%d", 2 << t, t) end
  end
end

-- Step u + 1 is of kind u.
function steps.choose_in_order(d)
  return function(code)
    for t = 0, d - 1 do code:op("beq step, %d, $go%d", t + 1, t) end
  end
end

return steps

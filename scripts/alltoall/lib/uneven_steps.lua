-- Exchange steps over all channels of a node of a cube, as cube_steps.lua has them, for blocks of different
-- sizes. The elements of cycle i that depart in a step belong to another block than those of cycle i + 1, and
-- so do those that arrive, so each channel has a length of its own, which nodes compute in every step from the
-- numbers of the blocks. A channel without elements is not used.
-- Needs a microthread for each channel. Specification: that of steps.lua, with
--   way(code, register, out, t): leaves the code, relative to the own node, of the block of cycle 0 that departs
--     or arrives; that of cycle i is turned by i. May use register scratch;
--   size(code, n, b): leaves in register n how many elements the block has whose number is in b;
--   order: of blocks; register `own` has the own one.
local cube_steps = require "alltoall.lib.cube_steps"
local steps = require "alltoall.lib.steps"

local uneven_steps = {prepare = cube_steps.prepare}

function uneven_steps.declare(code, spec)
  cube_steps.declare(code, spec)
  for _, name in ipairs{"departing", "arriving"} do code:line(".i32 $%s_count[%d]", name, spec.d) end
end

local function channel(spec, k) return (spec.first or 0) + k end

-- The elements of each cycle in the blocks of the step: ceil((n - i) / d) of n.
local function count(code, spec, t, out)
  local name = out and "departing" or "arriving"
  spec.way(code, "a", out, t)
  for i = 0, spec.d - 1 do
    code:rotate("b", "a", i, "scratch", spec.d)
    if spec.order == "gray" then code:decode("b", "scratch", spec.d) end
    code:op("xor32 b, b, own")
    spec.size(code, "b", "b")
    code:op("add32 b, b, %d", spec.d - 1 - i)
    code:op("divs32 b, b, %d", spec.d)
    code:op("mov32 $%s_count[%d], b", name, i)
  end
end

local function receive(code, spec, i, t)
  local k = (t + i) % spec.d
  code:op("mov32 b, $arriving_count[%d]", i)
  code:op("beq b, 0, $nothing%d_%d", t, i)
  steps.set(code, spec, "into", spec.target, i, k)
  if spec.words > 1 then code:op("mul32 b, b, %d", spec.words) end
  code:op("setdlen into, b")
  code:op("mov32 into, fabin(rx%d) async in%d", channel(spec, k), k)
  code:line("$nothing%d_%d:", t, i)
end

-- Element by element round the channels; register a walks along the message.
local function send(code, spec, t)
  spec.source.address(code, 0)
  code:op("setd from, %s[0, :]", spec.source.array)
  code:op("mov32 left, 0")
  code:line("$round%d:", t)
  for i = 0, spec.d - 1 do
    code:op("mov32 b, $departing_count[%d]", i)
    code:op("ble b, left, $sent%d_%d", t, i)
    code:op("setdbase from, a")
    code:op("mov32 over%d, from", (t + i) % spec.d)
    code:line("$sent%d_%d:", t, i)
    code:op("add32 a, a, %d", spec.words * 4)
  end
  code:op("add32 left, left, 1")
  code:op("blt left, %d, $round%d", (spec.elements + spec.d - 1) // spec.d, t)
end

-- The words of each channel, which nothing else may have used in this step.
local function account(code, spec, i, t)
  local k = (t + i) % spec.d
  code:op("mov32 a, $sent[%d]", k)
  code:op("assert a == 0")
  code:op("mov32 b, $departing_count[%d]", i)
  code:op("mul32 b, b, %d", spec.words)
  code:op("mov32 $sent[%d], b", k)
end

function uneven_steps.tasks(code, spec)
  steps.tasks(code, spec, function(t)
    count(code, spec, t, true)
    count(code, spec, t, false)
    for i = 0, steps.cycles(spec) - 1 do receive(code, spec, i, t) end
    send(code, spec, t)
    for i = 0, spec.d - 1 do account(code, spec, i, t) end
    for i = 0, steps.cycles(spec) - 1 do
      code:op("mov32 b, $arriving_count[%d]", i)
      code:op("beq b, 0, $idle%d_%d", t, i)
      code:op("wait in%d", (t + i) % spec.d)
      code:line("$idle%d_%d:", t, i)
    end
  end)
end

return uneven_steps

-- The program of all-to-all broadcast over one Hamiltonian cycle: in step j every node sends block
-- j - 1 of z to the node before it on the cycle, and receives block j from the one behind it.
local NodeCode = require "alltoall.lib.node_code"
local blocks = require "alltoall.lib.blocks"
local reorder = require "alltoall.lib.reorder"
local ring_steps = require "alltoall.lib.ring_steps"

local broadcast_ring = {}

local function declare(code, request)
  reorder.declare(code, request)
  code:line(".i32 fullest[%d]", request.counters)
  code:line(".reg step, row, a, b, place, to, own, scratch, sent, sending, count, leaving")
  code:line(".dsr from, into, out, coming")
  code:line(".microthread incoming")
end

-- The words of a step, `sent`, are those by which its source has moved on. A PE that sends a
-- second time in a step ends the run.
local function shift(code, request)
  code:line("task shift:")
  code:op("mov32 into, coming async incoming")
  code:op("assert sent == 0")
  code:op("getdpos a, from")
  code:op("mov32 out, from")
  code:op("getdpos sent, from")
  code:op("sub32 sent, sent, a")
  code:op("wait incoming")
  ring_steps.finish(code, request)
end

-- count = the words of the block that is `step` + ahead places further on the cycle.
local function words_of_block(code, request, ahead)
  code:op("add32 b, own, step")
  if ahead > 0 then code:op("add32 b, b, %d", ahead) end
  code:op("and32 b, b, %d", request.nodes - 1)
  if request.order == "binary" then code:encode("b", "scratch") end
  blocks.size_of(code, request, "count", "b")
  code:op("mul32 count, count, %d", request.element.moved_words)
end

-- Writes the task of a step for blocks of several sizes: `leaving` words of z at address `sending` depart, `count` ones come to the
-- block behind them.
local function uneven_shift(code, request)
  code:line("task shift:")
  words_of_block(code, request, 0)
  code:op("mov32 leaving, count")
  words_of_block(code, request, 1)
  code:op("setdbase from, sending")
  code:op("add32 sending, sending, %d", request.m * request.element.moved_words * 4)
  code:op("beq count, 0, nothing_comes")
  code:op("setdbase into, sending")
  code:op("setdlen into, count")
  code:op("mov32 into, coming async incoming")
  code:line("nothing_comes:")
  ring_steps.send_and_finish(code, request, "out")
end

-- Its text for a program called `node`.
function broadcast_ring.text(request)
  local code, m = NodeCode.new(), request.m
  code:ring_head(request)
  declare(code, request)
  code:line("task main:")
  reorder.begin(code, request)
  code:op("setd from, save(z[0:%d, :])", m)
  if request.steps_run > 0 then code:op("setd into, save(z[%d:%d, :])", m, 2 * m) end
  if request.uneven then
    code:own_block("own", "scratch", request, "gray")
    code:op("setd from, z[0:%d, :]", m)
    code:op("setd into, z[0:%d, :]", m)
    code:op("getdbase sending, from")
  end
  code:op("setd out, fabout(tx)")
  code:op("setd coming, fabin(rx)")
  code:op("mov32 step, 0")
  code:op("mov32 sent, 0")
  code:op("mark begin")
  if request.steps_run == 0 then code:op("jmp finish") else code:op("activate shift") end
  if request.steps_run > 0 then code:op("end") end
  if request.uneven then uneven_shift(code, request) else shift(code, request) end
  code:line("finish:")
  code:op("mark end")
  if request.reorder then reorder.by_places(code, request) end
  code:op("halt")
  return code:text()
end

return broadcast_ring

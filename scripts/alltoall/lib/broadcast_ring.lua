-- The program of all-to-all broadcast over one Hamiltonian cycle: in step j every node sends block
-- j - 1 of z to the node before it on the cycle, and receives block j from the one behind it.
local NodeCode = require "alltoall.lib.node_code"
local reorder = require "alltoall.lib.reorder"

local broadcast_ring = {}

local function declare(code, request)
  reorder.declare(code, request)
  code:line(".i32 fullest[%d]", request.counters)
  code:line(".reg step, row, a, b, place, to, own, scratch, sent")
  code:line(".dsr from, into, out, coming")
  code:line(".microthread incoming")
end

-- The words of a step, `sent`, are those by which its source has moved on. Whoever sends a second
-- time in a step ends the run.
local function shift(code, request)
  code:line("task shift:")
  code:op("mov32 into, coming async incoming")
  code:op("assert sent == 0")
  code:op("getdpos a, from")
  code:op("mov32 out, from")
  code:op("getdpos sent, from")
  code:op("sub32 sent, sent, a")
  code:op("wait incoming")
  code:op("mov32 fullest[step], sent")
  code:op("mov32 sent, 0")
  code:op("mark step")
  code:op("add32 step, step, 1")
  code:op("bge step, %d, finish", request.steps_run)
  code:op("activate shift")
  code:op("end")
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
  code:op("setd out, fabout(tx)")
  code:op("setd coming, fabin(rx)")
  code:op("mov32 step, 0")
  code:op("mov32 sent, 0")
  code:op("mark begin")
  if request.steps_run == 0 then code:op("jmp finish") else code:op("activate shift") end
  if request.steps_run > 0 then code:op("end") end
  shift(code, request)
  code:line("finish:")
  code:op("mark end")
  if request.reorder then reorder.by_places(code, request) end
  code:op("halt")
  return code:text()
end

return broadcast_ring

-- The program of all-to-all reduction over one Hamiltonian cycle: the partial sums of a block begin
-- in the node behind the one that it belongs to, and go round to it. In step u = 0..2^d - 2 the
-- node at place p sends the sums of the block of place p - 1 - u and combines what comes with its
-- own elements of the block of place p - 2 - u, into the other half of `lounge`.
local NodeCode = require "alltoall.lib.node_code"
local blocks = require "alltoall.lib.blocks"
local ring_steps = require "alltoall.lib.ring_steps"

local reduce_ring = {}

local function declare(code, request)
  local m = request.m
  code:line(".%s v[%d] exported", request.element.data, request.nodes * m)
  code:line(".%s lounge[%d]", request.element.data, 2 * m)
  if request.whole then code:line(".%s y[%d]", request.element.data, m) end
  code:line(".i32 fullest[%d]", math.max(request.steps_run, 1))
  code:line(".reg step, a, b, scratch, place, blocks, sent, half, halves, count, leaving")
  code:line(".dsr from, into, part, over, coming")
  code:line(".microthread incoming")
end

-- Moves `place` one back, and sets `part` to the block there: the one of that number in Gray order,
-- of that node in binary order.
local function previous_block(code, request)
  code:op("sub32 place, place, 1")
  code:op("and32 place, place, %d", request.nodes - 1)
  code:op("mov32 b, place")
  if request.order == "binary" then code:encode("b", "scratch") end
  if request.uneven then blocks.size_of(code, request, "count", "b") end
  blocks.address(code, request, "b", "blocks", 1)
  code:op("setdbase part, b")
end

local function prepare(code, request)
  local m = request.m
  code:own_block("place", "scratch", request, "gray")
  code:op("setd part, v[0:%d:%d]", m * blocks.stride(request), blocks.stride(request))
  code:op("getdbase blocks, part")
  code:op("setd from, save(circular(lounge, length=%d))", m)
  code:op("setd into, save(circular(lounge, length=%d))", m)
  code:op("setd over, fabout(tx)")
  code:op("setd coming, fabin(rx)")
  code:op("mov32 step, 0")
  code:op("mov32 sent, 0")
end

-- The words of a step, `sent`, are those by which its source has moved on. A PE that sends a
-- second time in a step ends the run.
local function shift(code, request)
  code:line("task shift:")
  previous_block(code, request)
  code:op("%s into, part, coming async incoming", request.combine)
  code:op("assert sent == 0")
  code:op("getdpos a, from")
  code:op("mov32 over, from")
  code:op("getdpos sent, from")
  code:op("sub32 sent, sent, a")
  code:op("abs32 sent, sent")
  code:op("wait incoming")
  ring_steps.finish(code, request)
end

-- Writes the task of a step for blocks of several sizes: `leaving` elements of the half of `lounge` at address `half` depart,
-- `count` ones of another block come and go to the other half.
local function uneven_shift(code, request)
  code:line("task shift:")
  code:op("mov32 leaving, count")
  previous_block(code, request)
  code:op("setdbase from, half")
  code:op("mul32 half, half, -1")
  code:op("add32 half, half, halves")
  code:op("beq count, 0, nothing_comes")
  code:op("setdbase into, half")
  for _, name in ipairs{"part", "into", "coming"} do code:op("setdlen %s, count", name) end
  code:op("%s into, part, coming async incoming", request.combine)
  code:line("nothing_comes:")
  ring_steps.send_and_finish(code, request, "over")
end

-- Its text for a program called `node`.
function reduce_ring.text(request)
  local code = NodeCode.new()
  code:ring_head(request)
  declare(code, request)
  code:line("task main:")
  prepare(code, request)
  code:op("mark begin")
  previous_block(code, request)
  if request.uneven then
    code:op("setd into, lounge[0:%d]", request.m)
    code:op("setd from, lounge[0:%d]", request.m)
    code:op("getdbase half, from")
    code:op("sll32 halves, half, 1")
    code:op("add32 halves, halves, %d", request.m * 4)
  end
  code:op("mov32 into, part")
  code:op(request.steps_run == 0 and "jmp finish" or "activate shift")
  if request.steps_run > 0 then code:op("end") end
  if request.uneven then uneven_shift(code, request) else shift(code, request) end
  code:line("finish:")
  code:op("mark end")
  if request.whole then
    code:op("mark moved")
    if request.uneven then
      code:op("setd from, lounge[0:%d]", request.m)
      code:op("setdbase from, half")
    end
    code:op("mov32 y, from")
    code:op("mark reordered")
  end
  code:op("halt")
  return code:text()
end

return reduce_ring

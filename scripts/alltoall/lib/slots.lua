-- Slots of a pipeline through the d trees of disjoint links (trees.lua), written as code.
-- In a slot a node sends a packet, at most two words, over each channel, then receives one over
-- each. Words that are sent in a slot are sent on in the next one, by nodes further down. A packet is
-- in y where its words belong, in every node that it passes.
--
-- A flood: packet g of a message, words 2 g and 2 g + 1, travels in tree g mod d, one tree's
-- packets in successive slots. A channel therefore has a packet of its tree in each slot, d further
-- than the last: there is none yet below 0 and none any more beyond the message. The first ones are
-- tables.
-- A gather: block by block travels up each tree (gather.lua); a table says for each channel which
-- block has its turn, or none (-1). Short blocks and those with an odd number of words go word by
-- word, in two passes of a slot, so that no slot is half empty.
-- Registers: slot (number in the run), left, base (address of the message), used (channels of a
-- pass), most (words of its fullest one), in_slot (of all passes), a, b, g.
local gather = require "alltoall.lib.gather"
local trees = require "alltoall.lib.trees"
local format = string.format

local slots = {}

local kNever = 1 << 30          -- no packet of a flood has that number
local kNone, kOver = -1, -2     -- turns of a gather: nobody's, and the end

function slots.declare(code, request)
  local d = request.d
  for k = 0, d - 1 do code:line(".dsr over%d", k) end
  code:line(".dsr from, into")
  code:line(".reg slot, left, base, used, most, in_slot, a, b, g")
  code:line(".i32 fullest[%d]", request.total_steps)
  code:line(".i32 next_out[%d]", d)
  code:line(".i32 next_in[%d]", d)
end

function slots.prepare(code, request)
  for k = 0, request.d - 1 do code:op("setd over%d, fabout(tx%d)", k, k) end
  code:op("setd from, y[0:2]")
  code:op("setd into, y[0:2]")
  code:op("mov32 slot, 0")
end

-- Begins with the first task; where no slot is run, with the end.
function slots.begin(code, request, task)
  code:op("mark begin")
  if request.steps_run == 0 then
    code:op("jmp finish")
  else
    code:op("activate %s", task)
    code:op("end")
  end
end

-- Sends or receives the packet whose address is in a, of `words` words: a number or a register.
local function move(code, k, out, words)
  local descriptor = out and "from" or "into"
  if words then code:op("setdlen %s, %s", descriptor, words) end
  code:op("setdbase %s, a", descriptor)
  if not out then
    code:op("mov32 into, fabin(rx%d)", k)
    return
  end
  code:op("and32 a, used, %d", 1 << k)
  code:op("assert a == 0")
  code:op("or32 used, used, %d", 1 << k)
  code:op("mov32 over%d, from", k)
  code:op("getdlen a, from")
  code:op("max32 most, most, a")
end

-- b = words of packet g of a message that has `words`, which is odd.
local function packet_words(code, words, label)
  code:op("mov32 b, 2")
  code:op("bne g, %d, %s", words // 2, label)
  code:op("mov32 b, 1")
  code:line("%s:", label)
end

local function flood_channel(code, request, k, out, words, name)
  local place = out and "next_out" or "next_in"
  local label = format("%s_%s%d", name, out and "sent" or "got", k)
  code:op("mov32 g, %s[%d]", place, k)
  code:op("add32 a, g, %d", request.d)
  code:op("mov32 %s[%d], a", place, k)
  code:op("blt g, 0, %s", label)
  code:op("bge g, %d, %s", (words + 1) // 2, label)
  if words % 2 == 1 then packet_words(code, words, label .. "_whole") end
  code:op("sll32 a, g, 3")
  code:op("add32 a, a, base")
  move(code, k, out, words % 2 == 1 and "b" or nil)
  code:line("%s:", label)
end

-- `count` slots in a loop, each of so many passes; channel(k, out, pass) writes what a channel does
-- in a pass. Where not all slots are run, the last one jumps to `finish`. The words of the fullest
-- link are at most those of the fullest ones of the passes.
local function loop(code, request, name, count, passes, channel)
  code:op("mov32 left, %d", count)
  code:line("%s_slot:", name)
  code:op("mov32 in_slot, 0")
  for pass = 1, passes do
    code:op("mov32 used, 0")
    code:op("mov32 most, 0")
    for k = 0, request.d - 1 do channel(k, true, pass) end
    for k = 0, request.d - 1 do channel(k, false, pass) end
    code:op("add32 in_slot, in_slot, most")
  end
  code:op("mov32 fullest[slot], in_slot")
  code:op("add32 slot, slot, 1")
  if not request.whole then code:op("beq slot, %d, finish", request.steps_run) end
  code:op("sub32 left, left, 1")
  code:op("bne left, 0, %s_slot", name)
end

-- Slots that a flood of so many words takes.
function slots.flood_slots(words, d) return (words + 2 * d - 1) // (2 * d) + d end

-- Floods the words at address `base`; next_out and next_in hold the first packets of the channels.
function slots.flood(code, request, name, words)
  if words % 2 == 0 then
    code:op("setdlen from, 2")
    code:op("setdlen into, 2")
  end
  loop(code, request, name, slots.flood_slots(words, request.d), 1, function(k, out)
    flood_channel(code, request, k, out, words, name)
  end)
end

-- The first packets of the channels of the node with relative address r: what it sends over
-- dimension k, and what it hears there. A node hears in a tree from its depth on.
local function first_heard(r, k, d)
  if r == 0 then return kNever end
  local j = trees.disjoint_tree(r, k, d)
  return j - (trees.disjoint_depth(r, j) - 1) * d
end

function slots.first_out(r, k, d) return first_heard(r ~ 1 << k, k, d) end

slots.first_in = first_heard

-- Whether the way from a source to node 0 in the source's disjoint tree j leads into `node`.
local function is_on_way(node, source, j, d)
  local r, target = node ~ source, source
  while target ~= 0 do
    if target == r then return true end
    target = target ~ 1 << trees.disjoint_parent(target, j, d)
  end
  return false
end

-- The first packets of the channels of a node, where a source sends to node 0 alone.
function slots.way_in(node, source, k, d)
  local r = node ~ source
  if r == 0 or not is_on_way(node, source, trees.disjoint_tree(r, k, d), d) then return kNever end
  return first_heard(r, k, d)
end

function slots.way_out(node, source, k, d) return slots.way_in(node ~ 1 << k, source, k, d) end

-- Words of a packet of a gather: two, where blocks are whole packets and each tree has one of them.
local function packet_of(request)
  local words = request.block_words
  return words % 2 == 0 and words >= 2 * request.d and 2 or 1
end

local function packets_of(request) return request.block_words // packet_of(request) end

-- The plan of a gather, or of a scatter (gather.lua), in passes.
function slots.gather_plan(request, scatter)
  local plan = gather.plan(request.d, packets_of(request))
  return scatter and gather.backwards(plan, request.d, packets_of(request)) or plan
end

-- The slots of request.plan.
function slots.gather_slots(request) return (request.plan.slots * packet_of(request) + 1) // 2 end

-- Words of its tables in a node, at most: each node has a turn, and few are idle.
function slots.gather_words(nodes, d) return 4 * d * (nodes + 2 * d + 3) end

-- at: the turn of a channel, a place in its list of turns; up: the packet of the block whose turn
-- it is.
function slots.declare_gather(code, request)
  local d, places = request.d, request.plan.turns + 1
  for _, name in ipairs{"out", "in"} do
    code:line(".i32 turns_%s[%d] exported", name, d * places)
    code:line(".i32 firsts_%s[%d] exported", name, d * places)
    code:line(".i32 at_%s[%d] exported", name, d)
    code:line(".i32 up_%s[%d] exported", name, d)
  end
  code:line(".reg following")
end

-- Continues to the next packet of the tree; jumps to `done` where the channel has none, now or for
-- ever. Leaves the block in a, the packet in g.
local function next_of_gather(code, request, k, name, label, done)
  code:op("mov32 g, up_%s[%d]", name, k)
  code:op("mov32 b, at_%s[%d]", name, k)
  code:op("mov32 a, turns_%s[b]", name)
  code:op("beq a, %d, %s", kOver, done)
  code:op("add32 following, g, %d", request.d)
  code:op("blt following, %d, %s", packets_of(request), label)
  code:op("add32 b, b, 1")
  code:op("mov32 at_%s[%d], b", name, k)
  code:op("mov32 following, firsts_%s[b]", name)
  code:line("%s:", label)
  code:op("mov32 up_%s[%d], following", name, k)
  code:op("blt a, 0, %s", done)
end

local function gather_channel(code, request, k, out, pass)
  local name, packet = out and "out" or "in", packet_of(request)
  local label = format("up_%s%d_%d", name, k, pass)
  next_of_gather(code, request, k, name, label .. "_stays", label .. "_done")
  code:op("mul32 a, a, %d", request.block_words * 4)
  code:op("add32 a, a, base")
  code:op("sll32 g, g, %d", packet + 1)
  code:op("add32 a, a, g")
  move(code, k, out)
  code:line("%s_done:", label)
end

-- Of channel k of a node in a gather, on which the lower end of a link sends, or in a scatter, on
-- which it hears: that end, the tree, the depth of that end.
local function gather_link(plan, node, k, out, d)
  local lower = out ~= (plan.backwards == true) and node or node ~ 1 << k
  if lower == 0 then return nil end
  local j = trees.disjoint_tree(lower, k, d)
  return lower, j, trees.disjoint_depth(lower, j)
end

-- Which blocks pass over which link: passes[lower end * d + dimension] = {[turn] = block}.
local function passes_of(request, block_of)
  local d, passes = request.d, {}
  for j = 0, d - 1 do
    for turn, entry in ipairs(request.plan.lists[j]) do
      local r = entry.node or 0
      while r ~= 0 do
        local k = trees.disjoint_parent(r, j, d)
        local link = r * d + k
        passes[link] = passes[link] or {}
        passes[link][turn - 1] = block_of(entry.node)
        r = r ~ 1 << k
      end
    end
  end
  return passes
end

-- The inputs of a gather: functions of (node, _, i).
function slots.gather_inputs(request, block_of)
  local d, plan, inputs = request.d, request.plan, {}
  local places, passes = plan.turns + 1, passes_of(request, block_of)
  for name, out in pairs{out = true, ["in"] = false} do
    inputs["turns_" .. name] = function(node, _, i)
      local lower, j = gather_link(plan, node, i // places, out, d)
      local turn = i % places
      if not lower or turn >= #plan.lists[j] then return kOver end
      local passing = passes[lower * d + i // places]
      return passing and passing[turn] or kNone
    end
    inputs["firsts_" .. name] = function(node, _, i)
      local lower, j = gather_link(plan, node, i // places, out, d)
      local turn = lower and plan.lists[j][i % places + 1]
      return turn and turn.first or 0
    end
    local function start(node, k)
      local lower, j, depth = gather_link(plan, node, k, out, d)
      if not lower then return 0, 0 end
      return gather.start(plan, j, depth, d)
    end
    inputs["at_" .. name] = function(node, _, k) return k * places + (start(node, k)) end
    inputs["up_" .. name] = function(node, _, k) return (select(2, start(node, k))) end
  end
  return inputs
end

-- Gathers all blocks in node 0, or scatters them from there, as the plan says.
function slots.gather(code, request)
  local packet = packet_of(request)
  code:op("setdlen from, %d", packet)
  code:op("setdlen into, %d", packet)
  loop(code, request, "gather", slots.gather_slots(request), 2 // packet, function(k, out, pass)
    gather_channel(code, request, k, out, pass)
  end)
end

return slots

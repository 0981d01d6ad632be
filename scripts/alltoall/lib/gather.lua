-- How the blocks of all nodes of a d-cube come to node 0 through the d trees of disjoint links,
-- packet by packet: which block has its turn when in each tree. Pure.
--
-- The packets of all blocks are dealt out to the trees in turn, so trees have equal shares. In a
-- tree near blocks go first, and those further away have time to come up: node 0 gets a packet over
-- each of its links in every slot. Its own block crosses no link; it has its turns at the beginning
-- of tree 0 and at the end of others, when those links are busy.
local trees = require "alltoall.lib.trees"

local gather = {}

-- A turn in which nobody has a packet: the first one of a block further away than slots have
-- passed.
local function idle(packets) return {first = packets, slots = 1} end

-- The first packet of a block that a tree has; packet g of node r is number r * packets + g of all.
local function first_packet(node, j, packets, d) return (j - node * packets) % d end

local function turns_of(j, d, packets)
  local turns, slot = {}, 0
  for _, node in ipairs(trees.disjoint_order(j, d)) do
    local first = first_packet(node, j, packets, d)
    if first < packets then
      while node ~= 0 and slot < trees.disjoint_depth(node, j) - 1 do
        turns[#turns + 1], slot = idle(packets), slot + 1
      end
      local count = (packets - first + d - 1) // d
      turns[#turns + 1], slot = {node = node, first = first, slots = count}, slot + count
    end
  end
  return turns, slot
end

-- For blocks of so many packets: lists[j] of turns {node, first, slots}, one after the other,
-- `slots` of the longest and `turns` of the list with the most.
function gather.plan(d, packets)
  local plan = {lists = {}, slots = 0, turns = 0}
  for j = 0, d - 1 do
    local turns, slots = turns_of(j, d, packets)
    plan.lists[j] = turns
    plan.slots, plan.turns = math.max(plan.slots, slots), math.max(plan.turns, #turns)
  end
  return plan
end

-- The same packets from node 0 to their nodes: the lists backwards, so far ones go first. The lists
-- begin with d idle slots, of which a link skips as many as its lower end is near to node 0
-- (gather.start).
function gather.backwards(plan, d, packets)
  local back = {lists = {}, slots = plan.slots, turns = plan.turns + d, backwards = true}
  for j = 0, d - 1 do
    local list = {}
    for k = 1, d do list[k] = idle(packets) end
    for k = #plan.lists[j], 1, -1 do list[#list + 1] = plan.lists[j][k] end
    back.lists[j] = list
  end
  return back
end

-- Where a list stands after so many slots: the number of the turn, from 0, and the packet in it.
function gather.after(turns, slots, d)
  for number, turn in ipairs(turns) do
    if slots < turn.slots then return number - 1, turn.first + slots * d end
    slots = slots - turn.slots
  end
  return #turns, 0
end

-- Where the list of tree j stands in slot 0 for a link whose lower end has that depth.
function gather.start(plan, j, depth, d)
  local skipped = plan.backwards and d + 1 - depth or depth - 1
  return gather.after(plan.lists[j], skipped, d)
end

return gather

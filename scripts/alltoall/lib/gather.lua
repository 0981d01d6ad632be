-- How the blocks of all nodes of a d-cube come to node 0 through the d trees of disjoint links,
-- packet by packet: which block has its turn when in each tree. Pure.
--
-- Blocks of at least d packets are dealt out to the trees in turn; a packet of a shorter one goes a
-- shortest way, through the tree that has the fewest. So trees have equal shares. In a tree near
-- blocks go first, and those further away have time to come up: node 0 gets a packet over each of
-- its links in every slot. Its own block crosses no link; it has its turns at the beginning of one
-- tree and at the end of others, when those links are busy.
local trees = require "alltoall.lib.trees"

local gather = {}

-- A turn in which nobody has a packet: the first one of a block further away than slots have
-- passed.
local function idle(packets) return {first = packets, slots = 1} end

-- Packets of long blocks in turn: packet g of node r is number r * packets + g of all.
local function deal_in_turn(d, packets)
  local shares = {}
  for j = 0, d - 1 do
    shares[j] = {}
    for _, node in ipairs(trees.disjoint_order(j, d)) do
      local first = (j - node * packets) % d
      if first < packets then
        local count = (packets - first + d - 1) // d
        table.insert(shares[j], {node = node, first = first, slots = count})
      end
    end
  end
  return shares
end

-- The tree with the fewest packets among those through which the way from a node is shortest; of
-- node 0 that is any.
local function least_tree(shares, node, d)
  local least
  for j = 0, d - 1 do
    local fits = node == 0 or node >> j & 1 == 1
    if fits and (not least or #shares[j] < #shares[least]) then least = j end
  end
  return least
end

-- Packets of short blocks one by one, those of near nodes first, which have the fewest ways.
local function deal_to_the_least(d, packets)
  local shares, begun = {}, false
  for j = 0, d - 1 do shares[j] = {} end
  for _, node in ipairs(trees.by_distance(d)) do
    for g = 0, packets - 1 do
      table.insert(shares[least_tree(shares, node, d)], {node = node, first = g, slots = 1})
    end
  end
  for g = 0, packets - 1 do
    local share = shares[least_tree(shares, 0, d)]
    table.insert(share, begun and #share + 1 or 1, {node = 0, first = g, slots = 1})
    begun = true
  end
  return shares
end

-- A list of turns with idle ones for packets that would come too soon; its slots.
local function timed(share, j, packets)
  local turns, slot = {}, 0
  for _, turn in ipairs(share) do
    while turn.node ~= 0 and slot < trees.disjoint_depth(turn.node, j) - 1 do
      turns[#turns + 1], slot = idle(packets), slot + 1
    end
    turns[#turns + 1], slot = turn, slot + turn.slots
  end
  return turns, slot
end

-- For blocks of so many packets: lists[j] of turns {node, first, slots}, one after the other,
-- `slots` of the longest and `turns` of the list with the most.
function gather.plan(d, packets)
  local plan = {lists = {}, slots = 0, turns = 0}
  local shares = packets < d and deal_to_the_least(d, packets) or deal_in_turn(d, packets)
  for j = 0, d - 1 do
    local turns, slots = timed(shares[j], j, packets)
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

-- Where a list is after so many slots: the number of the turn, from 0, and the packet in it.
function gather.after(turns, slots, d)
  for number, turn in ipairs(turns) do
    if slots < turn.slots then return number - 1, turn.first + slots * d end
    slots = slots - turn.slots
  end
  return #turns, 0
end

-- Where the list of tree j is in slot 0 for a link whose lower end has that depth.
function gather.start(plan, j, depth, d)
  local skipped = plan.backwards and d + 1 - depth or depth - 1
  return gather.after(plan.lists[j], skipped, d)
end

return gather

-- The tree that takes the fewest cycles by tree.cycles(), over all trees in pre-order, by a dynamic
-- program over the number of PEs. It sees what Eq. 1 does not: gaps between the instructions of a
-- PE, costs of tasks, and how the messages of a PE overlap. Must give exactly what tree.cycles()
-- says of its trees.
--
--   add(n)      the earliest first issue of the last receive of a PE that has the sum of n PEs then
--   pass_on(n)  the same where that instruction also sends the sum on: the issue of the send
--   end(n)      the same where it is the root's last one
--   all: min over i of max(ready(i), pass_on(n - i) + latency + i hop)   the last message: i links
--   ready(1) = first_receive, first_pass_on or first_at_root
--   ready(i) = tree.after(add(i), B, gap_to_..., costs)
--   pass_on(1) = first_send
local tree = require "collectives.planner.tree"
local max, huge = math.max, math.huge

local profile = {}

-- The least cycle and its i. ready[i] rises with i, so nothing is better once it is the maximum.
local function best_split(n, ready, pass_on, costs)
  local best, first = huge, nil
  for i = 1, n - 1 do
    if ready[i] >= best then break end
    local cycle = max(ready[i], pass_on[n - i] + costs.latency + i * (costs.hop or 1))
    if cycle < best then best, first = cycle, i end
  end
  return best, first
end

-- For every n up to P the sizes of the first part: where more follows, where the PE passes on, and for
-- P that of the root.
local function splits(P, B, costs)
  local to_add, to_pass_on = {costs.first_receive}, {costs.first_pass_on}  -- ready() of all
  local to_end = {costs.first_at_root}
  local pass_on = {costs.first_send}
  local of_more, of_other = {}, {}
  for n = 2, P do
    local add
    add, of_more[n] = best_split(n, to_add, pass_on, costs)
    pass_on[n], of_other[n] = best_split(n, to_pass_on, pass_on, costs)
    to_add[n] = tree.after(add, B, costs.gap, costs)
    to_pass_on[n] = tree.after(add, B, costs.gap_to_send, costs)
    to_end[n] = tree.after(add, B, costs.gap_to_root, costs)
  end
  local _, of_root = best_split(P, to_end, pass_on, costs)
  return of_more, of_other, {[P] = of_root}
end

-- The tree over PEs 0..P-1 as lists of children in the order of receiving.
function profile.children(P, B, costs)
  local of_more, of_other, of_root = splits(P, B, costs)
  local children, waiting = {}, {{root = 0, n = P, split = of_root}}
  for pe = 0, P - 1 do children[pe] = {} end
  while #waiting > 0 do
    local part = table.remove(waiting)
    local n, received = part.n, {}  -- last one first
    while n > 1 do
      local i = (#received == 0 and part.split or of_more)[n]
      received[#received + 1] = part.root + i
      waiting[#waiting + 1] = {root = part.root + i, n = n - i, split = of_other}
      n = i
    end
    for k = #received, 1, -1 do children[part.root][#received + 1 - k] = received[k] end
  end
  return children
end

return profile

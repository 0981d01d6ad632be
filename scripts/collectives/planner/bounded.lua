-- The tree of a row that takes the fewest cycles by tree.cycles() among those of few colours, where a router has each
-- colour for one message: the most messages that meet at a router, both ends included, are at most `most`. The dynamic
-- program is that of profile.lua. The last message of n PEs passes the whole first part, which has one colour
-- less, and ends at the root of the second part, which has one less, but no other PE of that:
--
--   add(n, L, e)   of PEs that have L colours each, the root L - e
--   all: min over i of max(ready(i, L - 1, e), pass_on(n - i, L, 1) + latency + i hop)
--
-- pass_on and end likewise; more than one PE needs a colour at the root. Must give exactly what tree.cycles() says.
local tree = require "collectives.planner.tree"
local max, huge, remove = math.max, math.huge, table.remove

local bounded = {}

local function best_split(n, ready, pass_on, costs)
  local best, first, hop = huge, nil, costs.hop or 1
  for i = 1, n - 1 do
    if ready[i] >= best then break end
    local cycle = max(ready[i], pass_on[n - i] + costs.latency + i * hop)
    if cycle < best then best, first = cycle, i end
  end
  return best, first
end

-- The tables of PEs with no colours: one PE alone.
local function nothing(P, costs)
  local found = {to_add = {costs.first_receive}, to_pass_on = {costs.first_pass_on},
                 to_end = {costs.first_at_root}, pass_on = {costs.first_send}, of_more = {}, of_other = {}, of_root = {}}
  for _, name in ipairs{"to_add", "to_pass_on", "to_end", "pass_on"} do
    for n = 2, P do found[name][n] = huge end
  end
  return found
end

-- The tables of one L and e, from those of L - 1 and e, and of L and 1, nil for itself.
local function next_table(P, B, costs, fewer, other)
  local found = nothing(P, costs)
  other = other or found
  for n = 2, P do
    local add
    add, found.of_more[n] = best_split(n, fewer.to_add, other.pass_on, costs)
    found.pass_on[n], found.of_other[n] = best_split(n, fewer.to_pass_on, other.pass_on, costs)
    found.to_add[n] = tree.after(add, B, costs.gap, costs)
    found.to_pass_on[n] = tree.after(add, B, costs.gap_to_send, costs)
    found.to_end[n] = tree.after(add, B, costs.gap_to_root, costs)
    _, found.of_root[n] = best_split(n, fewer.to_end, other.pass_on, costs)
  end
  return found
end

-- The tree over PEs 0..P-1 as lists of children in the order of receiving; nothing if there is none.
function bounded.children(P, B, costs, most)
  local tables = {[0] = {[0] = nothing(P, costs), [1] = nothing(P, costs)}}
  for L = 1, most do
    local of = {}
    of[1] = L == 1 and nothing(P, costs) or next_table(P, B, costs, tables[L - 1][1], nil)
    of[0] = next_table(P, B, costs, tables[L - 1][0], of[1])
    tables[L] = of
  end
  if P > 1 and not tables[most][0].of_root[P] then return nil end
  local children, waiting = {}, {{root = 0, n = P, L = most, e = 0, splits = "of_root"}}
  for pe = 0, P - 1 do children[pe] = {} end
  while #waiting > 0 do
    local part = remove(waiting)
    local n, L, received = part.n, part.L, {} -- last one first
    while n > 1 do
      local i = tables[L][part.e][#received == 0 and part.splits or "of_more"][n]
      received[#received + 1] = part.root + i
      waiting[#waiting + 1] = {root = part.root + i, n = n - i, L = L, e = 1, splits = "of_other"}
      n, L = i, L - 1
    end
    for k = #received, 1, -1 do children[part.root][#received + 1 - k] = received[k] end
  end
  return children
end

return bounded

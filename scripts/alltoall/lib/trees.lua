-- Spanning trees of a d-cube with root 0; node r of a tree with another root s is r ~ s.
-- Two families (Johnsson and Ho): d rotated binomial trees, of height d, which share links; and d
-- trees whose directed links are disjoint, of height d + 1, over which one node can broadcast
-- through all of its channels at once.
local gray = require "alltoall.lib.gray"

local trees = {}

local function ones(n)
  local count = 0
  while n > 0 do n, count = n & n - 1, count + 1 end
  return count
end

-- The dimension from node r ~= 0 towards the root in disjoint tree j. The root's only child is 2^j.
-- Nodes with bit j hang below it in a binomial tree over the other bits: the parent lacks the first
-- one below bit j, counted downwards and round. Nodes without bit j are leaves.
function trees.disjoint_parent(r, j, d)
  if r >> j & 1 == 0 then return j end
  for step = 1, d - 1 do
    local k = (j - step) % d
    if r >> k & 1 == 1 then return k end
  end
  return j
end

-- The disjoint tree in which node r ~= 0 hears over dimension k: the leaf's own, or the one of the
-- next bit above k, counted upwards and round.
function trees.disjoint_tree(r, k, d)
  if r >> k & 1 == 0 then return k end
  for step = 1, d do
    local j = (k + step) % d
    if r >> j & 1 == 1 then return j end
  end
end

-- All nodes but the root by a number that they have, then by their own.
local function nodes_by(d, number)
  local order = {}
  for r = 1, (1 << d) - 1 do order[r] = r end
  table.sort(order, function(a, b)
    local first, second = number(a), number(b)
    if first ~= second then return first < second end
    return a < b
  end)
  return order
end

-- The order in which blocks come to the root of disjoint tree j: near nodes first, and the root's
-- own, which crosses no link, at the beginning of tree 0 and at the end of others. So there is no
-- moment in which all links of the root are idle.
function trees.disjoint_order(j, d)
  local order = nodes_by(d, function(r) return trees.disjoint_depth(r, j) end)
  table.insert(order, j == 0 and 1 or #order + 1, 0)
  return order
end

-- All nodes but the root, near ones first.
function trees.by_distance(d) return nodes_by(d, ones) end

-- Links from the root to node r ~= 0 in disjoint tree j.
function trees.disjoint_depth(r, j)
  return r >> j & 1 == 1 and ones(r) or ones(r) + 2
end

-- In rotated binomial tree i, the dimension over which node r ~= 0 hears from its parent: that of
-- its highest one, where bits are counted from i on, round.
function trees.binomial_parent(r, i, d)
  local turned = gray.rotate(r, d - i, d)
  local highest = 0
  while turned >> highest > 1 do highest = highest + 1 end
  return (highest + i) % d
end

return trees

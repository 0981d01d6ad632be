-- Reduction trees over a line of PEs 0, 1, ..., size - 1 in pre-order: PE 0 is the root, the
-- subtree of v is v .. v + n - 1. A tree is {size =, parent = {[v] = PE, for v = 1 .. size - 1}};
-- v sends one message, to parent[v], when it has those of its children, nearest first.
-- Must never know colours, routes or code.
local host = require "wse.host"
local format = string.format

local trees = {}

local function build(size, parent_of)
  local parent = {}
  for v = 1, size - 1 do parent[v] = parent_of(v) end
  return {size = size, parent = parent}
end

function trees.star(size) return build(size, function() return 0 end) end

function trees.chain(size) return build(size, function(v) return v - 1 end) end

-- Binomial: in round k the odd multiples of 2^k send over 2^k links. Any size: what does not exist
-- sends nothing.
function trees.tree(size) return build(size, function(v) return v - (v & -v) end) end

-- The same counted from the far end, as in the authors' code: the PE that has r others behind it
-- receives from as many as r has ones at its low end, and the root gets what is left over.
function trees.tree_from_far_end(size)
  return build(size, function(v)
    local behind = size - 1 - v
    local lowest_zero = (behind + 1) & ~behind
    return math.max(0, v - lowest_zero)
  end)
end

-- Where the groups of two-phase begin, counted from the far end: the one of the root takes what
-- is left over.
function trees.is_leader(size, group, v) return v == 0 or (size - v) % group == 0 end

-- Chains in groups of `group` PEs, then a chain of their first PEs.
function trees.two_phase(size, group)
  return build(size, function(v)
    if not trees.is_leader(size, group, v) then return v - 1 end
    return math.max(0, v - group)
  end)
end

-- A tree somebody else has made; refused if it is not in pre-order.
function trees.from_parents(size, parent)
  local tree = build(size, function(v) return parent[v] end)
  local open = {[0] = true}
  local path = {0}
  for v = 1, size - 1 do
    local p = tree.parent[v]
    if not open[p] then
      host.raise(format("PE %d cannot send to PE %s: messages of the tree would cross", v, p))
    end
    while path[#path] ~= p do open[table.remove(path)] = nil end
    path[#path + 1], open[v] = v, true
  end
  return tree
end

-- The children of every PE, nearest first: {[v] = {PE, ...}}.
function trees.children(tree)
  local children = {}
  for v = 0, tree.size - 1 do children[v] = {} end
  for v = 1, tree.size - 1 do
    local list = children[tree.parent[v]]
    list[#list + 1] = v
  end
  return children
end

-- depth = messages one after the other, hops = links of all messages, most = messages that one PE
-- receives.
function trees.measure(tree)
  local depth, received = {[0] = 0}, {}
  local deepest, hops, most = 0, 0, 0
  for v = 1, tree.size - 1 do
    local p = tree.parent[v]
    depth[v] = depth[p] + 1
    received[p] = (received[p] or 0) + 1
    deepest, most = math.max(deepest, depth[v]), math.max(most, received[p])
    hops = hops + v - p
  end
  return {depth = deepest, hops = hops, most = most}
end

return trees

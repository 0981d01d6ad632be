-- Reduction trees over a line of PEs 0, 1, ..., size - 1 in pre-order: PE 0 is the root, the
-- subtree of v is v .. v + n - 1. A tree is {size =, parent = {[v] = PE, for v = 1 .. size - 1}};
-- v sends one message, to parent[v], when it has those of its children, nearest first. The patterns
-- are in patterns/. Must never know colours, routes or code.
local host = require "wse.host"
local format = string.format

local trees = {}

-- {[v] = value_of(v)} for all PEs that send.
function trees.each(tree, value_of)
  local values = {}
  for v = 1, tree.size - 1 do values[v] = value_of(v) end
  return values
end

function trees.build(size, parent_of)
  return {size = size, parent = trees.each({size = size}, parent_of)}
end

-- A tree somebody else has made; refused if it is not in pre-order.
function trees.from_parents(size, parent)
  local tree = trees.build(size, function(v) return parent[v] end)
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

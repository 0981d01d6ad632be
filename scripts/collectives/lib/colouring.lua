-- Colourings of any tree with few colours: {[v] = colour of v's message}, colours 0,
-- 1, ... A lower number goes first where two meet on a link. Patterns have theirs in patterns/. Must
-- never know routes: line.lua derives them from tree and colouring, and counts what a colouring costs.
local trees = require "collectives.lib.trees"

local colouring = {}

-- By depth, with `most` colours.
function colouring.by_depth(tree, options)
  local depth = {[0] = 0}
  return trees.each(tree, function(v)
    depth[v] = depth[tree.parent[v]] + 1
    return (depth[v] - 1) % options.most
  end)
end

-- All children of a PE on one colour, another one than its own, and if possible one that nothing
-- passes on: no switch has to be turned there. From the root down, PE by PE.
function colouring.greedy(tree, options)
  local most = options.most
  local children = trees.children(tree)
  local takes = {[0] = 0}    -- the colour on which a PE receives
  local passing = {[0] = 0}  -- the colours that pass a PE after what it receives, as a mask
  for v = 1, tree.size - 1 do
    local p = tree.parent[v]
    local last = children[p][#children[p]] == v
    passing[v] = passing[p] | (last and 0 or 1 << takes[p])
    takes[v] = (takes[p] + 1) % most
    for step = 1, most - 1 do
      local candidate = (takes[p] + step) % most
      if passing[v] & (1 << candidate) == 0 then
        takes[v] = candidate
        break
      end
    end
  end
  return trees.each(tree, function(v) return takes[tree.parent[v]] end)
end

-- The same with the numbers that are in use moved down to 0, 1, ...; and how many these are.
function colouring.dense(colours)
  local used, number, count = {}, {}, 0
  for _, c in ipairs(colours) do used[c] = true end
  for c = 0, 63 do
    if used[c] then number[c], count = count, count + 1 end
  end
  local dense = {}
  for v, c in ipairs(colours) do dense[v] = number[c] end
  return dense, count
end

return colouring

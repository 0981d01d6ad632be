-- Which message of a tree goes on which colour: {[v] = colour of v's message}, colours 0, 1, ...
-- A lower number goes first where two meet on a link. Must never know routes: line.lua derives
-- them from tree and colouring, and counts what a colouring costs.
local trees = require "collectives.lib.trees"

local colouring = {}

local function colour(tree, colour_of)
  local colours = {}
  for v = 1, tree.size - 1 do colours[v] = colour_of(v) end
  return colours
end

function colouring.star(tree) return colour(tree, function() return 0 end) end

-- A PE receives on one and sends on the other.
function colouring.chain(tree) return colour(tree, function(v) return (v - 1) % 2 end) end

local function round_of(v)
  local round = 0
  while v & (1 << round) == 0 do round = round + 1 end
  return round
end

-- One colour per round, rising: where two rounds share a link, the earlier one goes first. With
-- fewer colours than rounds, `most`, they come again and need switches; where PEs are missing, the
-- own colour could be that of the last child. Since that is received and sent on by one
-- instruction, which would wait for a switch that turns behind it, the next one is taken.
function colouring.tree(tree, options)
  local most, children, colours = options.most, trees.children(tree), {}
  for v = tree.size - 1, 1, -1 do
    local list, own = children[v], round_of(v) % most
    if #list > 0 and colours[list[#list]] == own then own = (own + 1) % most end
    colours[v] = own
  end
  return colours
end

-- Three colours, no switches. Leaders' messages pass the routers of group g on X(g) = 2 or 1,
-- alternating; the chain in the group uses 0 and the other one. The leader of group g receives on 0
-- and X(g) and sends on X(g - 1). In the last group but one, where both phases meet on links, X is
-- 2: the chain of the group goes first. With `both`, for a root between two lines, X is 2 in the
-- root's group, so that the root receives on 0 and 2 from both.
--
--   group        g-1            g              g+1
--   PEs     L . . . . .    L . . . . .    L . . . . .
--   chain    0 1 0 1 0      0 2 0 2 0      0 1 0 1 0      to the PE before
--   leaders  <---- 2 ------- <---- 1 ------- <---- 2 --
function colouring.two_phase(tree, options)
  local size, group = tree.size, options.group
  local groups = (size + group - 1) // group
  local first = size - (groups - 1) * group  -- PEs of the root's group
  local even = options.both and 0 or groups % 2
  local function passing(g) return g % 2 == even and 2 or 1 end
  return colour(tree, function(v)
    local g = v < first and 0 or (v - first) // group + 1
    local leader = g == 0 and 0 or first + (g - 1) * group
    if v == leader then return passing(g - 1) end
    return (v - leader) % 2 == 1 and 0 or 3 - passing(g)
  end)
end

-- By depth, with `most` colours.
function colouring.by_depth(tree, options)
  local depth = {[0] = 0}
  return colour(tree, function(v)
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
  local passing = {[0] = 0}  -- the colours that pass a PE behind what it receives, as a mask
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
  return colour(tree, function(v) return takes[tree.parent[v]] end)
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

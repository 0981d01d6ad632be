-- Trees in pre-order as lists of parents, for the tests of trees of one's own.
local own_trees = {}

-- A generator of numbers 0 .. n - 1.
function own_trees.random(seed)
  return function(n)
    seed = (seed * 1103515245 + 12345) % (1 << 31)
    return (seed >> 8) % n
  end
end

-- Any tree: PE v sends to one of those on the way from PE v - 1 to the root.
function own_trees.any(size, random)
  local parents, depth = {}, {[0] = 0}
  for v = 1, size - 1 do
    local p = v - 1
    for _ = 1, random(depth[p] + 1) do p = parents[p] end
    parents[v], depth[v] = p, depth[p] + 1
  end
  return parents
end

-- A chain of every second PE, each with a leaf behind it.
function own_trees.caterpillar(size)
  local parents = {}
  for v = 1, size - 1 do parents[v] = v % 2 == 1 and v - 1 or math.max(0, v - 2) end
  return parents
end

-- Each PE has two children, whose subtrees are as large as can be equal.
function own_trees.binary(size)
  local parents = {}
  local function build(root, n)
    local left = n // 2
    if n > 1 then
      if left > 0 then
        parents[root + 1] = root
        build(root + 1, left)
      end
      if n - 1 - left > 0 then
        parents[root + 1 + left] = root
        build(root + 1 + left, n - 1 - left)
      end
    end
  end
  build(0, size)
  return parents
end

return own_trees

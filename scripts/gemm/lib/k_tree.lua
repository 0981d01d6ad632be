-- The K-tree of an all-reduce on a line: groups of PEs, whose roots form groups, and so on.
--
-- In a group two chains go from its ends to its root, in the middle; on the last level the group is
-- all that is left. A group of one PE has a root and nothing else.
local k_tree = {}

-- roles[p]: what PE p is on each level while it takes part. A sender has `to`, the next PE, and,
-- unless it is the end of its chain, `from`. A root has `before` and `behind`, from whom it hears on
-- either side; one of them or both may be missing.
-- options: {P, group, levels, root = a function of the size of a group}.
function k_tree.make(options)
  local roles, line = {}, {}
  for p = 0, options.P - 1 do
    roles[p], line[p + 1] = {}, p
  end
  for level = 1, options.levels do
    local size = level == options.levels and #line or options.group
    local roots = {}
    for first = 1, #line, size do
      local last = math.min(first + size - 1, #line)
      local middle = first + options.root(last - first + 1)
      for k = first, last do
        local role = {level = level}
        if k < middle then
          role.from, role.to = k > first and line[k - 1] or nil, line[k + 1]
        elseif k > middle then
          role.from, role.to = k < last and line[k + 1] or nil, line[k - 1]
        else
          role.before = k > first and line[k - 1] or nil
          role.behind = k < last and line[k + 1] or nil
        end
        table.insert(roles[line[k]], role)
      end
      roots[#roots + 1] = line[middle]
    end
    line = roots
  end
  return {roles = roles, root = line[1], P = options.P, levels = options.levels}
end

-- The middle of a group, and its end.
function k_tree.middle(size) return size // 2 end
function k_tree.last(size) return size - 1 end

-- The size of groups with which `levels` levels reach P PEs.
function k_tree.group(P, levels)
  local group = math.max(2, math.floor(P ^ (1 / levels)))
  while group ^ levels < P do group = group + 1 end
  return group
end

-- Edges of all levels, {from =, to =, colour = name}. Chains towards greater numbers and towards
-- smaller ones have two colours each, in turn; so has every level.
function k_tree.edges(tree)
  local edges = {}
  for p = 0, tree.P - 1 do
    for _, role in ipairs(tree.roles[p]) do
      if role.to then
        local way = role.to > p and "on" or "back"
        edges[#edges + 1] = {from = p, to = role.to, level = role.level, way = way}
      end
    end
  end
  -- Along the line each colour follows the other, from edge to edge of one level and way.
  table.sort(edges, function(one, other) return one.from < other.from end)
  local counts = {}
  for _, edge in ipairs(edges) do
    local key = edge.level .. edge.way
    counts[key] = (counts[key] or 0) + 1
    edge.colour = edge.way .. edge.level .. (counts[key] % 2 == 0 and "_even" or "_odd")
  end
  return edges
end

return k_tree

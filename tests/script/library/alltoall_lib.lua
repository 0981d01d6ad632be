-- What the all-to-all generators are made of: codes, cycles, trees and index formulas, against the
-- properties that define them and against the paper's own figures. No machine.
local cycles = require "alltoall.lib.cycles"
local gather = require "alltoall.lib.gather"
local gray = require "alltoall.lib.gray"
local indices = require "alltoall.lib.indices"
local trees = require "alltoall.lib.trees"

-- Table 1.
for n, code in ipairs{"000", "001", "011", "010", "110", "111", "101", "100"} do
  assert(gray.encode(n - 1) == tonumber(code, 2))
end
for n = 0, (1 << 12) - 1 do
  assert(gray.decode(gray.encode(n)) == n)
  assert(gray.encode(n) ~ gray.encode(n + 1) == 1 << gray.transition(n))
end
assert(gray.rotate(4, 1, 3) == 1 and gray.rotate(3, 2, 4) == 12 and gray.rotate(1, 5, 1) == 1)

-- The cycle visits every node once, over links.
for d = 1, 8 do
  local node, seen = 0, {}
  for _ = 1, 1 << d do
    assert(not seen[node])
    seen[node] = true
    local behind, before = cycles.neighbours(node, d)
    assert(node ~ behind == 1 << cycles.dimension(node, behind))
    local _, back = cycles.neighbours(behind, d)
    assert(back == node and cycles.dimension(before, node) < d)
    node = behind
  end
  assert(node == 0)
end

-- d cycles: in every step each dimension is crossed once, and all nodes are visited by each.
for d = 1, 8 do
  local at = {}
  for i = 0, d - 1 do at[i] = {[0] = true} end
  for u = 0, (1 << d) - 2 do
    local crossed = {}
    for i = 0, d - 1 do
      local k = cycles.exchange(u, i, d)
      assert(not crossed[k])
      crossed[k] = true
      assert(cycles.offset(u, i, d) ~ cycles.offset(u + 1, i, d) == 1 << k)
      local place = cycles.offset(u + 1, i, d)
      assert(not at[i][place])
      at[i][place] = true
    end
  end
end

-- d trees over disjoint directed links: every node but the root hears over each of its dimensions
-- once, all links but those into the root are used, and depths are those of the parents and one.
for d = 1, 8 do
  local used = {}
  for r = 1, (1 << d) - 1 do
    local heard = {}
    for j = 0, d - 1 do
      local k = trees.disjoint_parent(r, j, d)
      local parent = r ~ 1 << k
      assert(not heard[k])
      heard[k] = true
      used[parent << 4 | k] = true
      local depth = trees.disjoint_depth(r, j)
      assert(depth <= d + 1)
      assert(parent == 0 and r == 1 << j and depth == 1
             or depth == trees.disjoint_depth(parent, j) + 1)
    end
  end
  local links = 0
  for _ in pairs(used) do links = links + 1 end
  assert(links == d * (1 << d) - d)
end

-- Rotated binomial trees: each is a tree of height d, and in stage s nodes hear over dimension s +
-- i.
for d = 1, 8 do
  for i = 0, d - 1 do
    for r = 1, (1 << d) - 1 do
      local parent = r ~ 1 << trees.binomial_parent(r, i, d)
      assert(parent == 0 or parent & r == parent)
      local stage = (trees.binomial_parent(r, i, d) - i) % d
      assert(gray.rotate(r, d - i, d) >> stage == 1)
    end
  end
end

-- Figure 7: columns are nodes, rows are local addresses; blocks as codes.
local figure7 = {
  {0, 1, 2, 3, 4, 5, 6, 7}, {1, 3, 6, 2, 0, 4, 7, 5}, {3, 2, 7, 6, 1, 0, 5, 4},
  {2, 6, 5, 7, 3, 1, 4, 0}, {6, 7, 4, 5, 2, 3, 0, 1}, {7, 5, 0, 4, 6, 2, 1, 3},
  {5, 4, 1, 0, 7, 6, 3, 2}, {4, 0, 3, 1, 5, 7, 2, 6}}
for j, row in ipairs(figure7) do
  for node, block in ipairs(row) do
    assert(indices.one_cycle(node - 1, j - 1, 3, "binary") == block)
  end
end
-- Figure 8 and 9, the last step; figure 12: what node 0 gets in the last step comes from 4, 1, 2.
assert(indices.d_cycles(0, 7, 1, 3, "binary") == 1 and indices.d_cycles(5, 7, 2, 3, "binary") == 7)
assert(indices.d_cycles(2, 7, 0, 3, "gray") == 4 and indices.d_cycles(0, 2, 1, 3, "gray") == 4)
for e, node in ipairs{4, 1, 2} do
  local sent = indices.reduction(node, 0, e - 1, 3, "binary")
  assert(sent == 0, sent)
end

-- Everybody gets every block once; what is sent in a step is what was added to in the one before,
-- and arrives where it is added to.
for _, order in ipairs{"binary", "gray"} do
  for d = 1, 6 do
    for e = 0, d - 1 do
      for node = 0, (1 << d) - 1 do
        local by_cycles, by_trees, by_one = {}, {}, {}
        for j = 0, (1 << d) - 1 do
          by_cycles[indices.d_cycles(node, j, e, d, order)] = true
          by_trees[indices.binomial(node, j, e, d, order)] = true
          by_one[indices.one_cycle(node, j, d, order)] = true
        end
        assert(#by_cycles == (1 << d) - 1 and #by_trees == #by_cycles and #by_one == #by_cycles)
        local added
        for u = 0, (1 << d) - 2 do
          local sends, adds = indices.reduction(node, u, e, d, order)
          assert(added == nil or added == sends)
          local _, there = indices.reduction(node ~ 1 << cycles.exchange(u, e, d), u, e, d, order)
          assert(there == sends)
          added = adds
        end
        assert(added == gray.orders[order].block_of(node))
      end
    end
  end
end
-- A gather fills every slot, all packets have their slot, and none comes sooner than its links
-- allow.
for d = 1, 7 do
  for packets = 1, 2 * d + 3 do
    local plan, seen, count = gather.plan(d, packets), {}, 0
    for j = 0, d - 1 do
      local slot = 0
      for _, turn in ipairs(plan.lists[j]) do
        for k = 0, turn.slots - 1 do
          if turn.node then
            local packet = turn.node * packets + turn.first + k * d
            assert(not seen[packet] and turn.first + k * d < packets)
            assert(turn.node == 0 or slot + k + 1 >= trees.disjoint_depth(turn.node, j))
            seen[packet], count = true, count + 1
          end
        end
        slot = slot + turn.slots
      end
      assert(slot <= plan.slots and gather.after(plan.lists[j], slot, d) == #plan.lists[j])
    end
    assert(count == packets << d and plan.turns <= (1 << d) + d + 2)
    assert(plan.slots == (count + d - 1) // d)
  end
end
print("codes, cycles, trees, gathers and indices")

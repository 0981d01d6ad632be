-- Reduction trees over a row of PEs 0..P-1 with root 0: {[pe] = {child, ...}} in the order of
-- receiving, every subtree a run of PEs that starts at its root. What trees measure, and how long
-- they take on a machine whose instructions cost something. Must never choose a tree.
local max = math.max

local tree = {}

-- {[pe] = parent}; the root has none.
function tree.parents(children)
  local parent = {}
  for pe = 0, #children do
    for _, child in ipairs(children[pe]) do parent[child] = pe end
  end
  return parent
end

-- Depth, most messages that a PE receives, hops of one word. Children have higher numbers.
function tree.measure(children)
  local depth, messages, hops, below = 0, 0, 0, {}
  for pe = #children, 0, -1 do
    below[pe] = 0
    for _, child in ipairs(children[pe]) do
      below[pe] = max(below[pe], below[child] + 1)
      hops = hops + child - pe
    end
    messages = max(messages, #children[pe])
    depth = max(depth, below[pe])
  end
  return depth, messages, hops
end

-- The cycles of the tree with B words where every PE makes one instruction of each receive, and
-- its last receive one with the send; `costs` is of costs.lua. A word that is issued in cycle t is
-- issued by a receiver h links away in t + 2 T_R + 1 + h at the earliest; B words take B cycles.
-- No word waits for a link: an earlier message is nearer, and goes first (colours.lua). To the
-- cycle where a PE has no other instructions; scalar code of a program adds its own few.
function tree.cycles(children, B, costs)
  local sent = {}  -- cycle of the first issue of the send; of the root, of its last receive
  for pe = #children, 0, -1 do
    local list = children[pe]
    local start = #list == 0 and costs.first_send
    for k, child in ipairs(list) do
      local fused = pe > 0 and k == #list
      local ready
      if start then
        ready = start + B + (fused and costs.gap_to_send or costs.gap)
      else
        ready = fused and costs.first_pass_on or costs.first_receive
      end
      start = max(ready, sent[child] + costs.latency + child - pe)
    end
    sent[pe] = start
  end
  return sent[0] + B + costs.last
end

return tree

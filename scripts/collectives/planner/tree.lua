-- Reduction trees {[pe] = {child, ...}}, children in the order of receiving, root 0: what they
-- measure, and how long they take on a machine whose instructions cost something. On a row PE x has
-- the number x, and every subtree is a run of PEs that starts at its root; on a grid of `width`
-- PE (x, y) has the number y * width + x. Must never choose a tree.
local max, abs, remove = math.max, math.abs, table.remove

local tree = {}

-- The costs (costs.lua) of a receive that is followed by another one, of a last one with the send, and of
-- the root's last one: as the first instruction of a PE, and after a receive.
local first_of <const> = {add = "first_receive", pass_on = "first_pass_on", ["end"] = "first_at_root"}
local gap_before <const> = {add = "gap", pass_on = "gap_to_send", ["end"] = "gap_to_root"}

-- {[pe] = parent}; the root has none.
function tree.parents(children)
  local parent = {}
  for pe = 0, #children do
    for _, child in ipairs(children[pe]) do parent[child] = pe end
  end
  return parent
end

-- All PEs, each after its parent, later children with their subtrees before earlier ones:
-- backwards, each comes after all that must have been sent before it sends.
function tree.order(children)
  local order, waiting = {}, {0}
  while #waiting > 0 do
    local pe = remove(waiting)
    order[#order + 1] = pe
    for _, child in ipairs(children[pe]) do waiting[#waiting + 1] = child end
  end
  return order
end

local function links_between(a, b, width)
  if not width then return abs(a - b) end
  return abs(a % width - b % width) + abs(a // width - b // width)
end

-- Depth, most messages that a PE receives, hops of one word.
function tree.measure(children, width)
  local depth, messages, hops, below = 0, 0, 0, {}
  local order = tree.order(children)
  for k = #order, 1, -1 do
    local pe = order[k]
    below[pe] = 0
    for _, child in ipairs(children[pe]) do
      below[pe] = max(below[pe], below[child] + 1)
      hops = hops + links_between(child, pe, width)
    end
    messages = max(messages, #children[pe])
    depth = max(depth, below[pe])
  end
  return depth, messages, hops
end

-- The earliest first issue of what follows a receive of B words that first issued in cycle `start`.
function tree.after(start, B, gap, costs)
  return start + max(B + gap, costs.again or 0)
end

-- The cycles until the root has the sum of B words where every PE makes one instruction of each receive,
-- and its last receive one with the send; `costs` is of costs.lua. A word that is issued in cycle t is
-- issued by a receiver h links away in t + 2 T_R + 1 + h hop at the earliest; B words take B cycles.
-- No word waits for a link: an earlier message is nearer, and goes first (colours.lua). To the
-- cycle where none waits for a switch and PEs have no other instructions.
function tree.cycles(children, B, costs, width)
  local sent = {}  -- cycle of the first issue of the send; of the root, of its last receive
  local order = tree.order(children)
  for at = #order, 1, -1 do
    local pe = order[at]
    local list = children[pe]
    local start = #list == 0 and costs.first_send
    for k, child in ipairs(list) do
      local role = k < #list and "add" or pe > 0 and "pass_on" or "end"
      local ready = start and tree.after(start, B, costs[gap_before[role]], costs)
                    or costs[first_of[role]]
      start = max(ready, sent[child] + costs.latency
                         + (costs.hop or 1) * links_between(child, pe, width))
    end
    sent[pe] = start
  end
  return sent[0] + B + costs.last
end

return tree

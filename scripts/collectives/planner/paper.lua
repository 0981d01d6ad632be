-- The Auto-Gen trees of RED 5.5 by search over the depth alone.
--
-- The paper's recursion, with the factor and base cases that it lacks:
--   E(n, D, C) = min over i of E(i, D, C - 1) + E(n - i, D - 1, C) + i     hops of one word
--   E(1, ., .) = 0; no tree of n > 1 PEs has D = 0 or C = 0
-- The root of n PEs has the sum of the first i when the last message comes, over i links, from PE
-- i, which has the sum of the others. Closed form: E(n, D, C) exists iff binom(D + C, C) >= n, and
-- is the sum of the n - 1 smallest of a pile in which v = 1..C lies binom(D + v - 1, v) times. So
-- for each D the least C that suffices has the least energy too, and only D is searched.
--
-- The recursion gives the limit C - 1 to all of the first i PEs, not to the root alone. With a limit
-- for each PE the best cost can be less: by 7.6 % for 7 PEs and 8 words, by 3.6 % for 16 and 19. The
-- trees here are the paper's.
local terms = require "collectives.lib.terms"
local min, max, floor = math.min, math.max, math.floor
local unpack, remove = table.unpack, table.remove

local paper = {}

local curves = {}

-- For D = 1..P-1: the least number of messages C and the hops of one word, as two lists.
local function curve_of(P)
  if curves[P] then return curves[P] end
  local curve = {messages = {}, hops = {}}
  for D = 1, P - 1 do
    local left, hops, v, height = P - 1, 0, 0, 1  -- height of v in the pile
    while left > 0 do
      v = v + 1
      height = height * (D + v - 1) // v
      hops = hops + v * min(height, left)
      left = left - min(height, left)
    end
    curve.messages[D], curve.hops[D] = v, hops
  end
  curves[P] = curve
  return curve
end

-- Messages that some PE receives at most, and hops of one word, of the best tree of depth D.
function paper.at_depth(P, D)
  local curve = curve_of(P)
  return curve.messages[D], curve.hops[D]
end

-- The cost terms of the tree that Eq. 1 likes best; of equals the shallowest.
function paper.best(P, B, options)
  local curve, best, cost = curve_of(P), nil, nil
  for D = 1, P - 1 do
    local t = {E = B * curve.hops[D], L = P - 1, D = D, C = B * curve.messages[D], N = P - 1}
    local cycles = terms.equation_1(t, options)
    if not cost or cycles < cost then best, cost = t, cycles end
  end
  return best
end

-- Returns how many PEs are in the first part of a best tree of depth D over n >= 2 PEs: the root and what
-- it receives before its last message. The v's of the pile are l = binom(D + v - 2, v - 1) of the
-- first part and r = binom(D + v - 2, v) of the other one. Not all of the largest v are taken, and
-- it does not matter to the energy which: `share` (0..1) of the choice goes to the first part.
local function first_part(n, D, share)
  local left, i, v, l, r = n - 1, 0, 1, 1, D - 1
  while left > l + r do
    left, i = left - l - r, i + l
    v = v + 1
    l, r = l + r, (l + r) * (D - 1) // v
  end
  local least, most = max(v == 1 and 1 or 0, left - r), min(l, left)
  return i + least + floor(share * (most - least) + 0.5)
end

-- The tree of depth D over PEs 0..P-1, root 0, as lists of children in the order of receiving.
-- Every subtree is a run of PEs that starts at its own root (pre-order), so messages never cross.
function paper.children(P, D, share)
  local children = {}
  for pe = 0, P - 1 do children[pe] = {} end
  local waiting = {{0, P, D}}  -- {root, PEs, depth}
  while #waiting > 0 do
    local root, n, depth = unpack(remove(waiting))
    local received = {}  -- last one first
    while n > 1 do
      local i = first_part(n, depth, share)
      received[#received + 1] = root + i
      waiting[#waiting + 1] = {root + i, n - i, depth - 1}
      n = i
    end
    for k = #received, 1, -1 do children[root][#received + 1 - k] = received[k] end
  end
  return children
end

return paper

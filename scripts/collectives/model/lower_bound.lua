-- Lower bounds of Reduce and AllReduce, in Eq. 1's terms: RED 5.6 and Lemma 7.2; those for roots that
-- are not at an end, and of AllReduce, are ours. A bound of the model, not of a
-- machine: what the model itself hides or leaves out can be faster (README.md says where).
local terms = require "collectives.lib.terms"
local min, max, huge = math.min, math.max, math.huge

local lower_bound = {}

-- E*(P, 1, D): hops of one word that a Reduce of depth D over P PEs needs. The recursion of Lemma
-- 5.5 has the closed form 2 (P-1) - min(D, P-1) for D >= 1; without depth one PE is all.
function lower_bound.hops(P, D)
  if P == 1 then return 0 end
  if D < 1 then return huge end
  return 2 * (P - 1) - min(D, P - 1)
end

local function row_at_depth(P, B, D, options)
  local t = {E = B * lower_bound.hops(P, D), L = P - 1, D = D, C = 0, N = P - 1}
  return terms.estimate(t, options)
end

-- 5.6: min over D of B E*(P, 1, D) / (P-1) + P - 1 + D (2 T_R + 1). Linear in D, so the least
-- is at an end.
function lower_bound.row(P, B, options)
  terms.check_row(P, B)
  if P == 1 then return terms.nothing() end
  local star, chain = row_at_depth(P, B, 1, options), row_at_depth(P, B, P - 1, options)
  return star.cycles <= chain.cycles and star or chain
end

-- The same with the root at place `root`, 0 .. P - 1. Between two sides each of them needs its hops, all
-- links are in use, the longer side has the distance, and the root receives B wavelets from both.
function lower_bound.row_to(P, B, root, options)
  terms.check_row(P, B)
  terms.check("root", root, 0)
  local left, right = root, P - 1 - root  -- links of the sides
  if min(left, right) == 0 then return lower_bound.row(P, B, options) end
  local best
  for D = 1, max(left, right) do
    local hops = lower_bound.hops(left + 1, D) + lower_bound.hops(right + 1, D)
    local bound = terms.estimate({E = B * hops, L = max(left, right), D = D, C = 2 * B, N = P - 1},
                                 options)
    if not best or bound.cycles < best.cycles then best = bound end
  end
  return best
end

-- An AllReduce on a row is a Reduce to its first PE, too; and B wavelets cross each link both
-- ways, all the way: B + P + 2 T_R.
function lower_bound.allreduce_row(P, B, options)
  local reduce = lower_bound.row(P, B, options)
  if P == 1 then return reduce end
  local both_ways = terms.estimate({E = 2 * B * (P - 1), L = P - 1, D = 1, C = B, N = 2 * (P - 1)},
                                   options)
  return reduce.cycles >= both_ways.cycles and reduce or both_ways
end

-- Lemma 7.2 with two corrections: the distance is M + N - 2, and the links are counted, fewer than
-- 4P directed ones instead of 8P. At least B wavelets come to the root, every other PE sends B.
-- `printed` is max(B, B/8 + M + N - 1) + 2 T_R + 1. The root is at (x, y), in a corner unless given.
function lower_bound.grid(width, height, B, options, x, y)
  terms.check_grid(width, height, B)
  local P = width * height
  if P == 1 then return terms.nothing() end
  x, y = x or 0, y or 0
  local distance = max(x, width - 1 - x) + max(y, height - 1 - y)
  local bound = terms.estimate({E = B * (P - 1), L = distance, D = 1, C = B,
                                N = 2 * (width * (height - 1) + height * (width - 1))}, options)
  local hop = terms.hop_latency(options)
  bound.printed = terms.number(max(B, B / 8 + hop * (width + height - 1))
                               + 2 * terms.ramp_latency(options) + 1)
  return bound
end

-- An AllReduce on a grid is a Reduce to a corner, too, and every PE receives B wavelets.
function lower_bound.allreduce_grid(width, height, B, options)
  terms.check_grid(width, height, B)
  local P = width * height
  if P == 1 then return terms.nothing() end
  return terms.estimate({E = B * P, L = width + height - 2, D = 1, C = B,
                         N = 2 * (width * (height - 1) + height * (width - 1))}, options)
end

-- ---- of a row, each PE with B words, P >= 2, any root: bounds of the machine, too ----------

-- At least `words` pass one ramp or link, a word in a cycle, the first of them over a link; and B words go
-- from one end to the other. Beside that there are two ramps and an issue.
local function least(P, B, words, options)
  terms.check_row(P, B)
  local hop = terms.hop_latency(options)
  local found = terms.nothing()
  found.cycles = terms.number(max(words + hop, B + hop * (P - 1)) + 2 * terms.ramp_latency(options) + 1)
  return found
end

-- Broadcast, and a scan, whose last PE needs what the first one has. The root of a broadcast is at an end.
function lower_bound.broadcast(P, B, options) return least(P, B, B, options) end
lower_bound.scan = lower_bound.broadcast

-- Gather, scatter, all-gather, root at an end: all blocks but one pass a ramp.
function lower_bound.gather(P, B, options) return least(P, B, B * (P - 1), options) end
lower_bound.scatter, lower_bound.allgather = lower_bound.gather, lower_bound.gather

-- Reduce-scatter: the first PE sends its part of all blocks but its own.
lower_bound.reduce_scatter = lower_bound.gather

-- All-to-all: the words of half of the PEs for the other half cross the middle link.
function lower_bound.alltoall(P, B, options)
  return least(P, B, max(P // 2 * (P - P // 2), P - 1) * B, options)
end

return lower_bound

-- Broadcast and Reduce on a row of P PEs with the root at one end: RED sections 4 and 5.
-- Every function takes (P, B, options) and returns an estimate (terms.lua). The model knows no
-- instructions: exact.lua has the cycles of the profile `model`.
local terms = require "collectives.lib.terms"
local paper = require "collectives.planner.paper"
local max, floor = math.max, math.floor

local row = {}

-- 4.1: B wavelets from one end to the other; B + P + 2 T_R.
function row.message(P, B, options)
  terms.check_row(P, B)
  if P == 1 then return terms.nothing() end
  return terms.estimate({E = B * (P - 1), L = P - 1, D = 1, C = B, N = P - 1}, options)
end

-- Lemma 4.1: the flood takes no longer than the message to its last PE.
row.broadcast = row.message

-- Lemma 5.1: all send straight to the root. `cycles` is the refined value that the paper uses from
-- there on, B(P-1) + 2 T_R + 1: the words arrive as one pipeline. `upper_bound` is Eq. 1.
-- Reading: the refined value leaves out the first link. The paper's own chain of 2 PEs, the same
-- algorithm, takes one cycle more, as an exact count does (exact.star); at B = 1 it lies below the lower bound.
-- Where a hop takes h > B cycles the words come with gaps, and the last of the farthest PE is the last:
-- max(B(P-1), B + h(P-2)) + 2 T_R + h, which is the paper's value for h = 1.
function row.star(P, B, options)
  terms.check_row(P, B)
  if P == 1 then return terms.nothing() end
  local t = {E = B * (P * (P - 1) // 2), L = P - 1, D = 1, C = B * (P - 1), N = P - 1}
  local hop = terms.hop_latency(options)
  return {cycles = max(B * (P - 1), B + hop * (P - 2)) + 2 * terms.ramp_latency(options) + hop,
          terms = t, upper_bound = terms.equation_1(t, options)}
end

-- Lemma 5.2: each sends to its neighbour; B + (2 T_R + 2)(P - 1).
function row.chain(P, B, options)
  terms.check_row(P, B)
  if P == 1 then return terms.nothing() end
  return terms.estimate({E = B * (P - 1), L = P - 1, D = P - 1, C = B, N = P - 1}, options)
end

-- Rounds of a binary tree over P PEs, and link hops of one word: in round k each odd multiple of
-- 2^k sends over 2^k links. For P = 2^K that is K, and P/2 hops in each round.
local function rounds_and_hops(P)
  local rounds, hops, distance = 0, 0, 1
  while distance < P do
    rounds, hops = rounds + 1, hops + distance * ((P - 1 + distance) // (2 * distance))
    distance = 2 * distance
  end
  return rounds, hops
end

-- Lemma 5.3 for P = 2^K; for other P the same tree without the PEs that are missing: the root
-- receives in every round, but a PE depends on as many others as its number has ones.
function row.tree(P, B, options)
  terms.check_row(P, B)
  if P == 1 then return terms.nothing() end
  local rounds, hops = rounds_and_hops(P)
  local depth = 1 << rounds == P and rounds or rounds - 1
  return terms.estimate({E = B * hops, L = P - 1, D = depth, C = B * rounds, N = P - 1}, options)
end

-- The group size S of the two-phase reduce where none is given: the whole part of the root of P, as
-- in the authors' code. (The proof of Lemma 5.4 prints S = P^2 for P = S^2.)
function row.group_size(P)
  local S = floor(P ^ 0.5)
  while S * S > P do S = S - 1 end
  while (S + 1) * (S + 1) <= P do S = S + 1 end
  return S
end

-- Lemma 5.4 for any group size options.group: chains in groups of S, then a chain over their first
-- PEs. Groups are counted from the far end, so the root's group is the one that may be smaller.
-- Reading: Eq. 1 with the row's P - 1 links. The lemma's closed form (two_phase_lemma) divides by P
-- links; both hide the distance where 2B is the larger side of the maximum (587 cycles less than
-- measured at P = 512, S = 32, B = 8192).
function row.two_phase(P, B, options)
  terms.check_row(P, B)
  if P == 1 then return terms.nothing() end
  local S = options and options.group or row.group_size(P)
  terms.check("group", S, 1)
  if S >= P then return row.chain(P, B, options) end
  local groups = (P + S - 1) // S
  local root_group = P - (groups - 1) * S
  local twice = root_group > 1 or groups > 2 and S > 1  -- somebody receives in both phases
  local t = {E = B * (P - groups + P - S), L = P - 1, D = S - 1 + groups - 1,
             C = twice and 2 * B or B, N = P - 1}
  return terms.estimate(t, options)
end

-- The closed form that Lemma 5.4 prints, an upper bound for P = S^2.
function row.two_phase_lemma(P, B, options)
  terms.check_row(P, B)
  local S = P ^ 0.5
  local ramps = 2 * terms.ramp_latency(options) + 1
  return terms.number(max(2 * B, 2 * B - 2 * B / S + terms.hop_latency(options) * P)
                      + (2 * S - 2) * ramps)
end

-- 5.5: the best tree in pre-order; the planner has the tree itself.
-- Reading: the printed recursion lacks the factor B and its base cases; energy is B E, contention
-- B C with C in messages, E(1, ., .) = 0, and no tree of more than one PE has D = 0 or C = 0.
function row.auto_gen(P, B, options)
  terms.check_row(P, B)
  if P == 1 then return terms.nothing() end
  return terms.estimate(paper.best(P, B, options), options)
end

return row

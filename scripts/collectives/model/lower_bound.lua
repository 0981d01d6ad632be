-- Lower bounds of Reduce, in Eq. 1's terms: RED 5.6 and Lemma 7.2. A bound of the model, not of a
-- machine: what the model itself hides or leaves out can be faster (README.md says where).
local terms = require "collectives.model.terms"
local min, max = math.min, math.max

local lower_bound = {}

-- E*(P, 1, D): hops of one word that a Reduce of depth D over P PEs needs. The recursion of Lemma
-- 5.5 has the closed form 2 (P-1) - min(D, P-1) for D >= 1; without depth one PE is all.
function lower_bound.hops(P, D)
  if P == 1 then return 0 end
  if D < 1 then return math.huge end
  return 2 * (P - 1) - min(D, P - 1)
end

local function row_at_depth(P, B, D, options)
  local t = {E = B * lower_bound.hops(P, D), L = P - 1, D = D, C = 0, N = P - 1}
  return terms.estimate(t, options)
end

-- 5.6: min over D of B E*(P, 1, D) / (P-1) + P - 1 + D (2 T_R + 1). Linear in D, so the least
-- stands at an end.
function lower_bound.row(P, B, options)
  terms.check_row(P, B)
  if P == 1 then return terms.nothing() end
  local star, chain = row_at_depth(P, B, 1, options), row_at_depth(P, B, P - 1, options)
  return star.cycles <= chain.cycles and star or chain
end

-- Lemma 7.2 with two corrections: the distance is M + N - 2, and the links are counted, fewer than
-- 4P directed ones instead of 8P. At least B wavelets come to the root, every other PE sends B.
-- `printed` is max(B, B/8 + M + N - 1) + 2 T_R + 1.
function lower_bound.grid(width, height, B, options)
  terms.check_grid(width, height, B)
  local P = width * height
  if P == 1 then return terms.nothing() end
  local bound = terms.estimate({E = B * (P - 1), L = width + height - 2, D = 1, C = B,
                                N = 2 * (width * (height - 1) + height * (width - 1))}, options)
  bound.printed = terms.number(max(B, B / 8 + width + height - 1)
                               + 2 * terms.ramp_latency(options) + 1)
  return bound
end

return lower_bound

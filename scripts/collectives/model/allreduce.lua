-- AllReduce on a row: RED section 6. Everybody gets the sum; the root of a reduce is at one end.
local terms = require "collectives.lib.terms"
local row = require "collectives.model.row"

local allreduce = {}

-- 6.1: T_REDUCE + T_BCAST for an estimate of a reduce on the row.
function allreduce.reduce_then_broadcast(reduce, P, B, options)
  return terms.in_sequence{reduce, row.broadcast(P, B, options)}
end

-- Lemma 6.1: 2 (P-1) B/P + 4P - 6 + 2 (P-1)(2 T_R + 1), for both mappings (wrap: neighbours, and
-- one way back over all links; fold: links of at most two hops). Both need 2 (P-1) hops a round.
-- Readings: the contention that is printed lacks B; the lemma wants P | B, here each part has
-- ceil(B/P) whole words, and so takes no less than the lemma says.
function allreduce.ring(P, B, options)
  terms.check_row(P, B)
  if P == 1 then return terms.nothing() end
  local words = (B + P - 1) // P
  local rounds, links = 2 * (P - 1), 2 * (P - 1)
  return terms.estimate({E = links * rounds * words, L = 2 * (2 * P - 3), D = rounds,
                         C = rounds * words, N = links}, options)
end

return allreduce

-- Tree (RED 5.3), binomial: in round k the odd multiples of 2^k send over 2^k links. Any size: what
-- does not exist sends nothing. See star.lua for what a pattern has.
local host = require "wse.host"
local terms = require "collectives.lib.terms"
local trees = require "collectives.lib.trees"
local max, format = math.max, string.format

local pattern = {}

function pattern.tree(size) return trees.build(size, function(v) return v - (v & -v) end) end

-- The same counted from the far end, as in the authors' code: the PE that has r others behind it
-- receives from as many as r has ones at its low end, and the root gets what is left over.
function pattern.tree_from_far_end(size)
  return trees.build(size, function(v)
    local behind = size - 1 - v
    local lowest_zero = (behind + 1) & ~behind
    return max(0, v - lowest_zero)
  end)
end

local function round_of(v)
  local round = 0
  while v & (1 << round) == 0 do round = round + 1 end
  return round
end

-- One colour per round, rising: where two rounds share a link, the earlier one goes first. And how
-- many they are.
function pattern.colours(tree)
  local count = 0
  local colours = trees.each(tree, function(v)
    local round = round_of(v)
    count = max(count, round + 1)
    return round
  end)
  return colours, count
end

-- P = 2^K, K >= 1, one colour per round with numbers that rise with the round, the last receive
-- one instruction with the send.
function pattern.law(P, B)
  terms.check("P", P, 2)
  terms.check("B", B, 1)
  if P & (P - 1) ~= 0 then
    host.raise(format("P = %d: the exact tree has a power of two PEs", P))
  end
  local ramps = 2 * terms.ramp_latency_of_model() + 1
  local cycles, hops = B + ramps + 1, 2
  while hops < P do
    cycles, hops = cycles + max(B, hops + ramps), 2 * hops
  end
  return cycles
end

return pattern

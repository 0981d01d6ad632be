-- What tests of rings share: a run that is right, has the terms of the paper and its cycles.
local allreduce = require "collectives.allreduce"
local collectives = require "support.collectives"

local rings = {patterns = {"ring-wrap", "ring-fold"}}

-- The ways that 2 (P - 1) successive messages go: with ring-wrap two long ones, 4P - 6 links, with
-- ring-fold all of the ring and P - 2 of its ways, of which one at least has a single link.
local function links_of(pattern, P)
  return (pattern == "ring-wrap" or P < 4) and 4 * P - 6 or 4 * P - 7
end

-- The lemma has 4P - 6 links. Its rounds are those of machines without costs.
function rings.cycles(pattern, P, B)
  if P == 1 then return 0 end
  return 2 * (P - 1) * ((B + P - 1) // P + 5) + links_of(pattern, P)
end

-- Runs a ring; the result is right, hops, words of a PE and links are those of the lemma.
function rings.check(options)
  local result = collectives.check(allreduce.run, options)
  for _, name in ipairs{"E", "C", "N", "D"} do
    local wanted = result.terms[name]
    collectives.within(options, name, result.measured_terms[name], wanted, wanted)
  end
  collectives.within(options, "colours", result.colours, 0, 3)
  local P, block = options.P, (options.B + options.P - 1) // options.P
  collectives.within(options, "padding", result.padding, P * block - options.B,
                     P * block - options.B)
  return result
end

-- On the profile `model`: to the cycle, and within 10 % of the lemma.
function rings.exact(pattern, P, B)
  local options = {pattern = pattern, P = P, B = B, machine = "model"}
  local result, law = rings.check(options), rings.cycles(pattern, P, B)
  collectives.within(options, "cycles", result.cycles, law, law)
  collectives.within(options, "cycles / lemma", result.cycles,
                     0.9 * result.model_cycles, 1.1 * result.model_cycles)
  return result
end

-- Overlapped rounds on `model`: shorter, unless a block is one element, which has no parts.
function rings.overlapped(pattern, P, B)
  local options = {pattern = pattern, P = P, B = B, machine = "model", overlap = true}
  local result, law = rings.check(options), rings.cycles(pattern, P, B)
  if P == 1 or result.block == 1 then
    collectives.within(options, "cycles", result.cycles, law, law)
  else
    collectives.within(options, "cycles", result.cycles, 1, law - 1)
  end
  return result
end

return rings

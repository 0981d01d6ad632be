-- Two-phase (RED 5.4): chains in groups of S PEs, then a chain of their first PEs, the leaders.
-- Groups are counted from the far end; the one of the root takes what is left over. See star.lua for
-- what a pattern has.
local host = require "wse.host"
local terms = require "collectives.lib.terms"
local trees = require "collectives.lib.trees"
local max, format = math.max, string.format

local two_phase = {}

local function is_leader(size, S, v) return v == 0 or (size - v) % S == 0 end

function two_phase.tree(size, S)
  return trees.build(size, function(v)
    return is_leader(size, S, v) and max(0, v - S) or v - 1
  end)
end

-- Three colours, no switches. Leaders' messages pass the routers of group g on X(g) = 2 or 1,
-- alternating; the chain in the group uses 0 and the other one. The leader of group g receives on 0
-- and X(g) and sends on X(g - 1). In the last group but one, where both phases meet on links, X is
-- 2: the chain of the group goes first. With `both`, for a root between two lines, X is 2 in the
-- root's group, so that the root receives on 0 and 2 from both.
--
--   group        g-1            g              g+1
--   PEs     L . . . . .    L . . . . .    L . . . . .
--   chain    0 1 0 1 0      0 2 0 2 0      0 1 0 1 0      to the PE before
--   leaders  <---- 2 ------- <---- 1 ------- <---- 2 --
function two_phase.colours(tree, S, both)
  local size = tree.size
  local groups = (size + S - 1) // S
  local first = size - (groups - 1) * S  -- PEs of the root's group
  local even = both and 0 or groups % 2
  local function passing(g) return g % 2 == even and 2 or 1 end
  return trees.each(tree, function(v)
    local g = v < first and 0 or (v - first) // S + 1
    local leader = g == 0 and 0 or first + (g - 1) * S
    if v == leader then return passing(g - 1) end
    return (v - leader) % 2 == 1 and 0 or 3 - passing(g)
  end)
end

-- Groups of S >= 2 PEs, at least two of them, no PE left over; phase 2 on the higher colours.
function two_phase.law(P, B, S)
  terms.check_row(P, B)
  terms.check("S", S, 2)
  if P % S ~= 0 or P < 2 * S then
    host.raise(format("P = %d, S = %d: the exact two-phase reduce has whole groups, at least two",
                      P, S))
  end
  local ramps = 2 * terms.ramp_latency_of_model() + 1
  local step = S + ramps
  return B + (ramps + 1) * (S - 1) + max(B, step) + step * (P // S - 2)
end

return two_phase

-- Chain (RED 5.2): every PE sends to its neighbour. See star.lua for what a pattern has.
local terms = require "collectives.lib.terms"
local trees = require "collectives.lib.trees"

local chain = {}

function chain.tree(size) return trees.build(size, function(v) return v - 1 end) end

-- A PE receives on one and sends on the other.
function chain.colours(tree) return trees.each(tree, function(v) return (v - 1) % 2 end) end

-- P >= 2; receive, add and send are one instruction.
function chain.law(P, B)
  terms.check("P", P, 2)
  terms.check("B", B, 1)
  return B + (2 * terms.ramp_latency_of_model() + 2) * (P - 1)
end

return chain

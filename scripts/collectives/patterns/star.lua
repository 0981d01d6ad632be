-- Star (RED 5.1): every PE sends straight to PE 0. Tree, colouring and exact law of the pattern, as
-- every file of this folder has them, which is found by its name (lib/pattern_files.lua):
--   tree(size)              {size =, parent = {[v] = PE}}, PE 0 the root (lib/trees.lua)
--   colours(tree)           {[v] = colour of v's message}, 0, 1, ... (lib/line.lua)
--   law(P, B)               cycles on the profile `model`, where only moving words takes time
--   estimate(P, B, options) if Eq. 1 is not what the model says of it (model/terms.lua)
local terms = require "collectives.lib.terms"
local trees = require "collectives.lib.trees"

local star = {}

function star.tree(size) return trees.build(size, function() return 0 end) end

function star.colours(tree) return trees.each(tree, function() return 0 end) end

-- P >= 2. One more than the paper's refined star.
function star.law(P, B)
  terms.check("P", P, 2)
  terms.check("B", B, 1)
  return B * (P - 1) + 2 * terms.ramp_latency_of_model() + 2
end

return star

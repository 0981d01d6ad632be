-- 1000 random trees of one's own: right with every code, to the cycle of their law on `model`.
local collectives = require "support.collectives"
local own_trees = require "support.own_trees"
local reduction = require "collectives.reduce"

local random = own_trees.random(1000)
for k = 1, 1000 do
  local options = {tree = own_trees.any(2 + random(200), random), B = 1 + random(100),
                   machine = "model"}
  local result = collectives.check(reduction.run, options)
  collectives.within(options, "cycles", result.cycles, result.law_cycles, result.law_cycles)
  options.machine = collectives.profiles[k % 3 + 1]
  options.code = k % 2 == 0 and "paper" or "measured"
  options.type = collectives.types[k % 3 + 1]
  options.op = collectives.operations[k // 3 % 3 + 1]
  collectives.check(reduction.run, options)
end
print(collectives.runs .. " trees of one's own")

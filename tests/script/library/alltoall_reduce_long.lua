-- Reductions over one cycle and over d cycles on 2048 nodes: all steps, all elements. On 4096 nodes
-- the first ones.
local alltoall = require "support.alltoall"
local reduce = require "alltoall.reduce"

for turn, algorithm in ipairs{"one-cycle", "d-cycles"} do
  local result = alltoall.check(reduce.run, {algorithm = algorithm, d = 11, m = 11, type = "i32",
                                             order = alltoall.orders[turn]})
  alltoall.expect_transfers(result, 11)
end
alltoall.check(reduce.run, {algorithm = "d-cycles", d = 12, m = 1, steps = 2})

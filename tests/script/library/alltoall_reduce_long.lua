-- Reductions over one cycle and over d cycles on 2048 nodes: all steps, all elements. On 4096 nodes
-- the first ones.
local alltoall = require "support.alltoall"
local reduce = require "alltoall.reduce"

-- Nine dimensions: more channels than microthreads.
for turn, algorithm in ipairs{"one-cycle", "d-cycles"} do
  alltoall.check(reduce.run, {algorithm = algorithm, d = 9, m = 9, order = alltoall.orders[turn],
                              type = "i32"})
end
for turn, algorithm in ipairs{"one-cycle", "d-cycles"} do
  local result = alltoall.check(reduce.run, {algorithm = algorithm, d = 11, m = 11, type = "i32",
                                             order = alltoall.orders[turn]})
  alltoall.expect_transfers(result, 11)
end
alltoall.check(reduce.run, {algorithm = "d-cycles", d = 12, m = 1, steps = 2})

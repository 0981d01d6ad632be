-- Reductions on 1024 nodes: all steps, all elements. (Lua sums what 2048 nodes have for longer than
-- a script may run.)
local alltoall = require "support.alltoall"
local reduce = require "alltoall.reduce"

for turn, algorithm in ipairs{"one-cycle", "d-cycles"} do
  local result = alltoall.check(reduce.run, {algorithm = algorithm, d = 10, m = 10, type = "i32",
                                             order = alltoall.orders[turn]})
  alltoall.expect_transfers(result, 10)
end

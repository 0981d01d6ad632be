-- One cycle and d cycles on 2048 nodes: all steps, all elements.
local alltoall = require "support.alltoall"
local broadcast = require "alltoall.broadcast"

for turn, algorithm in ipairs{"one-cycle", "d-cycles"} do
  local result = alltoall.check(broadcast.run, {algorithm = algorithm, d = 11, m = 11, type = "i32",
                                                order = alltoall.orders[turn]})
  alltoall.expect_transfers(result, 11)
end

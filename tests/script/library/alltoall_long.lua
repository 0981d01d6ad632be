-- One cycle and d cycles on 2048 nodes: all steps, all elements.
local alltoall = require "support.alltoall"
local broadcast = require "alltoall.broadcast"
local reduce = require "alltoall.reduce"

for turn, algorithm in ipairs{"one-cycle", "d-cycles"} do
  local options = {algorithm = algorithm, d = 11, m = 11, type = "i32",
                   order = alltoall.orders[turn]}
  alltoall.expect_transfers(alltoall.check(broadcast.run, options), 11)
  alltoall.expect_transfers(alltoall.check(reduce.run, options), 11)
end

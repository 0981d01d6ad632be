-- One cycle and d cycles on 2048 nodes: all steps, all elements.
local alltoall = require "support.alltoall"
local broadcast = require "alltoall.broadcast"
local reduce = require "alltoall.reduce"

for turn, algorithm in ipairs{"one-cycle", "d-cycles"} do
  local options = {algorithm = algorithm, d = 11, m = 11, type = "i32",
                   order = alltoall.orders[turn]}
  local result = alltoall.check(broadcast.run, options)
  alltoall.expect_transfers(result, 11)
end
alltoall.check(reduce.run, {algorithm = "d-cycles", d = 9, m = 9})

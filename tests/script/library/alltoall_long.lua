-- One cycle and d cycles on 2048 nodes: all steps, all elements. Transposes with more channels than
-- microthreads: whole rounds of elements and a rest of them.
local alltoall = require "support.alltoall"
local broadcast = require "alltoall.broadcast"
local personalised = require "alltoall.personalised"

for turn, algorithm in ipairs{"one-cycle", "d-cycles"} do
  local result = alltoall.check(broadcast.run, {algorithm = algorithm, d = 11, m = 11, type = "i32",
                                                order = alltoall.orders[turn]})
  alltoall.expect_transfers(result, 11)
end
alltoall.check(personalised.run, {d = 9, m = 11, type = "i32", order = "binary"})
alltoall.check(personalised.run, {d = 10, m = 1, type = "f64-as-pairs"})

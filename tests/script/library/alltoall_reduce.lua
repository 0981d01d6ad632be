-- All-to-all reduction is exact for every algorithm, operation, size and order, also after part of
-- its steps, and the transfers that its nodes count are those of the paper's Table 2.
local alltoall = require "support.alltoall"
local cases = require "support.alltoall_cases"
local reduce = require "alltoall.reduce"

for d = 1, 4 do cases.reductions(d) end

-- The other name of reduce-and-spread.
local result = alltoall.check(reduce.run, {algorithm = "send-and-spread", d = 3, m = 4})
assert(result.algorithm == "reduce-and-spread")
print(alltoall.runs .. " reductions")

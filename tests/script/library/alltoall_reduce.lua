-- All-to-all reduction is exact for every algorithm, operation, size and order, also after part of
-- its steps, and the transfers that its nodes count are those of the paper's Table 2.
local alltoall = require "support.alltoall"
local cases = require "support.alltoall_cases"
local reduce = require "alltoall.reduce"

for d = 1, 4 do cases.reductions(d) end

-- Indices that move along: a word more for each element, and the same results, also after part of the steps.
for d = 1, 5 do
  for turn, m in ipairs{1, d, 2 * d + 1} do
    for which, order in ipairs(alltoall.orders) do
      local options = {d = d, m = m, order = order, type = turn == 2 and "i32" or "f32", index = "move",
                       op = ({"add", "max", "min"})[(d + turn) % 3 + 1],
                       allocation = which == 1 and "cyclic" or "consecutive"}
      local result = alltoall.check(reduce.run, options)
      assert(result.hops == result.steps * 2 * m << d and result.index == "move")
      alltoall.expect_transfers(result, 2 * m)
      if d == 3 then
        options.steps = 2
        alltoall.check(reduce.run, options)
      end
    end
  end
end

-- The other name of reduce-and-spread.
local result = alltoall.check(reduce.run, {algorithm = "send-and-spread", d = 3, m = 4})
assert(result.algorithm == "reduce-and-spread")
print(alltoall.runs .. " reductions")

-- All-to-all reduction is exact for every algorithm, operation, size and order, also after part of
-- its steps, and the transfers that its nodes count are those of the paper's Table 2.
local alltoall = require "support.alltoall"
local reduce = require "alltoall.reduce"

local operations = {"add", "max", "min"}

for _, algorithm in ipairs{"one-cycle", "d-cycles", "reduce-and-spread"} do
  for d = 1, 6 do
    for turn, m in ipairs(alltoall.sizes(d)) do
      for which, order in ipairs(alltoall.orders) do
        local options = {
          algorithm = algorithm, d = d, m = m, order = order, seed = turn,
          type = (d + turn + which) % 2 == 0 and "f32" or "i32"}
        for turned = 0, d <= 4 and 2 or 0 do
          options.op = operations[(turn + which + turned) % 3 + 1]
          local result = alltoall.check(reduce.run, options)
          alltoall.expect_transfers(result, m)
        end
        if turn % 3 == 1 then
          options.steps = math.min(turn % 4, d)
          alltoall.check(reduce.run, options)
        end
      end
    end
  end
end
-- Nine dimensions: more channels than microthreads.
for turn, algorithm in ipairs{"one-cycle", "d-cycles"} do
  alltoall.check(reduce.run, {algorithm = algorithm, d = 9, m = 9, order = alltoall.orders[turn],
                              type = "i32"})
end

-- The other name of reduce-and-spread.
local result = alltoall.check(reduce.run, {algorithm = "send-and-spread", d = 3, m = 4})
assert(result.algorithm == "reduce-and-spread")
print(alltoall.runs .. " reductions")

-- All-to-all broadcast is exact for every algorithm, size and order, and the transfers that its
-- nodes count are those of the paper's Table 2.
local alltoall = require "support.alltoall"
local broadcast = require "alltoall.broadcast"
local cases = require "support.alltoall_cases"

for d = 1, 4 do
  cases.broadcasts_over_cycles(d)
  cases.broadcasts_through_trees(d)
end
for d = 6, 7 do  -- blocks of fewer words than there are trees
  for m = 1, d - 1, 2 do
    alltoall.expect_transfers(alltoall.check(broadcast.run, {
      algorithm = "send-and-spread", d = d, m = m, type = "i32"}), m)
  end
end

-- Indices that move along need a word more per element, and give the same.
for _, algorithm in ipairs{"one-cycle", "d-cycles", "binomial"} do
  for turn, type in ipairs{"f32", "i32", "f64-as-pairs"} do
    local result = alltoall.check(broadcast.run, {
      algorithm = algorithm, d = 3, m = 5, type = type, order = alltoall.orders[turn % 2 + 1],
      index = "move"})
    assert(result.hops == 7 * 5 * ((type == "f64-as-pairs" and 2 or 1) + 1) << 3)
  end
end

-- The first steps, scaled: on a cube all steps of one kind take the same time but for the last
-- words.
local whole = alltoall.check(broadcast.run, {algorithm = "d-cycles", d = 5, m = 40})
local part = alltoall.check(broadcast.run, {algorithm = "d-cycles", d = 5, m = 40, steps = 8})
assert(part.scaled and not whole.scaled and part.transfers == whole.transfers)
assert(math.abs(part.cycles / whole.cycles - 1) < 0.01)
print(alltoall.runs .. " broadcasts")

-- All-to-all broadcast is exact for every algorithm, size and order, and the transfers that its
-- nodes count are those of the paper's Table 2.
local broadcast = require "alltoall.broadcast"
local alltoall = require "support.alltoall"

local types = {"f32", "i32", "f64-as-pairs"}
local words = {f32 = 1, i32 = 1, ["f64-as-pairs"] = 2}

for _, algorithm in ipairs{"one-cycle", "d-cycles", "binomial"} do
  for d = 1, 6 do
    for turn, m in ipairs(alltoall.sizes(d)) do
      for which, order in ipairs(alltoall.orders) do
        local type = types[(d + turn + which) % 3 + 1]
        local result = alltoall.check(broadcast.run, {
          algorithm = algorithm, d = d, m = m, order = order, type = type, seed = turn})
        alltoall.expect_transfers(result, m * words[type])
        assert(result.steps == (1 << d) - 1 and result.hops == result.steps * m * words[type] << d)
      end
    end
  end
end

-- Trees of disjoint links. On a cube of one dimension there is one tree, of height 1, and nothing
-- crosses its link while node 0 has its own block: fewer transfers than those of Table 2.
local on_one_link = {
  ["node-at-a-time"] = function(size) return 2 * ((size + 1) // 2) end,
  ["send-and-spread"] = function(size) return (size + 1) // 2 + size end,
}
for _, algorithm in ipairs{"node-at-a-time", "send-and-spread"} do
  for d = 1, 6 do
    for turn, m in ipairs(alltoall.sizes(d)) do
      for which, order in ipairs(alltoall.orders) do
        local type = types[(d + turn + which) % 3 + 1]
        local result = alltoall.check(broadcast.run, {
          algorithm = algorithm, d = d, m = m, order = order, type = type, seed = turn})
        local size = m * words[type]
        if d > 1 then
          alltoall.expect_transfers(result, size)
        else
          assert(result.transfers == on_one_link[algorithm](size))
        end
      end
    end
  end
end
for d = 7, 8 do  -- blocks of fewer words than there are trees
  for m = 1, d - 1, 2 do
    alltoall.expect_transfers(alltoall.check(broadcast.run, {
      algorithm = "send-and-spread", d = d, m = m, type = "i32"}), m)
  end
end

-- Indices that move along need a word more per element, and give the same.
for _, algorithm in ipairs{"one-cycle", "d-cycles", "binomial"} do
  for turn, type in ipairs(types) do
    local result = alltoall.check(broadcast.run, {
      algorithm = algorithm, d = 3, m = 5, type = type, order = alltoall.orders[turn % 2 + 1],
      index = "move"})
    assert(result.hops == 7 * 5 * (words[type] + 1) << 3)
  end
end

-- The first steps, scaled: on a cube all steps of one kind take the same time but for the last
-- words.
local whole = alltoall.check(broadcast.run, {algorithm = "d-cycles", d = 5, m = 40})
local part = alltoall.check(broadcast.run, {algorithm = "d-cycles", d = 5, m = 40, steps = 8})
assert(part.scaled and not whole.scaled and part.transfers == whole.transfers)
assert(math.abs(part.cycles / whole.cycles - 1) < 0.01)

-- Nine dimensions: more channels than microthreads.
for _, order in ipairs(alltoall.orders) do
  for _, algorithm in ipairs{"one-cycle", "d-cycles"} do
    alltoall.check(broadcast.run,
                   {algorithm = algorithm, d = 9, m = 9, order = order, type = "i32"})
  end
end
for d = 10, 12 do
  alltoall.check(broadcast.run, {algorithm = "d-cycles", d = d, m = 3 * d + 2, steps = 2})
end
print(alltoall.runs .. " broadcasts")

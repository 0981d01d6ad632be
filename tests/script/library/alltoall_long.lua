-- What the other tests of alltoall run on small cubes and meshes, on 32 nodes and more. One cycle and
-- d cycles on 2048 nodes: all steps, all elements.
local alltoall = require "support.alltoall"
local broadcast = require "alltoall.broadcast"
local cases = require "support.alltoall_cases"
local nbody = require "alltoall.nbody"
local personalised = require "alltoall.personalised"
local products = require "support.alltoall_products"
local reduce = require "alltoall.reduce"
local uneven = require "support.alltoall_uneven"

for d = 5, 6 do
  cases.broadcasts_over_cycles(d)
  cases.broadcasts_through_trees(d)
  cases.reductions(d)
  cases.transposes(d)
  cases.gathers_and_scatters(d)
  cases.on_mesh(d)
  products(d, {"rows", "columns"})
  for turn, m in ipairs(alltoall.sizes(d)) do
    alltoall.check(broadcast.run, {algorithm = "through-root", d = d, m = m, order = alltoall.orders[turn % 2 + 1]})
  end
end
assert(nbody.run{d = 6, m = 2, machine = "cm200"}.differing == 0)
for turn, m in ipairs{1, 6, 13} do
  alltoall.check(reduce.run, {d = 6, m = m, order = alltoall.orders[turn % 2 + 1], index = "move",
                              op = ({"add", "max", "min"})[turn]})
end
for d = 4, 6 do uneven(d) end
alltoall.check(broadcast.run, {d = 8, M = 1000})
alltoall.check(reduce.run, {d = 8, M = 300, type = "i32", op = "max"})
for d = 6, 9 do cases.speedup(d) end

-- 16 x 16 PEs.
for which, order in ipairs(alltoall.orders) do
  for _, algorithm in ipairs{"one-cycle", "d-cycles", "row-column"} do
    local result = alltoall.check(broadcast.run, {
      algorithm = algorithm, d = 8, m = 8, order = order, topology = "mesh",
      machine = ({"wse2", "model"})[which]})
    assert(result.colours <= 9)
  end
end

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
for turn, algorithm in ipairs{"one-cycle", "d-cycles"} do
  local result = alltoall.check(broadcast.run, {algorithm = algorithm, d = 11, m = 11, type = "i32",
                                                order = alltoall.orders[turn]})
  alltoall.expect_transfers(result, 11)
end
alltoall.check(personalised.run, {d = 8, m = 3})
-- Transposes with more channels than microthreads, with as many elements as fit there; whole rounds of
-- elements and a rest of them.
alltoall.check(personalised.run, {d = 9, m = 2, machine = "wse2"})
alltoall.check(personalised.run, {d = 9, m = 11, type = "i32", order = "binary"})
alltoall.check(personalised.run, {d = 10, m = 1, type = "f64-as-pairs"})

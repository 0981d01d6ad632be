-- All-to-alls of a cube whose nodes lie on a mesh, and the mesh's own broadcast, are exact in both
-- orders; they have few colours, and neighbours alone send to each other but where the cycle
-- closes.
local alltoall = require "support.alltoall"
local broadcast = require "alltoall.broadcast"
local reduce = require "alltoall.reduce"

local machines = {"wse2", "model", "wse3"}

-- 2 x 1 to 8 x 8 PEs.
for d = 1, 6 do
  for turn, m in ipairs{1, d, 2 * d + 1, 17 - d} do
    for which, order in ipairs(alltoall.orders) do
      for number, algorithm in ipairs{"one-cycle", "d-cycles", "binomial", "row-column"} do
        local words = (d + turn + number) % 3 == 0 and m < 5
        local result = alltoall.check(broadcast.run, {
          algorithm = algorithm, d = d, m = m, order = order, topology = "mesh",
          type = words and "f64-as-pairs" or number % 2 == 0 and "i32" or "f32",
          machine = machines[(turn + which) % 3 + 1]})
        assert(result.colours <= 9)
      end
      for number, algorithm in ipairs{"one-cycle", "d-cycles", "reduce-and-spread"} do
        if d < 6 then
          alltoall.check(reduce.run, {
            algorithm = algorithm, d = d, m = m, order = order, topology = "mesh",
            op = ({"add", "max", "min"})[(d + turn + number) % 3 + 1],
            machine = machines[(turn + number) % 3 + 1]})
        end
      end
    end
  end
end

-- 16 x 16 PEs.
for which, order in ipairs(alltoall.orders) do
  for _, algorithm in ipairs{"one-cycle", "d-cycles", "row-column"} do
    local result = alltoall.check(broadcast.run, {
      algorithm = algorithm, d = 8, m = 8, order = order, topology = "mesh",
      machine = machines[which]})
    assert(result.colours <= 9)
  end
end

-- A block passes every PE once on the cycle; the link that closes it is as long as a column.
local ring = broadcast.run{algorithm = "one-cycle", d = 4, m = 6, topology = "mesh"}
assert(ring.hops == 15 * 6 * (15 + 3) and ring.longest_way == 3)
-- In rows and columns every word crosses a link for each PE that gets it.
local rows = broadcast.run{algorithm = "row-column", d = 4, m = 6, topology = "mesh"}
assert(rows.hops == 6 * (16 * 3 + 16 * 4 * 3) and rows.colours == 4)
-- Relays: over dimension k of an axis a message goes over as many links as its mirror image is
-- away.
local cycles = broadcast.run{algorithm = "d-cycles", d = 4, m = 4, topology = "mesh"}
assert(cycles.hops == 15 * 16 * (1 + 2 + 1 + 2), cycles.hops)
print(alltoall.runs .. " all-to-alls on meshes")

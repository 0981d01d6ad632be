-- All-to-alls of a cube whose nodes lie on a mesh, and the mesh's own broadcast, are exact in both
-- orders; they have few colours, and neighbours alone send to each other but where the cycle
-- closes.
local alltoall = require "support.alltoall"
local broadcast = require "alltoall.broadcast"
local cases = require "support.alltoall_cases"

for d = 1, 4 do cases.on_mesh(d) end  -- 2 x 1 to 4 x 4 PEs

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

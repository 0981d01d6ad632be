-- The broadcasts of a cube on the cube and on a mesh of the same nodes, beside the mesh's own way,
-- rows and then columns:
--   wsevm run scripts/alltoall/meshes.lua out=out --machine=wse2
-- study/study.lua has the arguments of all studies. README.md reads the result.
local broadcast = require "alltoall.broadcast"
local study = require "support.study"
local wse = require "wse"

local m = study.integer("m", 8, 1)
local self = study.begin("meshes")

local ways = {
  {topology = "hypercube", algorithm = "one-cycle"},
  {topology = "hypercube", algorithm = "d-cycles"},
  {topology = "mesh", algorithm = "one-cycle"}, {topology = "mesh", algorithm = "d-cycles"},
  {topology = "mesh", algorithm = "binomial"}, {topology = "mesh", algorithm = "row-column"},
}
local points = {}
for _, d in ipairs{4, 6, 8} do
  for _, way in ipairs(ways) do
    for _, order in ipairs{"binary", "gray"} do
      points[#points + 1] = {nodes = 1 << d, topology = way.topology, algorithm = way.algorithm,
                             order = order}
    end
  end
end

local rows = study.rows(self, points, {"nodes", "topology", "algorithm", "order"}, function(p)
  local result = broadcast.run{algorithm = p.algorithm, topology = p.topology, m = m,
                               d = study.dimensions(p.nodes), order = p.order}
  assert(result.max_abs_error == 0)
  return {cycles = result.cycles, reordering = result.reorder_cycles, hops = result.hops,
          colours = result.colours, longest_way = result.longest_way}
end)
local shown = {}
for _, row in ipairs(rows) do
  if row.nodes ~= 64 then shown[#shown + 1] = row end
end
print(wse.table(shown, {"nodes", "topology", "algorithm", "order", "cycles", "reordering", "hops",
                        "longest_way", "colours"}))

local lines = {}
for number, way in ipairs(ways) do
  lines[number] = study.line(way.algorithm .. ", " .. way.topology, number, rows, "nodes", "cycles",
                             function(row)
    return row.topology == way.topology and row.algorithm == way.algorithm and row.order == "gray"
  end)
end
study.draw(self, {lines = study.joined(lines), log = "xy", x_label = "nodes", y_label = "cycles",
                  title = string.format("Broadcast of %d words per node", m)})

-- The all-to-alls of a cube on the cube and on a mesh of the same nodes, beside the mesh's own way, rows and
-- then columns:
--   wsevm run scripts/alltoall/meshes.lua out=out --machine=wse2
-- Writes meshes.csv and meshes.svg. README.md reads the result.
local broadcast = require "alltoall.broadcast"
local wse = require "wse"

local out = wse.argument("out", "out")
local m = wse.argument("m", 8)
wse.no_more_arguments()

local ways = {
  {topology = "hypercube", algorithm = "one-cycle"}, {topology = "hypercube", algorithm = "d-cycles"},
  {topology = "mesh", algorithm = "one-cycle"}, {topology = "mesh", algorithm = "d-cycles"},
  {topology = "mesh", algorithm = "binomial"}, {topology = "mesh", algorithm = "row-column"},
}
local list = {}
for _, d in ipairs{4, 6, 8} do
  for _, way in ipairs(ways) do
    for _, order in ipairs{"binary", "gray"} do
      list[#list + 1] = {nodes = 1 << d, topology = way.topology, algorithm = way.algorithm,
                         order = order}
    end
  end
end

local rows = wse.sweep{points = list, order = {"nodes", "topology", "algorithm", "order"},
                       title = "meshes", run = function(p)
  local d = 0
  while 1 << d < p.nodes do d = d + 1 end
  local result = broadcast.run{algorithm = p.algorithm, topology = p.topology, d = d, m = m,
                               order = p.order}
  assert(result.max_abs_error == 0)
  return {cycles = result.cycles, reordering = result.reorder_cycles, hops = result.hops,
          colours = result.colours, longest_way = result.longest_way}
end}
local columns = {"nodes", "topology", "algorithm", "order", "cycles", "reordering", "hops",
                 "longest_way", "colours"}
wse.write_csv(out .. "/meshes.csv", rows, columns)
print(wse.table(rows, columns))

local lines = {}
for number, way in ipairs(ways) do
  local line = {name = way.algorithm .. ", " .. way.topology, number = number, x = {}, y = {},
                dashed = way.topology == "hypercube"}
  for _, row in ipairs(rows) do
    if row.topology == way.topology and row.algorithm == way.algorithm and row.order == "gray" then
      line.x[#line.x + 1], line.y[#line.y + 1] = row.nodes, row.cycles
    end
  end
  lines[number] = line
end
wse.plot{file = out .. "/meshes.svg", lines = lines, log = "xy", x_label = "nodes",
         y_label = "cycles", title = string.format("Broadcast of %d words per node", m)}

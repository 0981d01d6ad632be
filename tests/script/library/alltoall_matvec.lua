-- Matrix-vector products by all-to-all communication are exact on 1-D and 2-D arrays of nodes, in
-- both orders, and what is no equal share is refused.
local alltoall = require "support.alltoall"
local matvec = require "alltoall.matvec"

for d = 1, 6 do
  for turn, nodes in ipairs{"rows", "columns", "grid"} do
    for _, order in ipairs(alltoall.orders) do
      local P, Q = (1 + d % 3) << d, (1 + turn) << d
      local result = alltoall.check(matvec.run, {P = P, Q = Q, d = d, nodes = nodes, order = order})
      assert((result.broadcast_cycles > 0) == (nodes ~= "columns"))
      assert((result.reduce_cycles > 0) == (nodes == "columns" or nodes == "grid" and d > 1))
    end
  end
end
alltoall.check(matvec.run, {P = 256, Q = 384, d = 7, seed = 3})
alltoall.check(matvec.run, {P = 40, Q = 24, d = 3, machine = "wse2"})
alltoall.check(matvec.run, {P = 512, Q = 512, d = 9})  -- five dimensions and four

-- A grid needs far less communication than a line of nodes.
local function cycles(nodes)
  return alltoall.check(matvec.run, {P = 128, Q = 128, d = 6, nodes = nodes}).cycles
end
assert(2 * cycles("grid") < math.min(cycles("rows"), cycles("columns")))

local function refused(options, text)
  local ok, message = pcall(matvec.run, options)
  assert(not ok, text .. ": it ran")
  assert(message:find(text, 1, true), message)
end
refused({P = 65, d = 4}, "P = 65: a multiple of 16 is wanted")
refused({Q = 0, d = 4}, "Q = 0: a multiple of 16 is wanted")
refused({nodes = "cube"}, "nodes = cube: rows, columns or grid is wanted")
refused({type = "i32"}, "type = i32: a product has f32")
refused({topology = "mesh"}, "topology = mesh: hypercube is wanted here")
refused({P = 4096, Q = 4096, d = 4, machine = "wse2"}, "more nodes or a smaller matrix fit")
print(alltoall.runs .. " products")

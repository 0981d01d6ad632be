-- Rank-1 updates and products of matrices by two all-to-all broadcasts are exact on 1-D and 2-D arrays of nodes, in
-- both orders and layouts; an axis of one node needs no broadcast; what is no equal share is refused.
local alltoall = require "support.alltoall"
local outer = require "alltoall.outer"
local products = require "support.alltoall_products"

for d = 1, 4 do products(d, {"rows", "columns", "grid"}) end
for d = 5, 6 do products(d, {"grid"}) end
-- On the rows of a line of nodes A stays, on a grid both move; a product of matrices needs less communication there.
local function cycles(nodes)
  return alltoall.check(outer.run, {product = "matrix-matrix", P = 64, Q = 64, S = 64, d = 4, nodes = nodes})
end
local grid, rows = cycles("grid"), cycles("rows")
assert(grid.x_cycles + grid.y_cycles < rows.x_cycles + rows.y_cycles)
alltoall.check(outer.run, {P = 64, Q = 64, d = 3, machine = "wse2"})

local function refused(options, text)
  local ok, message = pcall(outer.run, options)
  assert(not ok and message:find(text, 1, true), message)
end
refused({product = "dot"}, "product = dot: rank-1 or matrix-matrix is wanted")
refused({P = 65}, "P = 65: a multiple of 16 is wanted")
refused({product = "matrix-matrix", S = 5}, "S = 5: a multiple of 4 is wanted")
refused({product = "matrix-matrix", Q = 0}, "Q = 0: a multiple of 4 is wanted")
refused({nodes = "cube"}, "nodes = cube: rows, columns or grid is wanted")
refused({layout = "both"}, "layout = both: column or row is wanted")
refused({type = "i32"}, "type = i32: a product has f32")
refused({T = 4}, "has no option 'T'")
refused({product = "matrix-matrix", P = 1024, Q = 1024, S = 1024, d = 2, machine = "wse2"},
        "more nodes or smaller matrices fit")
print(alltoall.runs .. " products")

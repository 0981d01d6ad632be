-- Rank-1 updates and products of matrices by two all-to-all broadcasts are exact on 1-D and 2-D arrays of nodes, in
-- both orders and layouts; an axis of one node needs no broadcast; what is no equal share is refused.
local alltoall = require "support.alltoall"
local outer = require "alltoall.outer"

for d = 1, 6 do
  for turn, nodes in ipairs{"rows", "columns", "grid"} do
    for which, order in ipairs(alltoall.orders) do
      local layout = ({"column", "row"})[(d + which) % 2 + 1]
      local rank1 = alltoall.check(outer.run, {P = (1 + d % 3) << d, Q = (1 + turn) << d, d = d, nodes = nodes,
                                               order = order, layout = layout, seed = which})
      assert((rank1.x_cycles > 10) == (nodes ~= "columns") or d == 1)
      assert(nodes == "grid" and d > 1 and rank1.exchange_cycles > 0 or rank1.exchange_cycles == 0)
      if d <= 4 then
        local long = nodes == "grid" and 1 << (d + 1) // 2 or 1 << d
        alltoall.check(outer.run, {product = "matrix-matrix", P = (1 + d % 2) * long, Q = 2 * long,
                                   S = (1 + turn % 2) * long, d = d, nodes = nodes, order = order, seed = turn})
      end
    end
  end
end
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

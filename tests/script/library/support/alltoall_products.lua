-- Products whose operands are both broadcast, for cubes of some size and shapes of their nodes: small cubes in every test
-- run, the largest in the long ones.
local alltoall = require "support.alltoall"
local outer = require "alltoall.outer"

-- Rank-1 updates and products of matrices on 2^d nodes as each of `shapes`, a list of "rows", "columns" and "grid".
return function(d, shapes)
  for turn, nodes in ipairs(shapes) do
    for which, order in ipairs(alltoall.orders) do
      local layout = ({"column", "row"})[(d + which) % 2 + 1]
      local rank1 = alltoall.check(outer.run, {P = (1 + d % 3) << d, Q = (1 + turn) << d, d = d, nodes = nodes,
                                               order = order, layout = layout, seed = which})
      assert((rank1.x_cycles > 10) == (nodes ~= "columns") or d == 1)
      assert(nodes == "grid" and d > 1 and rank1.exchange_cycles > 0 or rank1.exchange_cycles == 0)
      local long = nodes == "grid" and 1 << (d + 1) // 2 or 1 << d
      alltoall.check(outer.run, {product = "matrix-matrix", P = (1 + d % 2) * long, Q = 2 * long,
                                 S = (1 + turn % 2) * long, d = d, nodes = nodes, order = order, seed = turn})
    end
  end
end

-- Collectives on a grid of width x height PEs with the root in a corner: RED section 7. The paper's
-- M and N are width and height. `reduce` and `allreduce` are functions (P, B, options) of a row.
local terms = require "collectives.lib.terms"
local row = require "collectives.model.row"

local grid = {}

-- Lemma 7.1: along the first row, and down every column at once; B + M + N - 2 + 2 T_R + 1.
function grid.broadcast(width, height, B, options)
  terms.check_grid(width, height, B)
  local others = width * height - 1
  if others == 0 then return terms.nothing() end
  return terms.estimate({E = B * others, L = width + height - 2, D = 1, C = B, N = others}, options)
end

-- 7.2: all rows at once, then the first column; T_REDUCE X + T_REDUCE Y.
function grid.xy_reduce(reduce, width, height, B, options)
  terms.check_grid(width, height, B)
  return terms.in_sequence{{reduce(width, B, options), copies = height},
                           reduce(height, B, options)}
end

-- 7.3: the chain of all PEs, row by row, every second one backwards; T_CHAIN of M N PEs.
function grid.snake(width, height, B, options)
  terms.check_grid(width, height, B)
  return row.chain(width * height, B, options)
end

-- 7.4: an AllReduce in all rows at once, then one in all columns.
function grid.xy_allreduce(allreduce, width, height, B, options)
  terms.check_grid(width, height, B)
  return terms.in_sequence{{allreduce(width, B, options), copies = height},
                           {allreduce(height, B, options), copies = width}}
end

-- 7.4: a 2D Reduce (an estimate), then the 2D Broadcast.
function grid.reduce_then_broadcast(reduce, width, height, B, options)
  return terms.in_sequence{reduce, grid.broadcast(width, height, B, options)}
end

return grid

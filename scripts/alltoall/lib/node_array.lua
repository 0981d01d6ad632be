-- Nodes of a cube as an array of R rows and C columns, R C = 2^d, and which piece of a vector lies where. Pure.
-- A vector lies column by column of nodes (layout = "column") or row by row ("row"). A broadcast within columns of
-- nodes, or a reduction within them, wants or leaves pieces column by column; within rows, row by row. Where that is
-- not the layout, pieces are exchanged: a transposition of the array.
local exchanges = require "alltoall.lib.exchanges"
local gray = require "alltoall.lib.gray"

local node_array = {}

node_array.shapes = {"rows", "columns", "grid"}
node_array.layouts = {"column", "row"}

-- Dimensions of the rows and of the columns of nodes: nodes = "rows" has all nodes in one column.
function node_array.dimensions(d, nodes)
  if nodes == "rows" then return d, 0 end
  if nodes == "columns" then return 0, d end
  return (d + 1) // 2, d // 2
end

-- The functions of an array of 2^row_dimensions x 2^column_dimensions nodes with an order of blocks:
--   place(node): its row and its column; node_at(row, column);
--   piece(layout, node): the piece of a vector that it has; node_of(layout, piece).
function node_array.of(row_dimensions, column_dimensions, order)
  local rows, columns = 1 << row_dimensions, 1 << column_dimensions
  local block_of, code_of = gray.orders[order].block_of, gray.orders[order].node_of
  local self = {rows = rows, columns = columns}
  function self.place(node) return block_of(node // columns), block_of(node % columns) end
  function self.node_at(row, column) return code_of(row) * columns + code_of(column) end
  function self.piece(layout, node)
    local row, column = self.place(node)
    return layout == "column" and column * rows + row or row * columns + column
  end
  function self.node_of(layout, piece)
    if layout == "column" then return self.node_at(piece % rows, piece // rows) end
    return self.node_at(piece // columns, piece % columns)
  end
  return self
end

-- The specification (exchange_program.lua) that brings pieces of m elements of an array from one layout to another;
-- nil if they are one, or if the nodes are a line.
function node_array.exchange(nodes, d, from, to, m, array)
  if from == to or nodes.rows == 1 or nodes.columns == 1 then return nil end
  local steps = exchanges.plan(d, function(node) return nodes.node_of(to, nodes.piece(from, node)) end)
  return {steps = steps, elements = m, data = "f32", array = array}
end

return node_array

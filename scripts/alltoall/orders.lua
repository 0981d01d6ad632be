-- Where the blocks of a broadcast over one cycle lie before they are reordered, for both orders of
-- nodes: a picture of the memories of a run, orders-binary.svg and orders-gray.svg:
--   wsevm run scripts/alltoall/orders.lua d=4 out=out
-- README.md reads the result.
local broadcast = require "alltoall.broadcast"
local wse = require "wse"

local d = wse.argument("d", 4)
local out = wse.argument("out", "out")
wse.no_more_arguments()

for _, order in ipairs{"binary", "gray"} do
  local found, last = {}, (1 << d) - 1
  for _, row in ipairs(broadcast.index_rows{algorithm = "one-cycle", d = d, m = 1, order = order,
                                            machine = "cm200"}) do
    if row.step == last then found[row.address << d | row.node] = row.element end
  end
  wse.heat_map{file = out .. "/orders-" .. order .. ".svg", width = 1 << d, height = 1 << d,
               values = function(node, address) return found[address << d | node] end,
               title = order == "gray" and "Nodes in Gray code order" or "Nodes in binary order",
               label = "block", x_label = "node", y_label = "local address, block", numbers = true,
               format = "%d"}
end

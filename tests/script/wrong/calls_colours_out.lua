-- More colours than a machine has: the message says which PE knows them, and from which lines.
local wse = require "wse"
wse.argument("size")
local w = wse.layout(8, 1):use(require "collectives.calls")
for _, colour in ipairs(w:colours("own", 22)) do w:route(colour, w:pe(3), "ramp -> ramp") end
w:alltoall{name = "swap", length = 1, pattern = "chain"}
w:program[[
.program all
  .f32 v[8]
  .f32 u[8]
  task main:
    swap u, v
]]
w:place("all", w:all())
w:run()
--- expect
--- calls_colours_out.lua:15: w:run: 26 colours do not fit into the 24 numbers of the machine; those that a PE knows by route, program or parameter need different ones
--- 26 of them meet at PE (3, 0):
---   from calls_colours_out.lua:5: own1, own2, own3, own4, own5, own6, own7, own8, own9, own10,
---     own11, own12, own13, own14, own15, own16, own17, own18, own19, own20, own21, own22
---   from calls_colours_out.lua:6: swap_x_hop_east0, swap_x_hop_east1, swap_x_hop_west0,
---     swap_x_hop_west1
--- how many each PE knows:
---       0   1   2   3   4   5   6   7
---     0 2   4   4   26  4   4   4   2

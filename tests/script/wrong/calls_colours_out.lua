-- More colours than a machine has: the message says which PE knows them, and from which lines.
local wse = require "wse"
wse.argument("size")
local w = wse.layout(8, 1):use(require "collectives.calls")
for _, colour in ipairs(w:colours("own", 22)) do w:route(colour, w:pe(3), "ramp -> ramp") end
w:alltoall{name = "swap", along = "rows", length = 1, pattern = "chain"}
w:reduce{name = "total", data = "v[0:1]", pattern = "tree", length = 1, after = "done"}
w:program[[
.program all
  .f32 v[8]
  .f32 u[8]
  task main:
    swap u, v
    activate total
  task done:
    halt
]]
w:place("all", w:all())
w:run()
--- expect
--- calls_colours_out.lua:19: w:run: 29 colours do not fit into the 24 numbers of the machine; those that a PE knows by route, program or parameter need different ones
--- 28 of them meet at PE (3, 0):
---   from calls_colours_out.lua:5: own1, own2, own3, own4, own5, own6, own7, own8, own9, own10,
---     own11, own12, own13, own14, own15, own16, own17, own18, own19, own20, own21, own22
---   from calls_colours_out.lua:6: swap_x_hop_east0, swap_x_hop_east1, swap_x_hop_west0,
---     swap_x_hop_west1
---   from calls_colours_out.lua:7: total_x_tree_to0_0, total_x_tree_to0_2
--- how many each PE knows:
---       0   1   2   3   4   5   6   7
---     0 5   7   7   28  7   6   6   3
--- = help: swap (calls_colours_out.lua:6): pattern = "train" takes 2 of a line
--- = help: total (calls_colours_out.lua:7): pattern = "chain" takes 2 of a line; colours = a collective of the same PEs that never runs at the same time shares its own

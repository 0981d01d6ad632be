-- More colours at a PE than there are numbers.
local wse = require "wse"
wse.argument("size")
local w = wse.layout(12, 2)
w:program(".program idle\n  task main:\n")
w:place("idle", w:all())
local hops = w:colours("hop", 20)
for k = 1, 20 do
  w:multicast(hops[k], {0, 0}, w:row(0))
end
for k = 0, 5 do
  w:path(w:colour("bus" .. k), {{11, 1}, {11, 0}, {k, 0}})
end
w:run()
--- expect
--- layout_full.lua:14: w:run: 26 colours do not fit into the 24 numbers of the machine; those that a PE knows by route, program or parameter need different ones
--- 26 of them meet at PE (5, 0):
---   from layout_full.lua:7: hop1, hop2, hop3, hop4, hop5, hop6, hop7, hop8, hop9, hop10, hop11,
---     hop12, hop13, hop14, hop15, hop16, hop17, hop18, hop19, hop20
---   from layout_full.lua:12: bus0, bus1, bus2, bus3, bus4, bus5
--- how many each PE knows:
---       0   1   2   3   4   5   6   7   8   9   10
---     0 21  22  23  24  25  26  26  26  26  26  26
---     1 0   0   0   0   0   0   0   0   0   0   0
---       (0..10, 0..1) of 12 x 2

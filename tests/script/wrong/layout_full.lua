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

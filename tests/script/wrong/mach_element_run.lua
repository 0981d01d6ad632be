-- An index of the controller beyond its array, found when the program runs.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local g, s = p:GA("g", {1, 2, 3}), p:GS("s")
p:loop(5, function(i)
  s:set(s + g[i])
end)
p:run{}
--- expect
--- mach_element_run.lua:6: g[3] is beyond the array, which has 3 elements
--- called from
---   mach_element_run.lua:5: in the function of line 5
---   mach_element_run.lua:8: in the script

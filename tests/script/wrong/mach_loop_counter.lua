-- A counter that the body sets.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
p:loop(3, function(i)
  i:set(2)
end)

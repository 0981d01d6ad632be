-- A sum that a loop would have to begin again.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a = p:LA("a", 4)
p:while_(p:sum(a), ">", 1, function() end)

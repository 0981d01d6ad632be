-- Control flow over what the workers hold.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a = p:LA("a", 4)
p:if_(a, ">", 1, function() end)

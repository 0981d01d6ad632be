-- A sum that a loop would have to begin again.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a = p:LA("a", 4)
p:while_(p:sum(a), ">", 1, function() end)
--- expect
--- mach_control_again.lua:5: p:while_ compares GS, ULS, numbers and elements of a GA; put other values into a GS

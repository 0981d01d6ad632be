-- Control flow over what the workers hold.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a = p:LA("a", 4)
p:if_(a, ">", 1, function() end)
--- expect
--- mach_control.lua:5: p:if_ compares GS, ULS, numbers and elements of a GA; put other values into a GS

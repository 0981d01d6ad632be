-- A loop whose count is no integer.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
p:loop(p:GS("s"), function() end)

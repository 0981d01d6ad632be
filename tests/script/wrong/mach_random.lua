-- Random numbers between nothing.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a = p:LA("a", 4)
a:set(mach.random(1.0, 1.0))

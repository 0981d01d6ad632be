-- Random numbers between nothing.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a = p:LA("a", 4)
a:set(mach.random(1.0, 1.0))
--- expect
--- mach_random.lua:5: mach.random: two numbers are wanted, the lower one first, or none for 0 to 1

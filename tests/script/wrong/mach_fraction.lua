-- A fraction as an integer.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local k = p:LS("k", 4, "i32")
k:set(k + 0.5)
--- expect
--- mach_fraction.lua:5: +: 0.5 is no i32, an integer of -2147483648 to 2147483647

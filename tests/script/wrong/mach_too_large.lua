-- A number that f16 has not.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a = p:LA("a", 4, 1, "f16")
a:set(a * 1e6)
--- expect
--- mach_too_large.lua:5: *: 1000000.0 is too large: the largest f16 is 65504

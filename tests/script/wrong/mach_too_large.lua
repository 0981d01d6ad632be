-- A number that f16 has not.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a = p:LA("a", 4, 1, "f16")
a:set(a * 1e6)

-- A type that is not there.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a = p:LA("a", 8, 0, "f64")

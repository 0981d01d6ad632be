-- A fraction as an integer.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local k = p:LS("k", 4, "i32")
k:set(k + 0.5)

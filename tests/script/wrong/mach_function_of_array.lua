-- A function that arrays have not.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a = p:LA("a", 32)
a:fill(0)
--- expect
--- mach_function_of_array.lua:5: a has no 'fill'; set and slice are its functions

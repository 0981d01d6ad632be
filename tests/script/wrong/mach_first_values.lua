-- First values of another number.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a = p:LA("a", 4, {1, 2, 3})
--- expect
--- mach_first_values.lua:4: a has 128 elements, but 3 first values are given

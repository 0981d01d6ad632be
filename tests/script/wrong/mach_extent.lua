-- An array without elements.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a = p:LA("a", 0)
--- expect
--- mach_extent.lua:4: p:LA: axis 1 of the memory is 0; 1 to 1048576 is wanted

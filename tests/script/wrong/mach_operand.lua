-- Something that cannot be an operand.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a = p:LA("a", 4)
a:set(a + "b")
--- expect
--- mach_operand.lua:5: +: operand 2 is a string; a number, an object of the program or an expression is wanted

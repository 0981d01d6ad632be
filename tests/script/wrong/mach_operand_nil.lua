-- An operand that is not there.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a = p:LA("a", 4)
a:set(mach.max(a, nil))
--- expect
--- mach_operand_nil.lua:5: mach.max: operand 2 is nil; a number, an object of the program or an expression is wanted

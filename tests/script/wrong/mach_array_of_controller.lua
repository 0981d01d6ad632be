-- An array of the controller as an operand.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a, g = p:LA("a", 4), p:GA("g", {1, 2})
a:set(a * g)

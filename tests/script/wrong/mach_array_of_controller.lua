-- An array of the controller as an operand.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a, g = p:LA("a", 4), p:GA("g", {1, 2})
a:set(a * g)
--- expect
--- mach_array_of_controller.lua:5: g is an array of the E-PE; g[i] is an element, p:for_each takes all

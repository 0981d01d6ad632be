-- A reduction of two operands: mach.max compares element by element, p:max makes one value.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a, b, s = p:LA("a", 4, 1), p:LA("b", 4, 2), p:GS("s", 0)
s:set(p:max(a, b))
--- expect
--- mach_reduction_two.lua:5: p:max takes one operand, of which it makes one value; mach.max takes two, element by element

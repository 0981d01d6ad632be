-- Objects of two programs in one expression.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local q = mach.program{width = 8, height = 4}
local a, b = p:LA("a", 4), q:LA("b", 4)
a:set(a + b)
--- expect
--- mach_two_programs.lua:6: b belongs to another program

-- A function of numbers alone.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a = p:LA("a", 4)
a:set(mach.min(1, 2))
--- expect
--- mach_numbers.lua:5: mach.min: numbers alone are Lua's; an object or an expression is wanted

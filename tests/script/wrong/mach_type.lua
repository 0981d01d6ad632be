-- Operands of different types.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a, k = p:LA("a", 8), p:LS("k", 1, "i32")
a:set(a * k)
--- expect
--- mach_type.lua:5: *: types differ: f32 and i32; mach.convert(value, "f32") converts

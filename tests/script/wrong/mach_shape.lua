-- Operands of different shapes.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a, b = p:LA("a", 32), p:LA("b", 31)
a[":, :, 1:"] = a[":, :, 1:"] + b
local c = a["1:-1, :, :"] * b
--- expect
--- mach_shape.lua:6: *: shapes differ: 6 x 4 x 32 and 8 x 4 x 31

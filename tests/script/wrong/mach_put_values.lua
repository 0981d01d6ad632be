-- Values of another type.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a, j = p:LA("a", 4), p:LA("j", 4, 0, "i32")
p:put(a, j, j)
--- expect
--- mach_put_values.lua:5: p:put: the array is f32, but the values are i32

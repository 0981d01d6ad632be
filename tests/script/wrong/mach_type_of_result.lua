-- A right side of another type than the left.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a, k = p:LA("a", 8), p:LS("k", 1, "i32")
k:set(a[":, :, 0"])
--- expect
--- mach_type_of_result.lua:5: k is i32, but the right side is f32; mach.convert(value, "i32") converts

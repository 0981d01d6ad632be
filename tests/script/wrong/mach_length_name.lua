-- A length by something that is no LS of integers.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a, k = p:LA("a", 32), p:LS("k", 3)
a[":, :, :k"] = 0
--- expect
--- mach_length_name.lua:5: slice ':, :, :k': k is no LS or ULS of type i32

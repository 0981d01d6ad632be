-- A number where a slice belongs.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a = p:LA("a", 32)
a[3] = 0
--- expect
--- mach_slice_number.lua:5: a[3]: a slice is a text, "1:-1, :, 0"

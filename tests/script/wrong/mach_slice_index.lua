-- An index beyond the array.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a = p:LA("a", {4, 3})
a[":, :, 3, 3"] = 0
--- expect
--- mach_slice_index.lua:5: slice ':, :, 3, 3': 3 is beyond memory axis 2, which has 3 elements

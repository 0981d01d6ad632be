-- An index beyond the memory of the array.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a = p:LA("a", 32)
a[":, :, -33"] = 0
--- expect
--- mach_slice_beyond_memory.lua:5: slice ':, :, -33': -33 is beyond the memory, which has 32 elements

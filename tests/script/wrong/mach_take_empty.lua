-- Elements of an empty slice.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a = p:LA("a", 32)
a[":, :, 0"] = p:take(a[":, :, 3:1"], p:LS("k", 0, "i32"))
--- expect
--- mach_take_empty.lua:5: p:take: the slice of the array is empty, so no index has an element

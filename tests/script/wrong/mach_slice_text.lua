-- Something that cannot be a slice.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a = p:LA("a", 32)
a[":, 1.5, :"] = 0
--- expect
--- mach_slice_text.lua:5: slice ':, 1.5, :': '1.5' is no position; start:stop:step of integers is wanted

-- The smallest of no elements.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a = p:LA("a", 32)
p:ULS("t"):set(p:min(a["5:5, :, :"]))
--- expect
--- mach_slice_empty.lua:5: p:min: the slice is empty, and only a sum of nothing has a value

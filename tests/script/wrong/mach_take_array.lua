-- A take of what is no array.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a, k = p:LA("a", 4), p:LS("k", 1, "i32")
a:set(p:take(a + 1, k))
--- expect
--- mach_take_array.lua:5: p:take: the array is an LA or a slice of one

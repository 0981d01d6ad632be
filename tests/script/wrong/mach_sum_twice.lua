-- A sum that is taken twice.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a, s = p:LA("a", 4), p:GS("s")
local sum = p:sum(a)
s:set(sum)
s:set(sum)
--- expect
--- mach_sum_twice.lua:7: the sum of line 5 has been taken; a ULS or GS keeps it

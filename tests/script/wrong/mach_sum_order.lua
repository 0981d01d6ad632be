-- Sums that are taken in another order.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a, s = p:LA("a", 4), p:GS("s")
local first, second = p:sum(a), p:max(a)
s:set(second)

-- Sums that are taken in another order.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a, s = p:LA("a", 4), p:GS("s")
local first, second = p:sum(a), p:max(a)
s:set(second)
--- expect
--- mach_sum_order.lua:6: the sum of line 5 comes first: they are taken in the order they begin in

-- An array of rank 7.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a = p:LA("a", {2, 2, 2, 2, 2})
--- expect
--- mach_rank.lua:4: p:LA 'a' has 5 axes in memory; 1 to 4 are there, rank 3 to 6

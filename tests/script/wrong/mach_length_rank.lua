-- A length of each worker in an array of rank 4.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a, k = p:LA("a", {4, 4}), p:LS("k", 3, "i32")
a[":, :, :, :k"] = 0
--- expect
--- mach_length_rank.lua:5: slice ':, :, :, :k': a length of each worker is one of the memory of rank 3, ":, :, :k"

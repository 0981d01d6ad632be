-- A slice with lengths that is moved.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a, k = p:LA("a", 32), p:LS("k", 3, "i32")
a["1:, :, :k"] = a[":-1, :, :k"]
--- expect
--- mach_length_moved.lua:5: a: a slice with a length of each worker, :k, is not moved

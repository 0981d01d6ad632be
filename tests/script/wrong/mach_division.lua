-- A division of integers by 0, found when the program runs.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local k = p:LS("k", function(x, y) return x + 2 * y - 9 end, "i32")
k:set(100 / k)
p:run{}
--- expect
--- mach_division.lua:5: division by 0 on worker (7, 1)

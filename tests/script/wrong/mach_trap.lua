-- An index that only the wafer finds: the worker's trap names the line of the take.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a, k = p:LA("a", 8), p:LS("k", 5000, "i32")
local b = p:LS("b")
b:set(p:take(a, k))
p:run{interpreter = false}

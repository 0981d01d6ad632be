-- Arrays that the memory of a worker cannot hold.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a, b = p:LA("a", 8000, 1), p:LA("b", 8000)
local small = p:LA("small", 10)
b:set(a + 1)
small:set(b[":, :, :10"])
a:set(b * b + a)
p:run{}

-- A position beyond a result.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a = p:LA("a", 4)
print(p:run{}:array("a"):at(8, 0, 0))

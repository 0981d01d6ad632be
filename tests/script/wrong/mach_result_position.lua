-- A position beyond a result.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a = p:LA("a", 4)
print(p:run{}:array("a"):at(8, 0, 0))
--- expect
--- mach_result_position.lua:5: a: x = 8 is beyond the array, 0 to 7

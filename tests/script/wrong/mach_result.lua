-- A result that the program has not.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a = p:LA("a", 4)
p:run{}:value("a")
--- expect
--- mach_result.lua:5: r:value: the program has no GS or ULS 'a'

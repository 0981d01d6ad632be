-- A result that is no output.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a, b = p:LA("a", 4), p:LA("b", 4)
p:output(a)
b:set(a + 1)
a:set(b)
p:run{}:array("b")
--- expect
--- mach_no_output.lua:8: r:array: b is no output, so others may have used its memory; p:output names the outputs

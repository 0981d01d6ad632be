-- A statement after the run.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a = p:LA("a", 4)
p:run{}
a:set(1)
--- expect
--- mach_after_run.lua:6: a: the program has run; statements come before p:run

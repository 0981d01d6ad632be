-- A random number on the controller.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local s = p:GS("s")
s:set(mach.random())
--- expect
--- mach_random_one_value.lua:5: s is one value, but the right side differs from worker to worker; p:sum, p:min and p:max make one of all

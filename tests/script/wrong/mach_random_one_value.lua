-- A random number on the controller.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local s = p:GS("s")
s:set(mach.random())

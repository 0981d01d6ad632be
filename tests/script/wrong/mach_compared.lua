-- Objects that Lua is asked to compare.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local s = p:GS("s", 4)
if s < p:GS("t", 3) then print "less" end
--- expect
--- mach_compared.lua:5: objects are not compared by Lua: p:if_, p:while_, p:break_if and mach.where compare

-- A name that is there already.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a = p:LA("a", 4)
local b = p:GS("a", 4)
--- expect
--- mach_name_twice.lua:5: p:GS: there is a 'a' already

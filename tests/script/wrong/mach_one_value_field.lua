-- One value that has no slices.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local t = p:ULS("t")
t[":"] = 3
--- expect
--- mach_one_value_field.lua:5: t is one value; t:set(...) changes it

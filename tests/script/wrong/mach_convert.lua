-- A number that is converted.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a = p:LA("a", 4)
a:set(mach.convert(3, "f32"))
--- expect
--- mach_convert.lua:5: mach.convert: a number takes the type of what it meets; nothing is to convert

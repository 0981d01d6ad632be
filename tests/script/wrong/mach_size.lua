-- The length of an object, as Lua asks for it.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a = p:LA("a", 4)
print(#a)
--- expect
--- mach_size.lua:5: objects have no values before the program runs

-- Something that cannot be a name.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a = p:LA("a b", 4)
--- expect
--- mach_name.lua:4: p:LA: the name is 'a b'; a name of letters, digits and _ is wanted

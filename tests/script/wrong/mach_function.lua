-- A function that the module has not.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a = p:LA("a", 4)
a:set(mach.sqroot(a))
--- expect
--- mach_function.lua:5: mach has no 'sqroot'; did you mean 'sqrt'?

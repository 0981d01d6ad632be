-- An operator that is not there.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a = p:LA("a", 4)
a:set(a ^ 2)
--- expect
--- mach_power.lua:5: + - * / are the operators; mach has abs min max sqrt where

-- A sum of what is one value.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local t = p:ULS("t")
t:set(p:sum(t))
--- expect
--- mach_sum.lua:5: p:sum: a slice of an LA or LS is wanted: of what the workers hold

-- A sum of random numbers whose shape nothing says.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local s = p:GS("s")
s:set(p:sum(mach.random()))
--- expect
--- mach_random_shape.lua:5: p:sum: a slice of an LA or LS is wanted: of what the workers hold

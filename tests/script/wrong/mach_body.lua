-- A loop without a body.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
p:loop(3)
--- expect
--- mach_body.lua:4: p:loop: a function is wanted, as its body

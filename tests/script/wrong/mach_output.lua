-- An output that is no object.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
p:output("a")
--- expect
--- mach_output.lua:4: p:output: argument 1 is no object of the program

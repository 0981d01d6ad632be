-- An output that is no object.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
p:output("a")

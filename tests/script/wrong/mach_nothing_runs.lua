-- Neither the interpreter nor the wafer.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
p:run{wafer = false, interpreter = false}

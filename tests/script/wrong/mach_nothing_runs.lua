-- Neither the interpreter nor the wafer.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
p:run{wafer = false, interpreter = false}
--- expect
--- mach_nothing_runs.lua:4: p:run: wafer = false and interpreter = false: nothing is left that runs it

-- A field that a run has not.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
p:run{outputs = {}}

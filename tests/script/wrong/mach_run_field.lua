-- A field that a run has not.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
p:run{outputs = {}}
--- expect
--- mach_run_field.lua:4: p:run has no field 'outputs'; inputs, graph, wafer, interpreter and setup are its fields

-- A loop whose count is no integer.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
p:loop(p:GS("s"), function() end)
--- expect
--- mach_loop_type.lua:4: p:loop: the count is f32; an i32 is wanted

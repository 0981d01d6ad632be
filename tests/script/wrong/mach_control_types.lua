-- Control flow over two types.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
p:if_(p:GS("s"), ">", p:GS("t", 0, "i32"), function() end)
--- expect
--- mach_control_types.lua:4: p:if_: types differ: f32 and i32

-- Steps that differ, which no shift makes.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a = p:LA("a", 32)
a[":4, :, :"] = a["::2, :, :"]
--- expect
--- mach_step_moved.lua:5: a: x has step 2 here and 1 at the destination; neighbours shift all by the same way, route = "message" moves anything

-- A type that is not there.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a = p:LA("a", 8, 0, "f64")
--- expect
--- mach_unknown_type.lua:4: p:LA 'a': the type f64 is unknown; f32, f16 or i32 is wanted

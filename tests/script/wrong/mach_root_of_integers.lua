-- A square root of integers.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local k = p:LS("k", 4, "i32")
k:set(mach.sqrt(k))
--- expect
--- mach_root_of_integers.lua:5: mach.sqrt: there is no square root of i32; mach.convert(value, "f32") converts

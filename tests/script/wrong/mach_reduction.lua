-- A pattern of reductions that there is not.
local mach = require "mach"
local p = mach.program{width = 8, height = 4, reduction = "ring"}
--- expect
--- mach_reduction.lua:3: mach.program: reduction = ring: drain, chain or tree is wanted

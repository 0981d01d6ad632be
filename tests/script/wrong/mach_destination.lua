-- A right side of another shape than the slice that it is written to.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a = p:LA("a", 32)
a["1:-1, 1:-1, 1:-1"] = a["2:, 1:-1, 1:-1"] + a["2:, 1:-1, 1:-1"]
a["1:-1, 1:-1, 1:-1"] = a["2:, 1:-1, :"]
--- expect
--- mach_destination.lua:6: a["1:-1, 1:-1, 1:-1"] is 6 x 2 x 30, but the right side is 6 x 2 x 32

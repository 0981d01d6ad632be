-- A right side of another shape than the slice that it is written to.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a = p:LA("a", 32)
a["1:-1, 1:-1, 1:-1"] = a["2:, 1:-1, 1:-1"] + a["2:, 1:-1, 1:-1"]
a["1:-1, 1:-1, 1:-1"] = a["2:, 1:-1, :"]

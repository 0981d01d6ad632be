-- One value that shall be set to what differs.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a, t = p:LA("a", 4), p:ULS("t")
t:set(a[":, :, 0"] * 2)

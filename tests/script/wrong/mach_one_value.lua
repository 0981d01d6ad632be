-- One value that shall be set to what differs.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a, t = p:LA("a", 4), p:ULS("t")
t:set(a[":, :, 0"] * 2)
--- expect
--- mach_one_value.lua:5: t is one value, but the right side differs from worker to worker; p:sum, p:min and p:max make one of all

-- A comparison that is not there.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local s = p:GS("s", 4)
p:while_(s, "=<", 3, function() end)
--- expect
--- mach_comparison.lua:5: p:while_: the comparison '=<' is unknown; < <= > >= == ~= are known

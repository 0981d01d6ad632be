-- A loop over a table of Lua.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
p:for_each({1, 2}, function() end)

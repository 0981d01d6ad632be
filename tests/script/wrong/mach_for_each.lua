-- A loop over a table of Lua.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
p:for_each({1, 2}, function() end)
--- expect
--- mach_for_each.lua:4: p:for_each: a GA is wanted; a Lua loop unrolls over a table

-- A loop that runs half a time.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
p:loop(2.5, function() end)
--- expect
--- mach_loop_count.lua:4: p:loop: the count is 2.5; an integer is wanted

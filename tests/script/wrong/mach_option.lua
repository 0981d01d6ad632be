-- An option that programs have not.
local mach = require "mach"
local p = mach.program{width = 8, height = 4, depth = 2}
--- expect
--- mach_option.lua:3: mach.program has no option 'depth'; there are fuse, height, machine, reduction, response, route, seed, width

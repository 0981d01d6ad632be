-- An element beyond an array of the controller.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local s, g = p:GS("s"), p:GA("g", {1, 2})
s:set(g[1] + g[2])
--- expect
--- mach_element.lua:5: g[2] is beyond the array, which has 2 elements

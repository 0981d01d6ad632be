-- A value that cannot be an index.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local s, g = p:GS("s"), p:GA("g", {1, 2})
s:set(g[s])
--- expect
--- mach_element_kind.lua:5: g[...]: an integer or a GS of type i32 is wanted

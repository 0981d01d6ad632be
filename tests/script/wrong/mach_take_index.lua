-- An index that is no integer.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a = p:LA("a", 4)
a:set(p:take(a, a))
--- expect
--- mach_take_index.lua:5: p:take: the index is an LA or LS of type i32 on 8 x 4 workers, as the array

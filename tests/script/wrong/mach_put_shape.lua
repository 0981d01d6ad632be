-- Values of another shape than the index.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a, j = p:LA("a", 4), p:LA("j", 3, 0, "i32")
p:put(a, j, a)
--- expect
--- mach_put_shape.lua:5: p:put: the index is 8 x 4 x 3, but the values are 8 x 4 x 4

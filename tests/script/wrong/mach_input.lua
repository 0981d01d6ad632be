-- An input that the program has not.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a = p:LA("a", 4)
p:run{inputs = {b = {1, 2}}}
--- expect
--- mach_input.lua:5: p:run: the program has no object 'b'

-- Control flow over two numbers.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
p:if_(2, ">", 1, function() end)
--- expect
--- mach_control_numbers.lua:4: p:if_: two numbers are compared by Lua itself

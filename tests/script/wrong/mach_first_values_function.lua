-- Something that cannot be a first value.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a = p:LA("a", 4, function(x, y, i)
  return x + y < 9 and i or "none"
end)
--- expect
--- mach_first_values_function.lua:4: a at (7, 2): a string is given; a number is wanted

-- A sum that is taken in a loop, but begins before it.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a, s = p:LA("a", 4), p:GS("s")
local sum = p:sum(a)
p:loop(3, function()
  s:set(sum)
end)
--- expect
--- mach_sum_elsewhere.lua:7: the sum of line 5 is taken in another block than it begins in
--- called from
---   mach_sum_elsewhere.lua:7: in function 'f'
---   mach_sum_elsewhere.lua:6: in the script

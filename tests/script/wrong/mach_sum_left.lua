-- A sum that nobody takes.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a, s = p:LA("a", 4), p:GS("s")
p:loop(3, function()
  local left = p:sum(a)
end)
--- expect
--- mach_sum_left.lua:5: the sum that begins in line 6 is not taken where its block ends

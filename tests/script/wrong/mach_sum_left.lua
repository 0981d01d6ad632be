-- A sum that nobody takes.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a, s = p:LA("a", 4), p:GS("s")
p:loop(3, function()
  local left = p:sum(a)
end)

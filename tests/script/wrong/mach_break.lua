-- A break without a loop.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local s = p:GS("s")
p:if_(s, ">", 1, function()
  p:break_if(s, "<", 3)
end)

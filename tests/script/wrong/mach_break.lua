-- A break without a loop.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local s = p:GS("s")
p:if_(s, ">", 1, function()
  p:break_if(s, "<", 3)
end)
--- expect
--- mach_break.lua:6: p:break_if: there is no loop around it
--- called from
---   mach_break.lua:6: in function 'fill'
---   mach_break.lua:5: in the script

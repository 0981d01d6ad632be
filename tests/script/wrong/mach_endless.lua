-- A loop whose condition nothing in its body changes.
local mach = require "mach"
local p = mach.program{width = 4, height = 2}
local a, s, n = p:LA("a", 4), p:GS("s", 0), p:GS("n", 0)
p:loop(2, function()
  p:while_(s, "<", 1, function()
    a:set(a + 1)
    p:loop(2, function() p:break_if(n, "<", 1) end)
  end)
end)
p:run()
--- expect
--- mach_endless.lua:6: p:while_: the condition holds, and nothing in the body changes it: the loop never ends
--- called from
---   mach_endless.lua:6: in the function of line 6
---   mach_endless.lua:5: in the function of line 5
---   mach_endless.lua:11: in the script

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

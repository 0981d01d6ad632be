-- A loop that takes longer than anybody waits; its condition might change.
local mach = require "mach"
local p = mach.program{width = 4, height = 2}
local s, n = p:GS("s", 0), p:GS("n", 0)
p:loop(1, function()
  p:while_(s, "<", 1, function()
    n:set(n + 1)
    s:set(s - 1)
  end)
end)
p:run()
--- expect
--- mach_endless_limit.lua:6: the limit of 20000000 instructions is reached (--script-instructions)
--- called from
---   mach_endless_limit.lua:6: in the function of line 6
---   mach_endless_limit.lua:5: in the function of line 5
---   mach_endless_limit.lua:11: in the script

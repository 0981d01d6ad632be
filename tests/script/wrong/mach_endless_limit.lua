-- A loop that goes on for longer than anybody waits; its condition might change.
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

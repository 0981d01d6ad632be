-- A first value that is none.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a = p:LA("a", 4, function(x, y, i)
  return x + y < 9 and i or "none"
end)

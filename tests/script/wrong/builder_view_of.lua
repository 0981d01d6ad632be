-- A register has no memory.
local wse = require "wse"
wse.program("p", {}, function(b)
  local k = b:reg("k")
  b:u32("w", 8, {view = k})
end)

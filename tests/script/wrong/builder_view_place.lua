-- A view lies where its data lie.
local wse = require "wse"
wse.program("p", {}, function(b)
  local v = b:f32("v", 8)
  b:u32("w", 8, {view = v, bank = 2})
end)

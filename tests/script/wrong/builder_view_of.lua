-- A register has no memory.
local wse = require "wse"
wse.program("p", {}, function(b)
  local k = b:reg("k")
  b:u32("w", 8, {view = k})
end)
--- expect
--- builder_view_of.lua:5: b:u32: a view is of data or a slice, not of the register 'k'
--- called from
---   builder_view_of.lua:5: in function 'fill'
---   builder_view_of.lua:3: in the script

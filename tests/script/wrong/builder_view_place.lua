-- A view lies where its data lie.
local wse = require "wse"
wse.program("p", {}, function(b)
  local v = b:f32("v", 8)
  b:u32("w", 8, {view = v, bank = 2})
end)
--- expect
--- builder_view_place.lua:5: b:u32: a view has the place and the values of what it is of
--- called from
---   builder_view_place.lua:5: in function 'fill'
---   builder_view_place.lua:3: in the script

-- The index of map lies in a register.
local wse = require "wse"
wse.program("p", {}, function(b)
  local v = b:i32("v", {4})
  b:task "main"
  b.map(v, "f", v, {index = v})
end)
--- expect
--- builder_map_index.lua:6: b.map: index is the array 'v'; a register is wanted
--- called from
---   builder_map_index.lua:6: in function 'fill'
---   builder_map_index.lua:3: in the script

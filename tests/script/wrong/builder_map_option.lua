-- Options that may follow the operands of map.
local wse = require "wse"
wse.program("p", {}, function(b)
  local v, k = b:i32("v", {4}), b:reg "k"
  b:task "main"
  b.map(v, "f", v, {count = k})
end)
--- expect
--- builder_map_option.lua:6: b.map: unknown option 'count'; there is index
--- called from
---   builder_map_option.lua:6: in function 'fill'
---   builder_map_option.lua:3: in the script

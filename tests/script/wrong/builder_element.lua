-- An element outside.
local wse = require "wse"
wse.program("p", {rx = "colour"}, function(b)
  local v = b:f32("v", {8})
  local k = b:reg("k")
  b:task("main")
  b.fmovs(v[8], 1.0)
end)
--- expect
--- builder_element.lua:7: v: subscript 1 is 8; this dimension has 8 elements, from 0 on
--- called from
---   builder_element.lua:7: in function 'fill'
---   builder_element.lua:3: in the script

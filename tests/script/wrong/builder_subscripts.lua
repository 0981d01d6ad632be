-- A subscript too many.
local wse = require "wse"
wse.program("p", {rx = "colour"}, function(b)
  local v = b:f32("v", {8})
  local k = b:reg("k")
  b:task("main")
  b.fmovs(v(0, 1), 1.0)
end)
--- expect
--- builder_subscripts.lua:7: v takes 1 subscripts, one for each dimension; 2 are given
--- called from
---   builder_subscripts.lua:7: in function 'fill'
---   builder_subscripts.lua:3: in the script

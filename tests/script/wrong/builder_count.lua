-- An operand too few.
local wse = require "wse"
wse.program("p", {rx = "colour"}, function(b)
  local v = b:f32("v", {8})
  local k = b:reg("k")
  b:task("main")
  b.fadds(v, v)
end)
--- expect
--- builder_count.lua:7: b.fadds: 2 operands are given; it takes 3 (d = a + S)
--- called from
---   builder_count.lua:7: in function 'fill'
---   builder_count.lua:3: in the script

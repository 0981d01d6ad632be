-- A variable that is nil.
local wse = require "wse"
wse.program("p", {rx = "colour"}, function(b)
  local v = b:f32("v", {8})
  local k = b:reg("k")
  b:task("main")
  b.fmovs(v, value)
end)
--- expect
--- builder_nil.lua:7: b.fmovs: operand 2 is nil; a number, a text or an operand of the builder is wanted
--- called from
---   builder_nil.lua:7: in function 'fill'
---   builder_nil.lua:3: in the script

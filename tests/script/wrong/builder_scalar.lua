-- A division of whole arrays.
local wse = require "wse"
wse.program("p", {rx = "colour"}, function(b)
  local v = b:f32("v", {8})
  local k = b:reg("k")
  b:task("main")
  b.fdivs(k, v, 2.0)
end)
--- expect
--- builder_scalar.lua:7: b.fdivs: operand 2 is the array 'v'; wanted: one value, which is a number, a register, scalar data or an element
--- called from
---   builder_scalar.lua:7: in function 'fill'
---   builder_scalar.lua:3: in the script

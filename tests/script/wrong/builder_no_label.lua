-- Data is no label.
local wse = require "wse"
wse.program("p", {rx = "colour"}, function(b)
  local v = b:f32("v", {8})
  local k = b:reg("k")
  b:task("main")
  b.jmp("v")
end)
--- expect
--- builder_no_label.lua:7: b.jmp: operand 1 is the array 'v'; wanted: a label or an entry of a table
--- called from
---   builder_no_label.lua:7: in function 'fill'
---   builder_no_label.lua:3: in the script

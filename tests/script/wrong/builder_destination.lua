-- A number cannot be written.
local wse = require "wse"
wse.program("p", {rx = "colour"}, function(b)
  local v = b:f32("v", {8})
  local k = b:reg("k")
  b:task("main")
  b.fadds(3, v, 1.0)
end)
--- expect
--- builder_destination.lua:7: b.fadds: operand 1 is the number '3'; wanted: a destination, which is a register, data, a slice, a descriptor, a FIFO or fabout
--- called from
---   builder_destination.lua:7: in function 'fill'
---   builder_destination.lua:3: in the script

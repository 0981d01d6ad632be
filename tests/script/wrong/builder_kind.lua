-- A task is no source.
local wse = require "wse"
wse.program("p", {rx = "colour"}, function(b)
  local v = b:f32("v", {8})
  local k = b:reg("k")
  b:task("main")
  b.mov32(k, b:task("other"))
end)
--- expect
--- builder_kind.lua:7: b.mov32: operand 2 is the task 'other'; wanted: a source, which is a number, a register, data, a slice, a descriptor, a FIFO or fabin
--- called from
---   builder_kind.lua:7: in function 'fill'
---   builder_kind.lua:3: in the script

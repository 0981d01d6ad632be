-- A fabric output is no source.
local wse = require "wse"
wse.program("p", {rx = "colour"}, function(b)
  local v = b:f32("v", {8})
  local k = b:reg("k")
  b:task("main")
  b.fadds(v, v, b.fabout("rx"))
end)
--- expect
--- builder_source.lua:7: b.fadds: operand 3 is the fabric output 'fabout(rx)'; wanted: a source, which is a number, a register, data, a slice, a descriptor, a FIFO or fabin
--- called from
---   builder_source.lua:7: in function 'fill'
---   builder_source.lua:3: in the script

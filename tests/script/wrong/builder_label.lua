-- A label that nobody defines.
local wse = require "wse"
wse.program("p", {rx = "colour"}, function(b)
  local v = b:f32("v", {8})
  local k = b:reg("k")
  b:task("main")
  b:label("next")
  b.add32(k, k, 1)
  b.blt(k, 10, "nxet")
end)
--- expect
--- builder_label.lua:9: b.blt: label 'nxet' is not defined in program 'p'; did you mean 'next'?

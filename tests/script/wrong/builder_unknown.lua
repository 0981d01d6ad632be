-- An instruction that there is not, nearly.
local wse = require "wse"
wse.program("p", {rx = "colour"}, function(b)
  local v = b:f32("v", {8})
  local k = b:reg("k")
  b:task("main")
  b.fadd(v, v, 1.0)
end)
--- expect
--- builder_unknown.lua:7: b.fadd: there is no such instruction; did you mean 'faddh' or 'fadds'?
--- called from
---   builder_unknown.lua:7: in function 'fill'
---   builder_unknown.lua:3: in the script

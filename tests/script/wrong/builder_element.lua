-- An element outside.
local wse = require "wse"
wse.program("p", {rx = "colour"}, function(b)
  local v = b:f32("v", {8})
  local k = b:reg("k")
  b:task("main")
  b.fmovs(v[8], 1.0)
end)

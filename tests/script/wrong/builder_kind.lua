-- A task is no source.
local wse = require "wse"
wse.program("p", {rx = "colour"}, function(b)
  local v = b:f32("v", {8})
  local k = b:reg("k")
  b:task("main")
  b.mov32(k, b:task("other"))
end)

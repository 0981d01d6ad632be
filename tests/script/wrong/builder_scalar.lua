-- A division of whole arrays.
local wse = require "wse"
wse.program("p", {rx = "colour"}, function(b)
  local v = b:f32("v", {8})
  local k = b:reg("k")
  b:task("main")
  b.fdivs(k, v, 2.0)
end)

-- Nothing to wait for.
local wse = require "wse"
wse.program("p", {rx = "colour"}, function(b)
  local v = b:f32("v", {8})
  local k = b:reg("k")
  b:task("main")
  b.fadds(v, v, 1.0, b.async(b:microthread("adding")))
end)
--- expect
--- builder_async.lua:7: b.fadds: no operand is fabin or fabout; there is nothing for async to wait for
--- called from
---   builder_async.lua:7: in function 'fill'
---   builder_async.lua:3: in the script

-- A name twice.
local wse = require "wse"
wse.program("p", {rx = "colour"}, function(b)
  local v = b:f32("v", {8})
  local k = b:reg("k")
  b:task("main")
  b:reg("v")
end)
--- expect
--- builder_twice.lua:7: b:reg: 'v' is the name of an array already (builder_twice.lua:4)
--- called from
---   builder_twice.lua:7: in function 'fill'
---   builder_twice.lua:3: in the script

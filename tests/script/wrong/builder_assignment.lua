-- Data are not written by Lua.
local wse = require "wse"
wse.program("p", {rx = "colour"}, function(b)
  local v = b:f32("v", {8})
  local k = b:reg("k")
  b:task("main")
  v[0] = 1.0
end)
--- expect
--- builder_assignment.lua:7: an instruction writes elements of v: b.mov32(v[i], ...)
--- called from
---   builder_assignment.lua:7: in function 'fill'
---   builder_assignment.lua:3: in the script

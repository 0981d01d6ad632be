-- An option that there is not.
local wse = require "wse"
wse.program("p", {rx = "colour"}, function(b)
  local v = b:f32("v", {8})
  local k = b:reg("k")
  b:task("main")
  b.fmovs(b.fabout("rx", {advanced = true}), v)
end)
--- expect
--- builder_option.lua:7: b.fabout: unknown option 'advanced'; there are length, packed, control, advance, index, queue
--- called from
---   builder_option.lua:7: in function 'fill'
---   builder_option.lua:3: in the script

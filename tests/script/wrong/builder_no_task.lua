-- An instruction before the first task.
local wse = require "wse"
wse.program("p", {}, function(b)
  b.mov32("r1", 0)
end)
--- expect
--- builder_no_task.lua:4: b.mov32: instructions belong in a task; b:task("main") begins one
--- called from
---   builder_no_task.lua:4: in function 'fill'
---   builder_no_task.lua:3: in the script

-- Entries are labels and functions.
local wse = require "wse"
wse.program("p", {}, function(b)
  local k = b:reg("k")
  b:table("steps", "first", k)
end)
--- expect
--- builder_table.lua:5: b:table: entry 2 is no label or function
--- called from
---   builder_table.lua:5: in function 'fill'
---   builder_table.lua:3: in the script

-- Entries are labels and functions.
local wse = require "wse"
wse.program("p", {}, function(b)
  local k = b:reg("k")
  b:table("steps", "first", k)
end)

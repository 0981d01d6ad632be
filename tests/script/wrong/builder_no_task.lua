-- An instruction before the first task.
local wse = require "wse"
wse.program("p", {}, function(b)
  b.mov32("r1", 0)
end)

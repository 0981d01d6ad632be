-- A parameter and data of the type that isa/README.md adds, and a program that is built of it.
local wse = require "wse"

local w = wse.layout(1, 1)
w:param("k", "x32", 7)
w:build("p", {}, function(b)
  local v = b:x32("v", {value = "k"})
  b:task("main")
  b:add32(v, v, 1)
end)
w:place("p", w:all())
assert(w:run():symbol(0, 0, "v") == 8)

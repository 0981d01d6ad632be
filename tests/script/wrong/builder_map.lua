-- map calls a function; there is none of this name.
local wse = require "wse"
wse.program("p", {}, function(b)
  local v = b:i32("v", {8})
  local a = b:reg("a")
  b:task("main")
  b.map(v, "twise", v)
  b:func("twice", {args = {a}, result = a, link = "r9"})
  b.add32(a, a, a)
end)
--- expect
--- builder_map.lua:7: b.map: label 'twise' is not defined in program 'p'; did you mean 'twice'?

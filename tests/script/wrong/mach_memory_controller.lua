-- An array that the memory of the controller cannot hold.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local g, s = p:GA("g", 12250), p:GS("s")
p:for_each(g, function(v)
  s:set(s + v)
end)
p:run{}

-- An array that the memory of the controller cannot hold.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local g, s = p:GA("g", 12250), p:GS("s")
p:for_each(g, function(v)
  s:set(s + v)
end)
p:run{}
--- expect
--- mach_memory_controller.lua:8: the data of the E-PE take 49008 bytes, its code up to 304; it has 49152 for data and code: fewer or smaller arrays fit
--- the E-PE: 49008 bytes; 49008 live at once at most, at 1; 49008 without reuse
---   address   bytes  from   to     what
---         0   49000  start  end    g, GA f32[12250]
---     49000       4  start  end    s, GS f32
---     49004       4  1      2      g_i, GS f32

-- Arrays that the memory of a worker cannot hold.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a, b = p:LA("a", 8000, 1), p:LA("b", 8000)
local small = p:LA("small", 10)
b:set(a + 1)
small:set(b[":, :, :10"])
a:set(b * b + a)
p:run{}
--- expect
--- mach_memory.lua:9: the data of each worker take 96052 bytes; it has 49152 for data and code: fewer or smaller arrays fit
--- each worker: 96052 bytes; 96040 live at once at most, at 3; 96040 without reuse
---   address   bytes  from   to     what
---         0   32000  start  end    a, LA f32[8000]
---     32000   32000  1      end    b, LA f32[8000]
---     64004      40  2      end    small, LA f32[10]
---     64052   32000  3      4      _1, LA f32[8000]

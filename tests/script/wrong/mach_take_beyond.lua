-- An index beyond the array, found when the program runs.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a, j = p:LA("a", 4), p:LA("j", 4, function(x, y, i) return x + y + i - 8 end, "i32")
local b = p:LA("b", 4)
b["6:, :, :"] = p:take(a["6:, :, :"], j["6:, :, :"])
p:run{}
--- expect
--- mach_take_beyond.lua:6: index -2 on worker (6, 0) is beyond the slice, which has 4 elements

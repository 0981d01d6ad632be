-- An index beyond the array, found when the program runs.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a, j = p:LA("a", 4), p:LA("j", 4, function(x, y, i) return x + y + i - 8 end, "i32")
local b = p:LA("b", 4)
b["6:, :, :"] = p:take(a["6:, :, :"], j["6:, :, :"])
p:run{}

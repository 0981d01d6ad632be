-- A length of each worker does not travel, by messages either.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a = p:LA("a", 4)
local k = p:LS("k", 2, "i32")
a["3:, :, :k"] = a:slice(":-3, :, :k", {route = "message"})
--- expect
--- mach_message_length.lua:6: a: a slice with a length of each worker, :k, is not moved

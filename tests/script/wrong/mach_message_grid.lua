-- A field whose places no header of a message holds.
local mach = require "mach"
local p = mach.program{width = 1026, height = 4}
local a = p:LA("a", 1)
a["1:, :, :"] = a:slice(":-1, :, :", {route = "message"})
a["8:, :, :"] = a:slice(":-8, :, :", {route = "message"})
--- expect
--- mach_message_grid.lua:6: a: messages find their way on 1024 x 1020 workers at most, these are 1026 x 4; route = "exchange" goes by neighbours

-- A machine that has no colours left for messages.
local mach = require "mach"
local p = mach.program{width = 8, height = 4, machine = {base = "wse2", colours = 10}}
local a = p:LA("a", 4)
a["5:, :, :"] = a:slice(":3, :, :", {route = "message"})
a[":3, 2:, :"] = a:slice("5:, :-2, :", {route = "message"})
p:run()
--- expect
--- mach_message_colours.lua:5: messages take 6 colours, the rest of the program 5, but the machine has 10; route = "exchange" takes two

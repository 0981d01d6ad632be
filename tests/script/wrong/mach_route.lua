-- A route that is not there.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a = p:LA("a", 4)
a["4:, :, :"] = a:slice(":4, :, :", {route = "mail"})
--- expect
--- mach_route.lua:5: a:slice: the route mail is unknown; exchange or message is wanted

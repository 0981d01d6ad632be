-- A slip in the option of a slice.
local mach = require "mach"
local p = mach.program{width = 8, height = 4}
local a = p:LA("a", 4, 1)
a["4:, :, :"] = a:slice(":-4, :, :", {rout = "message"})
--- expect
--- mach_slice_option.lua:5: a:slice has no option 'rout'; route is its option

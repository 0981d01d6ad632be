-- The machine as it is painted; listing=9..12: one of the paper's listings:
--   wsevm run scripts/mach/paint.lua width=8 height=4 listing=10
-- README.md has the arguments. With require "mach.paint" it gives paint/init.lua.
if ... then return require "mach.paint.init" end  -- a module gets its name

local listings = require "mach.lib.listings"
require("mach.lib.command").main(listings.run, listings.arguments, listings.shown, "response")

-- The cost of an exchange with all four neighbours:
--   wsevm run scripts/mach/exchange.lua width=16 height=12 nz=16
-- README.md has the arguments. With require "mach.exchange" it gives lib/exchange.lua.
local exchange = require "mach.lib.exchange"
if ... then return exchange end  -- a module gets its name

require("mach.lib.command").main(exchange.run, exchange.arguments, exchange.shown, "nz")

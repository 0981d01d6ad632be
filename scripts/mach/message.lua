-- Messages between any two PEs:
--   wsevm run scripts/mach/message.lua width=16 height=16 pattern=random length=8 seed=1
-- README.md has the arguments. With require "mach.message" it gives lib/message.lua.
local message = require "mach.lib.message"
if ... then return message end  -- a module gets its name

require("mach.lib.command").main(message.run, message.arguments, message.shown, "length")

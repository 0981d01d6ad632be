-- A loop without an end.
local wse = require "wse"
wse.argument("size")
local n = 0
while n >= 0 do n = n + 1 end
--- expect
--- runaway_loop.lua:5: the limit of 20000000 instructions is reached (--script-instructions)

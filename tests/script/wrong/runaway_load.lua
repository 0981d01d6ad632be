-- A text of a megabyte for the compiler.
local text = ("if a then else"):rep(100000)
load(text .. " " .. ("end "):rep(100000))
--- expect
--- runaway_load.lua:3: the limit of 20000000 instructions is reached (--script-instructions)
